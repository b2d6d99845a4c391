// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// ErrProcessor is returned for a processor that is not known.
var ErrProcessor = errors.New("armcost: no such processor")

//go:embed processors/*.json
var processors embed.FS

// arm1176 is the name of the robot's own processor, that of a Raspberry Pi Zero W.
const arm1176 = "arm1176"

// Model are the sizes of a processor's caches, TLBs and branch prediction; its zero value is the ARM1176's. The first
// caches of instructions and data are of one size in the model. All sizes are powers of two.
type Model struct {
	Line      uint32 `json:"line"`       // bytes of a line of all caches
	Cache     uint32 `json:"cache"`      // bytes of each of the first caches
	Ways      uint32 `json:"ways"`       // of them
	Outer     uint32 `json:"outer"`      // bytes of the cache behind them
	OuterWays uint32 `json:"outer_ways"` // of it
	MicroTLB  uint32 `json:"micro_tlb"`  // entries of each of the first TLBs
	TLB       uint32 `json:"tlb"`        // entries of the main TLB
	TLBWays   uint32 `json:"tlb_ways"`   // of it
	Branches  uint32 `json:"branches"`   // branches whose history is known
	Returns   uint32 `json:"returns"`    // entries of the stack of returns
}

// maxModel bounds sizes, in bytes or entries.
const maxModel = 1 << 20

// check reports a size that the model cannot have.
func (m Model) check() error {
	if m == (Model{}) {
		return nil
	}
	for name, n := range map[string]uint32{
		"line": m.Line, "cache": m.Cache, "ways": m.Ways, "outer": m.Outer, "outer_ways": m.OuterWays,
		"tlb": m.TLB, "tlb_ways": m.TLBWays, "branches": m.Branches,
	} {
		if n > maxModel || bits.OnesCount32(n) != 1 {
			return fmt.Errorf("%w: model: %s of %d is not a power of two up to %d", errParameters, name, n, maxModel)
		}
	}
	// What a simulated core shares has space for the tags of 64 KB of each first cache and 16384 lines of the outer
	// one.
	if m.Line < 16 || m.Cache > 1<<16 || m.Cache < m.Line*m.Ways || m.Outer < m.Line*m.OuterWays || m.Outer/m.Line > 1<<14 || m.TLB < m.TLBWays || m.TLB > 4096 {
		return fmt.Errorf("%w: model: sizes do not fit together: %+v", errParameters, m)
	}
	if m.MicroTLB == 0 || m.MicroTLB > 256 || m.Returns == 0 || m.Returns > 64 || m.OuterWays > 64 {
		return fmt.Errorf("%w: model: %d entries of a first TLB, %d returns, %d outer ways", errParameters, m.MicroTLB, m.Returns, m.OuterWays)
	}
	return nil
}

// definitions are the compiler's arguments for the model.
func (m Model) definitions() []string {
	if m == (Model{}) {
		return nil
	}
	define := func(name string, n uint32) string { return fmt.Sprintf("-DMODEL_%s=%d", name, n) }
	return []string{
		define("LINE", uint32(bits.Len32(m.Line)-1)), define("WAYS", m.Ways), define("SETS", m.Cache/m.Line/m.Ways),
		define("OUTER_WAYS", m.OuterWays), define("OUTER_SETS", m.Outer/m.Line/m.OuterWays), define("MICRO_TLB", m.MicroTLB),
		define("TLB_WAYS", m.TLBWays), define("TLB_SETS", m.TLB/m.TLBWays), define("BRANCHES", m.Branches), define("STACK", m.Returns),
	}
}

// Processors returns the names of the processors whose parameters come with the program.
func Processors() []string {
	names := []string{arm1176}
	entries, _ := processors.ReadDir("processors") // it is in the program
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}

// Processor returns the parameters of a processor by its name; an empty name is the robot's ARM1176. The error matches
// [ErrProcessor].
func Processor(name string) (Parameters, error) {
	if name == "" || name == arm1176 {
		return Literature()
	}
	if !slices.Contains(Processors(), name) {
		return Parameters{}, fmt.Errorf("%w: %q; there are %s", ErrProcessor, name, strings.Join(Processors(), ", "))
	}
	data, err := processors.ReadFile("processors/" + name + ".json")
	if err != nil {
		return Parameters{}, err
	}
	return ParseParameters(data)
}

// BuildPlugin compiles the model of the parameters' processor into dir and returns its file; see [BuildPlugin].
func (p Parameters) BuildPlugin(ctx context.Context, dir string) (string, error) {
	return buildPlugin(ctx, dir, p.Model)
}
