// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newLogOdds(t testing.TB, m Model) *LogOdds {
	t.Helper()
	l, err := NewLogOdds(0.01, m)
	must(t, err)
	return l
}

// A line of sight, as of a lidar: free up to the reading, occupied as thick as the model says, unknown to both sides
// and behind.
func TestLine(t *testing.T) {
	l := newLogOdds(t, Model{Behind: 0.02})
	for range 5 {
		must(t, l.Add(Beam{From: Pose{X: 0.005, Y: 0.005}, Range: 0.05, Max: 1}))
	}
	m, err := l.Map()
	must(t, err)
	c, r := m.Cell(0.005, 0.005)
	want := []string{"         ", " ....### ", "         "}
	if diff := cmp.Diff(want, rows(m, c, r-1, 9, 3)); diff != "" {
		t.Error(diff)
	}
}

// Where the robot's body is there is nothing else, whatever readings said; cells outside the map stay unknown.
func TestClear(t *testing.T) {
	l := newLogOdds(t, Model{})
	l.Clear(0, 0, 0.03) // no map yet: nothing
	if _, err := l.Map(); !errors.Is(err, ErrSize) {
		t.Errorf("a map of nothing: %v", err)
	}
	for range 20 {
		must(t, l.Add(Beam{From: Pose{X: -0.095, Y: 0.005}, HalfAngle: 0.3, Range: 0.1, Max: 0.2}))
	}
	before, err := l.Map()
	must(t, err)
	c, r := before.Cell(0.005, 0.005)
	if v := before.At(c, r); v < 90 {
		t.Fatalf("the thing that was seen is %d %% occupied", v)
	}
	for _, bad := range []struct{ x, y, radius float64 }{{math.NaN(), 0, 1}, {0, math.Inf(1), 1}, {0, 0, 0}, {0, 0, -1}, {0, 0, math.NaN()}, {50, 50, 1}} {
		l.Clear(bad.x, bad.y, bad.radius)
	}
	same, err := l.Map()
	must(t, err)
	if diff := cmp.Diff(before, same); diff != "" {
		t.Errorf("impossible bodies changed the map: %s", diff)
	}
	l.Clear(0.005, 0.005, 0.015) // the adjacent cells in part, those beyond not
	after, err := l.Map()
	must(t, err)
	if after.Width != before.Width || after.Height != before.Height {
		t.Error("it has grown")
	}
	for row := range after.Height {
		for column := range after.Width {
			was, is := before.At(column, row), after.At(column, row)
			if d := math.Hypot(float64(column-c), float64(row-r)); d <= 2 && is != 0 || d > 2 && is != was {
				t.Errorf("a cell %.1f cells away was %d %% and is %d", d, was, is)
			}
		}
	}
}

// In a cone the middle counts more than the edge, and the detected thing is in the middle.
func TestCone(t *testing.T) {
	l := newLogOdds(t, Model{})
	must(t, l.Add(Beam{From: Pose{X: 0.005, Y: 0.005}, HalfAngle: 0.3, Range: 0.3, Max: 1}))
	at := func(x, y float64) float64 {
		return l.cell(int(math.Floor(x/0.01)), int(math.Floor(y/0.01)))
	}
	if mid, side, out := at(0.2, 0.005), at(0.2, 0.045), at(0.2, 0.085); !(mid < side && side < 0 && out == 0) {
		t.Errorf("free: %v in the middle, %v aside, %v outside", mid, side, out)
	}
	if hit, side := at(0.308, 0.005), at(0.305, 0.065); !(hit > 0.8 && side == 0) {
		t.Errorf("occupied: %v in the middle, %v aside", hit, side)
	}
	if behind := at(0.35, 0.005); behind != 0 {
		t.Errorf("%v behind", behind)
	}
}

// Nothing seen is free up to a share of the longest range and says nothing of what is there.
func TestNothingSeen(t *testing.T) {
	l := newLogOdds(t, Model{})
	must(t, l.Add(Beam{From: Pose{X: 0.005, Y: 0.005}, HalfAngle: 0.2, Range: math.Inf(1), Max: 0.5}))
	m, err := l.Map()
	must(t, err)
	row := func(x float64) int8 { return m.At(m.Cell(x, 0.005)) }
	if row(0.44) == Unknown || row(0.44) > 50 || row(0.47) != Unknown {
		t.Errorf("%d at 0.44 m, %d at 0.47 m", row(0.44), row(0.47))
	}
}

// What was seen once and is gone is forgotten in time: the evidence is bounded.
func TestEvidenceIsBounded(t *testing.T) {
	l := newLogOdds(t, Model{})
	seen := Beam{From: Pose{X: 0.005, Y: 0.005}, Range: 0.2, Max: 1}
	gone := seen
	gone.Range = 0.6
	for range 1000 {
		must(t, l.Add(seen))
	}
	for range 100 {
		must(t, l.Add(gone))
	}
	m, err := l.Map()
	must(t, err)
	if v := m.At(m.Cell(0.205, 0.005)); v > 10 {
		t.Errorf("%d %% after it is gone", v)
	}
}

func TestImpossibleBeams(t *testing.T) {
	good := Beam{HalfAngle: 0.1, Range: 0.5, Max: 1}
	for name, bend := range map[string]func(*Beam){
		"x":       func(b *Beam) { b.From.X = math.NaN() },
		"far":     func(b *Beam) { b.From.Y = 1e12 },
		"heading": func(b *Beam) { b.From.Theta = math.Inf(1) },
		"angle":   func(b *Beam) { b.HalfAngle = 2 },
		"no max":  func(b *Beam) { b.Max = 0 },
		"max":     func(b *Beam) { b.Max = 1e9 },
		"range":   func(b *Beam) { b.Range = math.NaN() },
		"−Inf":    func(b *Beam) { b.Range = math.Inf(-1) },
		"zero":    func(b *Beam) { b.Range = 0 },
	} {
		b := good
		bend(&b)
		l := newLogOdds(t, Model{})
		if err := l.Add(b); !errors.Is(err, errBeam) || l.area != (area{}) {
			t.Errorf("%s: %v", name, err)
		}
		s, err := NewRayGrid(RayGridFrame(), false)
		must(t, err)
		if err := s.Add(b); !errors.Is(err, errBeam) {
			t.Errorf("%s, simple: %v", name, err)
		}
	}
}

// A reading from far away is refused and costs nothing, instead of all memory.
func TestMapGrowthIsBounded(t *testing.T) {
	l := newLogOdds(t, Model{})
	must(t, l.Add(Beam{Range: 0.5, Max: 1}))
	before := l.area
	if err := l.Add(Beam{From: Pose{X: 1e5, Y: 1e5}, Range: 0.5, Max: 1}); !errors.Is(err, ErrSize) {
		t.Errorf("%v", err)
	}
	if l.area != before {
		t.Errorf("%+v", l.area)
	}
}

// However a map grows, what was known stays where it was, and the order of readings does not matter while nothing
// saturates.
func TestGrowthMovesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float64Range(-2, 2)
		n := rapid.IntRange(1, 6).Draw(t, "n")
		beams := make([]Beam, n)
		for i := range beams {
			beams[i] = Beam{
				From:      Pose{coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), rapid.Float64Range(-7, 7).Draw(t, "theta")},
				HalfAngle: rapid.Float64Range(0, 1).Draw(t, "half"), Range: rapid.Float64Range(0.01, 1.2).Draw(t, "range"), Max: 1,
			}
		}
		maps := [2]*LogOdds{}
		for k := range maps {
			maps[k], _ = NewLogOdds(0.02, Model{})
			for i := range beams {
				b := beams[i]
				if k == 1 {
					b = beams[n-1-i]
				}
				if err := maps[k].Add(b); err != nil {
					t.Fatal(err)
				}
			}
		}
		one, other := maps[0], maps[1]
		for i, v := range one.cells {
			w := other.cell(one.area.column+i%one.area.width, one.area.row+i/one.area.width)
			if math.Abs(float64(v)-w) > 1e-4 {
				t.Fatalf("cell %d: %v and %v", i, v, w)
			}
		}
	})
}
