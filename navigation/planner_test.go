// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// drawMap gives a map with random obstacles.
func drawMap(t *rapid.T, width, height, most int) *mapping.Map {
	m, err := mapping.NewMap(mapping.Frame{Resolution: 0.01, X: -0.2, Y: 0.1, Width: width, Height: height})
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, most).Draw(t, "obstacles") {
		m.Cells[rapid.IntRange(0, len(m.Cells)-1).Draw(t, "cell")] = mapping.Occupied
	}
	return m
}

// The distance of every cell is that to the nearest obstacle of all.
func TestClearances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t, rapid.IntRange(1, 24).Draw(t, "width"), rapid.IntRange(1, 24).Draw(t, "height"), 8)
		c := clearancesOf(m.Frame, m, nil)
		for i := range m.Cells {
			want := math.Inf(1)
			for j, v := range m.Cells {
				if v == mapping.Occupied {
					dx, dy := i%m.Width-j%m.Width, i/m.Width-j/m.Width
					want = min(want, m.Resolution*math.Hypot(float64(dx), float64(dy)))
				}
			}
			if got := float64(c.distance[i]); got != want && math.Abs(got-want) > 1e-6 {
				t.Fatalf("cell %d: %v m, want %v", i, got, want)
			}
		}
	})
}

// TestPlan: a path keeps clear of all obstacles, ends at the goal, and is not longer than it must be; there is one
// wherever a search without costs finds one.
func TestPlan(t *testing.T) {
	p := Planner{}.withDefaults()
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t, 60, 60, 30)
		xy := rapid.Float64Range(0, 0.59)
		from := Pose{X: m.X + xy.Draw(t, "x"), Y: m.Y + xy.Draw(t, "y")}
		to := Goal{m.X + xy.Draw(t, "to x"), m.Y + xy.Draw(t, "to y"), 1}
		f, err := p.frame(from, to, []*mapping.Map{m})
		if err != nil {
			t.Fatal(err)
		}
		c := clearancesOf(f, m)
		start := c.at(from.X, from.Y)
		path, err := p.Plan(from, to, m)
		if err != nil {
			if c.at(to.X, to.Y) >= p.Radius && start >= p.Radius && reaches(c, p.Radius, from, to) {
				t.Fatal(err)
			}
			return
		}
		if path[len(path)-1] != to {
			t.Fatalf("it ends at %v, not %v", path[len(path)-1], to)
		}
		if direct := math.Hypot(to.X-from.X, to.Y-from.Y); length(from, path) < direct-1e-9 {
			t.Fatalf("%v m, and straight on it is %v m", length(from, path), direct)
		}
		x, y := from.X, from.Y
		for _, g := range path {
			if least := c.least(x, y, g.X, g.Y); least < min(p.Radius, start)-p.Resolution {
				t.Fatalf("the stretch to %v comes to %v m", g, least)
			}
			x, y = g.X, g.Y
		}
	})
}

// reaches searches any path over the cells, without costs.
func reaches(c *clearances, radius float64, from Pose, to Goal) bool {
	column, row := c.Cell(from.X, from.Y)
	goalColumn, goalRow := c.Cell(to.X, to.Y)
	seen := make([]bool, len(c.distance))
	for todo := [][2]int{{column, row}}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		if !c.Contains(at[0], at[1]) || seen[at[1]*c.Width+at[0]] || float64(c.distance[at[1]*c.Width+at[0]]) < radius {
			continue
		}
		if at == [2]int{goalColumn, goalRow} {
			return true
		}
		seen[at[1]*c.Width+at[0]] = true
		todo = append(todo, [2]int{at[0] + 1, at[1]}, [2]int{at[0] - 1, at[1]}, [2]int{at[0], at[1] + 1}, [2]int{at[0], at[1] - 1})
	}
	return false
}

func TestPlanRefuses(t *testing.T) {
	m, err := mapping.NewMap(mapping.Frame{Resolution: 0.01, Width: 30, Height: 30})
	if err != nil {
		t.Fatal(err)
	}
	m.Cells[15*30+15] = mapping.Occupied
	if _, err := (Planner{}).Plan(Pose{}, Goal{0.155, 0.155, 0}, m); !errors.Is(err, ErrOccupied) || !errors.Is(err, ErrNoPath) {
		t.Error(err)
	}
	if _, err := (Planner{}).Plan(Pose{}, Goal{1e6, 0, 0}, m); !errors.Is(err, mapping.ErrSize) {
		t.Error(err)
	}
	if path, err := (Planner{}).Plan(Pose{}, Goal{1e-4, 0, 0}); err != nil || len(path) != 1 {
		t.Errorf("%v, %v", path, err)
	}
}

// TestPathsAreStraight: among few obstacles a path has few corners.
func TestPathsAreStraight(t *testing.T) {
	path, err := Planner{}.Plan(Pose{}, Goal{1, 0.37, AnyHeading})
	if err != nil || len(path) != 1 {
		t.Errorf("%v, %v", path, err)
	}
}
