// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestReadPath(t *testing.T) {
	goals, err := ReadPath(strings.NewReader("# a square\n0.1 0\n\n0.1,0.1, 1.57 # turn\r\n -0.5\t1e-2\n"))
	if err != nil || len(goals) != 3 || goals[1] != (Goal{0.1, 0.1, 1.57}) || goals[2].X != -0.5 || !math.IsNaN(goals[0].Theta) {
		t.Errorf("%v, %v", goals, err)
	}
	for text, want := range map[string]string{
		"":                             "no goal",
		"# nothing\n":                  "no goal",
		"0 0\n1\n":                     "line 2: 1 numbers",
		"0 0 0 0":                      "line 1: 4 numbers",
		"0 x":                          `line 1: "x" is not a finite number`,
		"0 NaN":                        `"NaN" is not a finite number`,
		"1e999 0":                      `"1e999"`,
		strings.Repeat("1", 1<<17):     "too long",
		strings.Repeat("0 0\n", 1<<17): "more than 100000 goals",
	} {
		if _, err := ReadPath(strings.NewReader(text)); !errors.Is(err, errFile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

// What is read can be driven, and written and read again is the same.
func FuzzReadPath(f *testing.F) {
	for _, seed := range []string{"0.1 0\n", "0.1,0.2,3\n# x\n-1e-3 4", "1 2 3 4", "inf 0", "\x00", "0 0 0\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		goals, err := ReadPath(bytes.NewReader(text))
		if err != nil {
			if !errors.Is(err, errFile) {
				t.Fatal(err)
			}
			return
		}
		if _, err := NewFollower(Limits{}, goals...); err != nil {
			t.Fatal(err)
		}
		var again strings.Builder
		for _, g := range goals {
			fmt.Fprintf(&again, "%v %v", g.X, g.Y)
			if !math.IsNaN(g.Theta) {
				fmt.Fprintf(&again, " %v", g.Theta)
			}
			again.WriteByte('\n')
		}
		back, err := ReadPath(strings.NewReader(again.String()))
		if err != nil || len(back) != len(goals) {
			t.Fatalf("%d goals, then %d: %v", len(goals), len(back), err)
		}
		for i := range goals {
			if back[i].X != goals[i].X || back[i].Y != goals[i].Y || math.IsNaN(back[i].Theta) != math.IsNaN(goals[i].Theta) {
				t.Fatalf("%v, then %v", goals[i], back[i])
			}
		}
	})
}
