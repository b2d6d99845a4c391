// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The last reading wins, and a line may erase what another saw.
func TestSimple(t *testing.T) {
	s, err := NewRayGrid(Frame{Resolution: 0.01, X: -0.05, Y: -0.05, Width: 10, Height: 10}, false)
	must(t, err)
	must(t, s.Add(Beam{From: Pose{X: 0.005, Y: 0.005}, Range: 0.03, Max: 1}))
	must(t, s.Add(Beam{From: Pose{X: 0.005, Y: 0.005, Theta: math.Pi / 2}, Range: 0.03, Max: 1}))
	must(t, s.Add(Beam{From: Pose{X: 0.005, Y: 0.005}, Range: math.Inf(1), Max: 1}))
	must(t, s.Add(Beam{From: Pose{X: 0.005, Y: 0.005}, Range: 0.9, Max: 1})) // beyond the map
	m, _ := s.Map()
	want := []string{"#    ", ".    ", ".    ", "...# "}
	if diff := cmp.Diff(want, rows(m, 5, 5, 5, 4)); diff != "" {
		t.Error(diff)
	}
	must(t, s.Add(Beam{From: Pose{X: 0.005, Y: 0.005}, Range: 0.04, Max: 1}))
	m, _ = s.Map()
	if diff := cmp.Diff([]string{"....#"}, rows(m, 5, 5, 5, 1)); diff != "" {
		t.Error(diff)
	}
}

// The original's fault: one column too far to the right.
func TestSimpleShifted(t *testing.T) {
	s, err := NewRayGrid(Frame{Resolution: 0.01, Width: 10, Height: 10}, true)
	must(t, err)
	must(t, s.Add(Beam{From: Pose{X: 0.005, Y: 0.005}, Range: 0.03, Max: 1}))
	m, _ := s.Map()
	if diff := cmp.Diff([]string{" ...#"}, rows(m, 0, 0, 5, 1)); diff != "" {
		t.Error(diff)
	}
}

func TestLineCells(t *testing.T) {
	for _, c := range []struct {
		c0, r0, c1, r1 int
		want           [][2]int
	}{
		{0, 0, 0, 0, [][2]int{{0, 0}}},
		{0, 0, 3, 1, [][2]int{{0, 0}, {1, 0}, {2, 1}, {3, 1}}},
		{0, 0, -1, 3, [][2]int{{0, 0}, {0, 1}, {-1, 2}, {-1, 3}}},
		{2, 2, 0, 0, [][2]int{{2, 2}, {1, 1}, {0, 0}}},
	} {
		var got [][2]int
		line(c.c0, c.r0, c.c1, c.r1, func(x, y int) { got = append(got, [2]int{x, y}) })
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
	}
}
