// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const someCounts = `mark 7 100 0 instructions=40 cycles=50 call.4=2
mark 7 100 3 instructions=2 cycles=3
end 7 100
mark exit 101 0 instructions=5 cycles=9 call.1=1 call.4=1
end exit 101
end exit 100
`

func TestParseCounts(t *testing.T) {
	marks, err := ParseCounts([]byte(someCounts))
	if err != nil {
		t.Fatal(err)
	}
	want := []Mark{
		{"7", 100, []Thread{
			{100, 0, Counts{map[string]float64{"instructions": 40, "cycles": 50}, map[int]float64{4: 2}}},
			{100, 3, Counts{map[string]float64{"instructions": 2, "cycles": 3}, map[int]float64{}}},
		}},
		{"exit", 101, []Thread{{101, 0, Counts{map[string]float64{"instructions": 5, "cycles": 9}, map[int]float64{1: 1, 4: 1}}}}},
		{"exit", 100, nil},
	}
	if diff := cmp.Diff(want, marks); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, bad := range []string{"mark 7 100\n", "note 7 100 0\n", "end 7\n", "end 7 x\n", "end 7 100 0\n", "mark 7 100 x a=1\n", "mark 7 100 0 a\n",
		"mark 7 100 0 a=-1\n", "mark 7 100 0 call.x=1\n", "mark 7 100 0 a=1\n", strings.Repeat("x", 1<<17)} {
		if _, err := ParseCounts([]byte(bad)); !errors.Is(err, ErrCounts) {
			t.Errorf("%.40q: %v, want %v", bad, err, ErrCounts)
		}
	}
}

func TestSumMinusPer(t *testing.T) {
	marks, err := ParseCounts([]byte(someCounts))
	if err != nil {
		t.Fatal(err)
	}
	sum := Sum(append(marks[0].Threads, marks[1].Threads...))
	want := Counts{map[string]float64{"instructions": 47, "cycles": 62}, map[int]float64{1: 1, 4: 3}}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("sum: -want +got:\n%s", diff)
	}
	left := sum.Minus(Counts{map[string]float64{"instructions": 7, "cycles": 100}, map[int]float64{4: 1}}).Per(4)
	want = Counts{map[string]float64{"instructions": 10, "cycles": 0}, map[int]float64{1: 0.25, 4: 0.5}}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("minus, per: -want +got:\n%s", diff)
	}
}

func FuzzParseCounts(f *testing.F) {
	f.Add([]byte(someCounts))
	f.Add([]byte("mark exit 1 0 instructions=18446744073709551615\nend exit 1\n"))
	f.Add([]byte("end 7\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		marks, err := ParseCounts(data)
		if err != nil && !errors.Is(err, ErrCounts) {
			t.Errorf("%v is no %v", err, ErrCounts)
		}
		for _, m := range marks {
			for name, n := range Sum(m.Threads).Events {
				if n < 0 {
					t.Errorf("%s %g", name, n)
				}
			}
		}
	})
}
