// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

func TestExtent(t *testing.T) {
	if _, _, painted := (&physics.Floor{Bare: 0.5}).Extent(); painted {
		t.Error("a bare floor is painted")
	}
	for what, c := range map[string]struct {
		floor     physics.Floor
		low, high geom.Vec
	}{
		"picture": {physics.Floor{Picture: &physics.Picture{Columns: 4, Rows: 2, Cell: 0.25, Origin: geom.Vec{X: -1}, Cells: make([]byte, 8)}},
			geom.Vec{X: -1}, geom.Vec{X: 0, Y: 0.5}},
		"stripe":  {paint(physics.NewStripe(geom.Vec{X: 1}, geom.Vec{Y: 2}, 0.5, 0)), geom.Vec{X: -0.25, Y: -0.25}, geom.Vec{X: 1.25, Y: 2.25}},
		"ring":    {paint(physics.NewRing(geom.Vec{X: 1}, 1, 0.5, 0)), geom.Vec{X: -0.25, Y: -1.25}, geom.Vec{X: 2.25, Y: 1.25}},
		"disc":    {paint(physics.NewRing(geom.Vec{}, 1, 0, 0)), geom.Vec{X: -1, Y: -1}, geom.Vec{X: 1, Y: 1}},
		"checker": {paint(physics.NewChecker(geom.Vec{X: 1}, geom.Vec{X: 2, Y: 1}, 0.1, 0)), geom.Vec{Y: -0.5}, geom.Vec{X: 2, Y: 0.5}},
		"both": {paint(physics.NewRing(geom.Vec{}, 1, 0, 0), physics.NewChecker(geom.Vec{X: 1}, geom.Vec{X: 2, Y: 1}, 0.1, 0)),
			geom.Vec{X: -1, Y: -1}, geom.Vec{X: 2, Y: 1}},
	} {
		low, high, painted := c.floor.Extent()
		if !painted || low != c.low || high != c.high {
			t.Errorf("%s: %v %v %v, want %v %v", what, low, high, painted, c.low, c.high)
		}
		for _, p := range []geom.Vec{low.Sub(geom.Vec{X: 0.01}), high.Add(geom.Vec{Y: 0.01})} {
			if v := c.floor.At(p); v != c.floor.Bare {
				t.Errorf("%s: %v beyond it at %v", what, v, p)
			}
		}
	}
}

func paint(p ...physics.Patch) physics.Floor { return physics.Floor{Bare: 1, Patches: p} }
