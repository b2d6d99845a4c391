// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"errors"
	"strings"
	"testing"
)

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
