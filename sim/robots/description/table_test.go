// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

func TestTable(t *testing.T) {
	falling := description.Table{{0, 1000, .1}, {1, 400, .2}, {3, 200, 0}}
	for _, c := range []struct{ quantity, value, deviation float64 }{
		{-1, 1000, 100}, {0, 1000, 100}, {.5, 700, 105}, {2, 300, 30}, {3, 200, 0}, {9, 200, 0},
	} {
		if v, d := falling.Answer(c.quantity); math.Abs(v-c.value) > 1e-9 || math.Abs(d-c.deviation) > 1e-9 {
			t.Errorf("of %g: %g ± %g, want %g ± %g", c.quantity, v, d, c.value, c.deviation)
		}
	}
	for value, want := range map[float64]float64{700: .5, 300: 2, 100: 4, 1300: -.5, 400: 1} {
		if q := falling.Quantity(value); math.Abs(q-want) > 1e-9 {
			t.Errorf("%g is of %g, want %g", value, q, want)
		}
	}
	if v, d := (description.Table)(nil).Answer(7); v != 7 || d != 0 || (description.Table)(nil).Quantity(7) != 7 {
		t.Error("no table")
	}
	for _, level := range []description.Table{{{1, 5, 0}}, {{1, 5, 0}, {2, 5, 0}}} {
		if q := level.Quantity(5); !math.IsNaN(q) {
			t.Errorf("%v has no inverse: %g", level, q)
		}
	}
	plateau := description.Table{{0, 5, 0}, {1, 5, 0}, {2, 3, 0}, {3, 3, 0}}
	if q := plateau.Quantity(6); q != .5 {
		t.Errorf("before a level end the line is extrapolated: %g", q)
	}
}

// The inverse of a table that only rises or only falls gives back what was measured, also beyond its ends.
func TestTableAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "rows")
		steps := rapid.SliceOfN(rapid.Float64Range(.01, 3), 2*n, 2*n).Draw(t, "steps")
		sign := rapid.SampledFrom([]float64{1, -1}).Draw(t, "sign")
		table := make(description.Table, n)
		for i := range table {
			table[i] = description.Row{Quantity: steps[i], Value: sign * steps[n+i]}
			if i > 0 {
				table[i].Quantity += table[i-1].Quantity
				table[i].Value += table[i-1].Value
			}
		}
		q := rapid.Float64Range(table[0].Quantity, table[n-1].Quantity).Draw(t, "quantity")
		v, _ := table.Answer(q)
		if back := table.Quantity(v); math.Abs(back-q) > 1e-9 {
			t.Fatalf("%g says %g, which is %g", q, v, back)
		}
		beyond := table[n-1].Value + table[n-1].Value - table[n-2].Value
		if want := 2*table[n-1].Quantity - table[n-2].Quantity; math.Abs(table.Quantity(beyond)-want) > 1e-9 {
			t.Fatalf("beyond the end: %g, want %g", table.Quantity(beyond), want)
		}
	})
}
