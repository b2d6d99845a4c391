// SPDX-License-Identifier: Apache-2.0

package groundtruth

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// edge is the line width of a board's outline, m.
const edge = 0.002

// board draws the outline of a chessboard's paper and its black squares, as lines, which are visible from the side
// and from above at any orientation.
func (d *drawing) board(b *world.Board) {
	at := boardPlane(b)
	cols, rows := float64(b.Corners[0]), float64(b.Corners[1])
	rim := d.add("boards", visualization_msgs.MarkerLineStrip, rgb(90, 90, 90))
	rim.Scale.X = edge
	for _, c := range [][2]float64{{-2, -2}, {cols + 1, -2}, {cols + 1, rows + 1}, {-2, rows + 1}, {-2, -2}} {
		rim.Points = append(rim.Points, at(c[0], c[1]))
	}
	squares := d.add("boards", visualization_msgs.MarkerLineList, rgb(20, 20, 20))
	squares.Scale.X = b.Square
	for row := -1; row < b.Corners[1]; row++ {
		for col := -1; col < b.Corners[0]; col++ {
			if (col+row)%2 == 0 {
				x, y := float64(col), float64(row)+0.5
				squares.Points = append(squares.Points, at(x, y), at(x+1, y))
			}
		}
	}
}

// boardPlane returns the function from positions on a board to the world. Positions are in squares from its upper
// left inner corner, to the right and down as seen by a viewer.
func boardPlane(b *world.Board) func(col, row float64) geometry_msgs.Point {
	ys, yc := math.Sincos(b.Yaw)
	ts, tc := math.Sincos(b.Tilt)
	rs, rc := math.Sincos(b.Roll)
	across, along := [3]float64{-ys, yc, 0}, [3]float64{yc * ts, ys * ts, -tc}
	left, low := float64(b.Corners[0]-1)/2, float64(b.Corners[1]-1)/2
	return func(col, row float64) geometry_msgs.Point {
		right, down := (col-left)*b.Square, (row-low)*b.Square
		var p [3]float64
		for k := range p {
			p[k] = b.Position[k] + right*(rc*across[k]+rs*along[k]) + down*(rc*along[k]-rs*across[k])
		}
		return geometry_msgs.Point{X: p[0], Y: p[1], Z: p[2]}
	}
}
