// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newCones(t testing.TB, resolution float64) *ConeGrid {
	t.Helper()
	c, err := NewConeGrid(resolution)
	must(t, err)
	return c
}

// tof is a reading of a sensor with a cone of 25° that looks along x.
func tof(x, distance float64) Beam {
	return Beam{From: Pose{X: x, Y: 0.005}, HalfAngle: 0.218, Range: distance, Max: 1.2}
}

// A column in the middle of the cone, 30 cm before a wall. From afar the sensor gives the mean of the two, which is
// behind the column. A map that judges cell by cell loses the column by that; here it stays, and so does the wall.
func TestColumnStays(t *testing.T) {
	column, wall := Pose{X: 0.4, Y: 0.005}, 0.7
	means := func(x float64) float64 { // as the sensor of the e-puck2 sees a column of 2 cm
		light, sum := 0.0, 0.0
		for i := range rays {
			off := 2*float64(i)/(rays-1) - 1
			d := (wall - x) / math.Cos(off*0.218)
			if math.Abs((column.X-x)*math.Tan(off*0.218)) < 0.02 {
				d = column.X - 0.02 - x
			}
			back := (1 - 0.8*off*off) / (d * d)
			light, sum = light+back, sum+back*d
		}
		return sum / light
	}
	drive := func(m interface{ Add(Beam) error }) {
		for range 20 { // next to it, past the column
			must(t, m.Add(tof(0.45, wall-0.45)))
			must(t, m.Add(tof(0.3, 0.08)))
		}
		for range 40 {
			must(t, m.Add(tof(0, means(0))))
		}
	}
	cones, cells := newCones(t, 0.01), newLogOdds(t, Model{})
	drive(cones)
	drive(cells)
	at := func(m interface{ Map() (*Map, error) }, x float64) int8 {
		g, err := m.Map()
		must(t, err)
		return g.At(g.Cell(x, 0.005))
	}
	if r := means(0); r < 0.41 || r > 0.6 {
		t.Fatalf("the sensor sees %v m, which is not between column and wall", r)
	}
	if v := at(cells, 0.385); v > 50 {
		t.Errorf("cell by cell the column is still there: %d %%", v)
	}
	for x, name := range map[float64]string{0.385: "column", wall + 0.005: "wall"} {
		if v := at(cones, x); v < 65 {
			t.Errorf("%s: %d %%", name, v)
		}
	}
	if v := at(cones, 0.2); v > 20 {
		t.Errorf("before the column: %d %%", v)
	}
	for range 60 { // it is taken away
		must(t, cones.Add(tof(0, wall)))
	}
	if v := at(cones, 0.385); v > 20 {
		t.Errorf("%d %% where the column was", v)
	}
}

// The wider the cone is at a cell, the weaker is the evidence about it.
func TestNearIsSurer(t *testing.T) {
	evidence := func(distance float64) float64 {
		c := newCones(t, 0.01)
		must(t, c.Add(tof(0, distance)))
		return c.odds.evidenceAt(distance+0.005, 0.005)
	}
	near, far, farther := evidence(0.08), evidence(0.4), evidence(0.8)
	if near < 0.75 || math.Abs(far/farther-2) > 0.05 || far > near/2 {
		t.Errorf("%v at 8 cm, %v at 40 cm, %v at 80 cm", near, far, farther)
	}
}

// A cell is what three of its quarters are sure to be beyond, two for free.
func TestQuarters(t *testing.T) {
	for _, q := range []struct {
		quarters [4]float32
		want     int8
	}{
		{[4]float32{8, 8, 8, 8}, 100},
		{[4]float32{8, 8, 8, -8}, 100},
		{[4]float32{8, 8, -8, -8}, 0},
		{[4]float32{0, 8, 8, 8}, 100},
		{[4]float32{0, 0, 8, 8}, Unknown},
		{[4]float32{-8, 0, 0, 0}, Unknown},
		{[4]float32{-8, -8, 0, 0}, 0},
		{[4]float32{8, 1, 8, 1}, 73},
	} {
		c := newCones(t, 0.01)
		must(t, c.odds.cover(area{-3, -3, 2, 2}))
		for i, v := range q.quarters {
			c.odds.cells[(-4+i/2-c.odds.area.row)*c.odds.area.width-4+i%2-c.odds.area.column] = v
		}
		m, err := c.Map()
		must(t, err)
		if got := m.At(m.Cell(-0.015, -0.015)); got != q.want {
			t.Errorf("%v: %d, want %d", q.quarters, got, q.want)
		}
	}
}

// A line, as of a lidar, makes the same map as in a LogOdds, whatever the cells' size, and so does a cone where cells
// are larger than things are thick, but for what is said of it from afar.
func TestLinesFillCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resolution := rapid.SampledFrom([]float64{0.005, 0.01, 0.016, 0.02, 0.05}).Draw(t, "resolution")
		cones, err := NewConeGrid(resolution)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := NewLogOdds(resolution, Model{Before: 0.004})
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 12).Draw(t, "n") {
			b := Beam{
				From: Pose{
					rapid.Float64Range(-0.4, 0.4).Draw(t, "x"), rapid.Float64Range(-0.4, 0.4).Draw(t, "y"), rapid.Float64Range(-7, 7).Draw(t, "theta"),
				},
				Range: rapid.Float64Range(0.05, 0.5).Draw(t, "range"), Max: 0.4,
			}
			if err := errors.Join(cones.Add(b), plain.Add(b)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := cones.Map()
		if err != nil {
			t.Fatal(err)
		}
		want, err := plain.Map()
		if err != nil {
			t.Fatal(err)
		}
		if cells := got.In(want.Frame).Cells; !slices.Equal(cells, want.Cells) {
			t.Fatal(cmp.Diff(want.Cells, cells))
		}
	})
}

// What no sensor gives and what is too far away changes nothing.
func TestConesRefuse(t *testing.T) {
	c := newCones(t, 0.01)
	if _, err := c.Map(); !errors.Is(err, ErrSize) {
		t.Errorf("an empty map: %v", err)
	}
	must(t, c.Add(tof(0, 0.5)))
	before, err := c.Map()
	must(t, err)
	far := tof(1e5, 0.5)
	if err := c.Add(far); !errors.Is(err, ErrSize) {
		t.Errorf("far away: %v", err)
	}
	if err := c.Add(Beam{Range: math.NaN(), Max: 1}); !errors.Is(err, errBeam) {
		t.Errorf("not a number: %v", err)
	}
	after, err := c.Map()
	must(t, err)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	if _, err := NewConeGrid(0); !errors.Is(err, ErrSize) {
		t.Errorf("cells of no size: %v", err)
	}
}

// The cells of a robot's footprint are free, in cells of any size.
func TestConesClear(t *testing.T) {
	for _, resolution := range []float64{0.01, 0.05} {
		c := newCones(t, resolution)
		for range 5 {
			must(t, c.Add(tof(0, 0.08)))
		}
		c.Clear(0.09, 0, 0.0355)
		m, err := c.Map()
		must(t, err)
		if v := m.At(m.Cell(0.09, 0.005)); v != 0 {
			t.Errorf("cells of %v m: %d %% under the robot", resolution, v)
		}
	}
}
