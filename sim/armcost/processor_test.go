// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"errors"
	"strings"
	"testing"
)

// measuredReads are what tinymembench measured on other processors: ns that a random read of a buffer takes more than
// one of a small buffer, by kB. The memory parameters were fitted to the sizes in fitted.
var measuredReads = []struct {
	processor string
	ns        map[int]float64
	fitted    []int
}{
	// sbc-bench results 3E85 (Zero 2 W, 1 GHz) and 1MFf (Raspberry Pi 4, 1.5 GHz).
	{"cortex-a53-zero2w", map[int]float64{16: 0, 32: 0, 64: 6.4, 128: 9.9, 256: 11.6, 512: 12.9, 1024: 81.1, 2048: 121.8, 4096: 145, 8192: 157.4}, []int{64, 256, 8192}},
	{"cortex-a72-pi4", map[int]float64{16: 0, 32: 0, 64: 5.7, 128: 8.6, 256: 12.3, 512: 14.2, 1024: 25.3, 2048: 86.3, 4096: 115.5, 8192: 138.4}, []int{64, 256, 2048, 8192}},
}

// TestProcessorsAreComplete: each has a clock, cores and all parameters of the ARM1176, and the model its sizes.
func TestProcessorsAreComplete(t *testing.T) {
	base := literature(t)
	if len(Processors()) != 4 {
		t.Errorf("processors: %v", Processors())
	}
	for _, name := range Processors() {
		p, err := Processor(name)
		if err != nil {
			t.Fatal(err)
		}
		for parameter := range base.Parameters {
			if _, ok := p.Parameters[parameter]; !ok {
				t.Errorf("%s lacks %s", name, parameter)
			}
		}
		if name != arm1176 && (p.Cores != 4 || len(p.Model.definitions()) != 10) {
			t.Errorf("%s: %d cores, model %+v", name, p.Cores, p.Model)
		}
	}
	if _, err := Processor("6502"); !errors.Is(err, ErrProcessor) || !strings.Contains(err.Error(), "cortex-a72-pi4") {
		t.Error(err)
	}
}

func TestModelsThatCannotBeAreRefused(t *testing.T) {
	good := `{"model": {"line": 64, "cache": 32768, "ways": 4, "outer": 524288, "outer_ways": 16, "micro_tlb": 10, "tlb": 512, "tlb_ways": 4, "branches": 256, "returns": 8}}`
	if _, err := ParseParameters([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{`"line": 64`, `"line": 48`}, {`"line": 64`, `"line": 8`}, {`32768`, `128`}, {`524288`, `2097152`}, {`"ways": 4,`, `"ways": 0,`},
		{`"tlb": 512`, `"tlb": 2`}, {`"returns": 8`, `"returns": 0`}, {`"micro_tlb": 10`, `"micro_tlb": 1000`}, {`"branches": 256`, `"branches": 100`},
		{`{"model"`, `{"cores": -1, "model"`}, {`524288, "outer_ways": 16`, `16384, "outer_ways": 512`},
	} {
		if _, err := ParseParameters([]byte(strings.Replace(good, c.old, c.new, 1))); !errors.Is(err, errParameters) {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}
