// SPDX-License-Identifier: Apache-2.0

//go:build system

package armcost

import (
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
