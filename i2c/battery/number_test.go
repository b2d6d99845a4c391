// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
)

var numbers = []struct {
	text string
	want float64
	bad  bool
}{
	{"1853\n", 1853, false}, {"2.000000000\n", 2, false}, {"0", 0, false}, {"-1\n", -1, false}, {"+3.5 \n", 3.5, false},
	{"0.125", 0.125, false}, {"7.\n", 7, false}, {".5", 0.5, false}, {"123456789012345", 123456789012345, false},
	{"", 0, true}, {"\n", 0, true}, {"-", 0, true}, {".", 0, true}, {"1.2.3", 0, true}, {"12 13\n", 0, true},
	{"1e3", 0, true}, {"NaN", 0, true}, {"0x10", 0, true}, {"1234567890123456", 0, true}, {"--1", 0, true}, {" 1", 0, true},
}

func TestParse(t *testing.T) {
	for _, c := range numbers {
		got, err := parse([]byte(c.text))
		if got != c.want || (err != nil) != c.bad || c.bad && !errors.Is(err, errFormat) {
			t.Errorf("%q: %v %v", c.text, got, err)
		}
	}
	p := []byte("1853.25\n")
	if n := testing.AllocsPerRun(100, func() { _, _ = parse(p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzParse: accepted text has the same value as in the standard library.
func FuzzParse(f *testing.F) {
	for _, c := range numbers {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		in := bytes.Clone(p)
		got, err := parse(p)
		if !bytes.Equal(in, p) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			if !errors.Is(err, errFormat) || got != 0 {
				t.Fatalf("%v %v", got, err)
			}
			return
		}
		want, err := strconv.ParseFloat(strings.TrimRight(string(p), "\n \x00"), 64)
		if err != nil || math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
			t.Fatalf("%q: %v, want %v %v", p, got, want, err)
		}
	})
}
