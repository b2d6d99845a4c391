// SPDX-License-Identifier: Apache-2.0

package node

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// TestOnlyWalls: obstacles stay where they are, free cells are unknown, and the map in the making keeps both.
func TestOnlyWalls(t *testing.T) {
	full, err := mapping.NewLogOdds(0.01, mapping.Model{})
	must(t, err)
	bare := OnlyWalls(full)
	if _, err := bare.Map(); err == nil {
		t.Error("there is a map before the first reading")
	}
	for range 5 {
		must(t, bare.Add(mapping.Beam{Range: 0.2, Max: 1, HalfAngle: 0.05}))
	}
	before, err := full.Map()
	must(t, err)
	before = before.Clone()
	got, err := bare.Map()
	must(t, err)
	var walls, free int
	for i, v := range before.Cells {
		switch {
		case v >= occupiedFrom:
			walls++
			if got.Cells[i] != v {
				t.Fatalf("an obstacle of %d %% became %d", v, got.Cells[i])
			}
		case got.Cells[i] != mapping.Unknown:
			t.Fatalf("a cell of %d %% is %d, want unknown", v, got.Cells[i])
		case v >= 0:
			free++
		}
	}
	if walls == 0 || free == 0 {
		t.Errorf("%d obstacles, %d free cells: nothing was tried", walls, free)
	}
	after, err := full.Map()
	must(t, err)
	for i, v := range before.Cells {
		if after.Cells[i] != v {
			t.Fatal("the map in the making was changed")
		}
	}
	if _, err := OnlyWalls(failing{}).Map(); !errors.Is(err, errNone) {
		t.Errorf("%v, want the map's own error", err)
	}
}

// TestOnlyWallsClears: what the robot's body covers is no wall; a map that does not learn from that is left alone.
func TestOnlyWallsClears(t *testing.T) {
	full, err := mapping.NewLogOdds(0.01, mapping.Model{})
	must(t, err)
	bare, ok := OnlyWalls(full).(Clearer)
	if !ok {
		t.Fatal("it does not receive the robot's pose")
	}
	for range 5 {
		must(t, full.Add(mapping.Beam{Range: 0.2, Max: 1, HalfAngle: 0.05}))
	}
	count := func() (n int) {
		m, err := OnlyWalls(full).Map()
		must(t, err)
		for _, v := range m.Cells {
			if v >= occupiedFrom {
				n++
			}
		}
		return n
	}
	before := count()
	bare.Clear(0.2, 0, 0.05)
	if after := count(); before == 0 || after != 0 {
		t.Errorf("%d cells of walls, then %d", before, after)
	}
	OnlyWalls(failing{}).(Clearer).Clear(0, 0, 1)
}

var errNone = errors.New("none")

type failing struct{}

func (failing) Add(mapping.Beam) error     { return nil }
func (failing) Map() (*mapping.Map, error) { return nil, errNone }
