// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestKernelsFindTheParameters runs the kernels with the model and takes its cycles as the time of a core of 1 GHz:
// what comes out must be the parameters that went in.
func TestKernelsFindTheParameters(t *testing.T) {
	needs(t, "gcc", "qemu-arm", "taskset", "arm-linux-gnueabi-gcc")
	program, err := BuildKernels(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	base := literature(t)
	turns := []string{"sums 20000", "chase 40000", "pages 40000", "far 65536", "near 40000", "store 40000", "change 40000", "code 20", "wrong 40000", "call 40000",
		"jump 40000", "loadpc 40000", "clock 2000", "syscall 2000", "wait 500", "datagram 500", "page 256"}
	var times strings.Builder
	for _, m := range counted(t, program) {
		if k, err := strconv.Atoi(m.Name); err == nil {
			fmt.Fprintf(&times, "%s %.0f\n", turns[k], base.Of(Sum(m.Threads)).Cycles.Likely)
		}
	}
	timings, err := ParseTimings([]byte(times.String()))
	if err != nil {
		t.Fatal(err)
	}
	found, err := Calibrate(base, timings, "the model")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core", "load_miss", "outer_miss", "micro_miss", "tlb_miss", "store_miss", "write_back", "fetch_miss", "branch_mispredicted", "branch_returned",
		"branch_jumped", "branch_loaded", "kernel_clock", "kernel_call", "kernel_datagram"} {
		got, want := found.Parameters[name], base.Parameters[name].Likely
		t.Logf("%-20s %8.4g, went in as %8.4g", name, got.Likely, want)
		if math.Abs(got.Likely-want) > 0.03*want || got.Source != "the model" || got.Low > got.Likely || got.Likely > got.High {
			t.Errorf("%s: %+v came out, %g went in", name, got, want)
		}
	}
}

// TestKernelsRun reads what the kernels themselves write, where they can be run: the times are the emulator's.
func TestKernelsRun(t *testing.T) {
	needs(t, "qemu-arm", "taskset", "arm-linux-gnueabi-gcc")
	program, err := BuildKernels(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out, err := Emulator{}.Command(t.Context(), program).Output()
	if err != nil {
		t.Fatal(err)
	}
	timings, err := ParseTimings(out)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Calibrate(literature(t), timings, "an emulator")
	if err != nil || p.Parameters["core"].Low <= 0 || p.Parameters["kernel_call"].Likely <= 0 {
		t.Errorf("%+v, %v", p.Parameters["core"], err)
	}
	for name, rounds := range timings {
		if len(rounds) != 5 {
			t.Errorf("%s: %d rounds", name, len(rounds))
		}
	}
}

func TestTimingsThatAreWrong(t *testing.T) {
	for _, bad := range []string{"sums 1", "sums x 1", "sums 1 x", "sums 0 1", "sums 1 0", strings.Repeat("x", 1<<17)} {
		if _, err := ParseTimings([]byte(bad)); !errors.Is(err, errTimings) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
	for _, some := range []string{"chase 1 5\n", "sums 1 17\n"} {
		timings, err := ParseTimings([]byte(some))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Calibrate(literature(t), timings, ""); !errors.Is(err, errTimings) {
			t.Errorf("%q: %v", some, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := BuildKernels(t.Context(), t.TempDir()); !errors.Is(err, errTools) {
		t.Error(err)
	}
}

func FuzzParseTimings(f *testing.F) {
	f.Add([]byte("sums 20000 340000\nsums 20000 341000\nchase 40000 4520000\n"))
	f.Add([]byte("page 256 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		timings, err := ParseTimings(data)
		if err != nil {
			return
		}
		for name := range timings {
			if i, err := timings.of(name); err != nil || !(0 < i.Low && i.Low <= i.Likely && i.Likely <= i.High) {
				t.Errorf("%s: %v, %v", name, i, err)
			}
		}
	})
}
