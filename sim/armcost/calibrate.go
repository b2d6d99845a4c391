// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	_ "embed"
)

//go:embed kernels/kernels.c
var kernelsSource []byte

// errTimings is returned for times of kernels that are missing or not as the kernels write them.
var errTimings = errors.New("armcost: times of kernels missing or malformed")

// Timings are the times of one turn of each kernel, in seconds, round by round.
type Timings map[string][]float64

// kernels says how parameters come out of the kernels' times: a turn takes cycles that the pipeline's table knows,
// other parameters, and so many times the one that is looked for.
var kernels = []struct {
	name, parameter string
	known           float64 // cycles
	besides         map[string]float64
	times           float64
}{
	{"chase", "load_miss", 4, nil, 1},
	{"far", "outer_miss", 4, map[string]float64{"load_miss": 1}, 1},
	{"near", "micro_miss", 4, nil, 1},
	{"pages", "tlb_miss", 4, map[string]float64{"micro_miss": 1}, 1},
	{"store", "store_miss", 5, nil, 0.5},
	{"change", "write_back", 8, map[string]float64{"load_miss": 1}, 1},
	{"code", "fetch_miss", 8193, nil, 1024},
	{"wrong", "branch_mispredicted", 2.5, nil, 1},
	{"call", "branch_returned", 2, nil, 1},
	{"jump", "branch_jumped", 2, nil, 1},
	{"loadpc", "branch_loaded", 1, nil, 1},
	{"clock", "kernel_clock", 0, nil, 1},
	{"syscall", "kernel_call", 0, nil, 1},
	{"wait", "kernel_wait", 0, map[string]float64{"kernel_call": 2}, 2},
	{"datagram", "kernel_datagram", 0, nil, 2},
	{"page", "kernel_page", 0, nil, 1},
}

// sumsCycles is a turn of the kernel that measures the core's clock: a chain of 16 sums, a subtraction, a folded
// branch.
const sumsCycles = 17

// BuildKernels compiles the kernels for ARMv6 into dir and returns their program.
func BuildKernels(ctx context.Context, dir string) (string, error) {
	file, program := filepath.Join(dir, "kernels.c"), filepath.Join(dir, "kernels")
	if err := os.WriteFile(file, kernelsSource, 0o600); err != nil {
		return "", err
	}
	const compiler = "arm-linux-gnueabi-gcc"
	out, err := exec.CommandContext(ctx, compiler, "-static", "-O1", "-fomit-frame-pointer", "-marm", "-march=armv6", "-Wall", "-Wextra", "-Werror",
		"-o", program, file).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%w: %w (apt-get install gcc-arm-linux-gnueabi libc6-dev-armel-cross)", errTools, err)
	}
	if err != nil {
		return "", fmt.Errorf("armcost: compiling the kernels: %w\n%s", err, out)
	}
	return program, nil
}

// ParseTimings reads what the kernels write: "NAME TURNS NANOSECONDS" lines.
func ParseTimings(data []byte) (Timings, error) {
	t := Timings{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) != 3 {
			return nil, fmt.Errorf("%w: %.80q", errTimings, lines.Text())
		}
		turns, err1 := strconv.ParseUint(f[1], 10, 32)
		ns, err2 := strconv.ParseInt(f[2], 10, 64)
		if err := errors.Join(err1, err2); err != nil || turns == 0 || ns <= 0 {
			return nil, fmt.Errorf("%w: %.80q: %w", errTimings, lines.Text(), err)
		}
		t[f[0]] = append(t[f[0]], float64(ns)*1e-9/float64(turns))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", errTimings, err)
	}
	return t, nil
}

// Calibrate puts in place of parameters those that come out of measured times. A range is that of the rounds and 5 %
// more on either side. What no kernel measures stays as it is in base.
func Calibrate(base Parameters, t Timings, source string) (Parameters, error) {
	p := Parameters{Source: source, Parameters: maps.Clone(base.Parameters)}
	put := func(name string, i Interval) {
		v := p.Parameters[name]
		v.Interval, v.Source = i, source
		p.Parameters[name] = v
	}
	sums, err := t.of("sums")
	if err != nil {
		return p, err
	}
	put("core", Interval{sumsCycles / sums.High, sumsCycles / sums.Likely, sumsCycles / sums.Low})
	for _, k := range kernels {
		turn, err := t.of(k.name)
		if err != nil {
			return p, err
		}
		besides := k.known
		for name, n := range k.besides {
			besides += float64(n * p.Parameters[name].Likely)
		}
		in := func(seconds, margin float64) float64 {
			return max(0, (float64(seconds*p.Parameters["core"].Likely)-besides)/k.times*margin)
		}
		put(k.parameter, Interval{in(turn.Low, 0.95), in(turn.Likely, 1), in(turn.High, 1.05)})
	}
	return p, nil
}

// of is the fastest, the middle and the slowest round of a kernel.
func (t Timings) of(name string) (Interval, error) {
	rounds := slices.Sorted(slices.Values(t[name]))
	if len(rounds) == 0 {
		return Interval{}, fmt.Errorf("%w: no %q", errTimings, name)
	}
	return Interval{rounds[0], rounds[len(rounds)/2], rounds[len(rounds)-1]}, nil
}
