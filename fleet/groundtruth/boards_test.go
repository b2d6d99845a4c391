// SPDX-License-Identifier: Apache-2.0

package groundtruth_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestBoards: a chessboard's rim and black squares are where the camera sees them.
func TestBoards(t *testing.T) {
	for name, c := range map[string]struct {
		yaw, tilt, roll float64
		first           geometry_msgs.Point // the upper left of the paper
	}{
		"upright":     {0, 0, 0, geometry_msgs.Point{X: 1, Y: 1.97, Z: 0.125}}, // its face looks east: left is south
		"west":        {math.Pi, 0, 0, geometry_msgs.Point{X: 1, Y: 2.03, Z: 0.125}},
		"on its back": {0, math.Pi / 2, 0, geometry_msgs.Point{X: 0.975, Y: 1.97, Z: 0.1}},
		"on its side": {0, 0, math.Pi / 2, geometry_msgs.Point{X: 1, Y: 2.025, Z: 0.13}},
	} {
		b := world.Board{Position: world.Point3{1, 2, 0.1}, Yaw: c.yaw, Tilt: c.tilt, Roll: c.roll, Corners: world.Corners{3, 2}, Square: 0.01}
		m := groundtruth.Markers(&world.World{Boards: []world.Board{b}}).Markers
		if len(m) != 2 || m[0].NS != "boards" || len(m[0].Points) != 5 || len(m[1].Points) != 2*6 || m[1].Scale.X != 0.01 {
			t.Fatalf("%s: %+v", name, m)
		}
		if d := distance(m[0].Points[0], c.first); d > 1e-9 {
			t.Errorf("%s: the paper begins at %+v, want %+v", name, m[0].Points[0], c.first)
		}
		for i := 0; i < len(m[1].Points); i += 2 {
			if d := distance(m[1].Points[i], m[1].Points[i+1]); math.Abs(d-0.01) > 1e-9 {
				t.Errorf("%s: a square of %g m", name, d)
			}
		}
	}
}

func distance(a, b geometry_msgs.Point) float64 {
	return math.Hypot(math.Hypot(a.X-b.X, a.Y-b.Y), a.Z-b.Z)
}
