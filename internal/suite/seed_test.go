// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"fmt"
	"runtime"
	"testing"
)

// recorder is a test that keeps what is logged.
type recorder struct {
	testing.TB
	text string
}

func (*recorder) Helper() {}

func (r *recorder) Logf(format string, args ...any) { r.text += fmt.Sprintf(format, args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.text += "fatal: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestSeed(t *testing.T) {
	for _, c := range []struct {
		value, log string
		seed       uint64
	}{
		{"42", "EPUCK_SEED=42 (set)", 42},
		{"0", "EPUCK_SEED=0 (set)", 0},
		{"0x10", "EPUCK_SEED=16 (set)", 16},
		{"18446744073709551615", "EPUCK_SEED=18446744073709551615 (set)", 1<<64 - 1},
		{"yesterday", `fatal: EPUCK_SEED: strconv.ParseUint: parsing "yesterday": invalid syntax`, 0},
		{"-1", `fatal: EPUCK_SEED: strconv.ParseUint: parsing "-1": invalid syntax`, 0},
	} {
		t.Setenv(SeedVariable, c.value)
		r, done, seed := &recorder{TB: t}, make(chan struct{}), uint64(0)
		go func() {
			defer close(done)
			seed = Seed(r)
		}()
		if <-done; seed != c.seed || r.text != c.log {
			t.Errorf("%q: %d, %q", c.value, seed, r.text)
		}
	}
}

// TestSeedWithoutVariable: the gate has a fixed one, the suite long another one at each call; it is in the log.
func TestSeedWithoutVariable(t *testing.T) {
	t.Setenv(SeedVariable, "")
	first, second := &recorder{TB: t}, &recorder{TB: t}
	a, b := Seed(first), Seed(second)
	if !Long && (a != 1 || b != 1) || Long && a == b {
		t.Errorf("seeds %d and %d", a, b)
	}
	kind := "the gate's"
	if Long {
		kind = "random"
	}
	if want := fmt.Sprintf("EPUCK_SEED=%d (%s)", a, kind); first.text != want {
		t.Errorf("%q, want %q", first.text, want)
	}
}
