// SPDX-License-Identifier: Apache-2.0

package lanes

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// measure notes how far along the shape its points are.
func (l *Lane) measure() {
	sum := 0.0
	for i, p := range l.Shape {
		if i > 0 {
			sum += p.Sub(l.Shape[i-1]).Norm()
		}
		l.along = append(l.along, sum)
	}
}

// drawn is how long the shape is, m. The lane's length may differ: positions on it are scaled.
func (l *Lane) drawn() float64 { return l.along[len(l.along)-1] }

// At returns the point at a position on the lane, m from its beginning, and the direction there. Positions beyond the
// ends are on the straight lines that continue the lane.
func (l *Lane) At(pos float64) (p, direction geom.Vec) {
	way := float64(pos * l.drawn() / l.Length)
	last := len(l.Shape) - 2
	for i := range l.Shape[1:] {
		length := l.along[i+1] - l.along[i]
		if length <= 0 || way > l.along[i+1] && i < last && l.along[last+1] > l.along[i+1] {
			continue
		}
		direction = l.Shape[i+1].Sub(l.Shape[i]).Scale(1 / length)
		return l.Shape[i].Add(direction.Scale(way - l.along[i])), direction
	}
	return l.Shape[0], geom.Vec{X: 1}
}

// Project returns the position on the lane that is nearest to a point, and how far the point is to the left of the lane
// there, m. A position may be beyond the ends: then it is on the straight lines that continue the lane.
func (l *Lane) Project(p geom.Vec) (pos, left float64) {
	nearest, scale := math.Inf(1), l.Length/l.drawn()
	for i := range l.Shape[1:] {
		length := l.along[i+1] - l.along[i]
		if length <= 0 {
			continue
		}
		direction := l.Shape[i+1].Sub(l.Shape[i]).Scale(1 / length)
		v := p.Sub(l.Shape[i]).Unrotate(direction)
		way := max(0, min(length, v.X))
		if i == 0 {
			way = min(length, v.X)
		}
		if l.along[i+1] == l.drawn() {
			way = max(way, v.X)
		}
		d := geom.Vec{X: v.X - way, Y: v.Y}.Norm()
		if d < nearest {
			nearest, pos, left = d, float64((l.along[i]+way)*scale), math.Copysign(d, v.Y)
		}
	}
	return pos, left
}

// Nearest returns the lane that is nearest to a point, the position on it and how far it is, m. Only lanes that fit are
// looked at; of equal ones it is the first by name, and nil if none fits.
func (n *Net) Nearest(p geom.Vec, fits func(l *Lane) bool) (lane *Lane, pos, distance float64) {
	distance = math.Inf(1)
	for _, l := range n.Lanes {
		if !fits(l) {
			continue
		}
		at, _ := l.Project(p)
		at = max(0, min(l.Length, at))
		q, _ := l.At(at)
		if d := q.Sub(p).Norm(); d < distance {
			lane, pos, distance = l, at, d
		}
	}
	return lane, pos, distance
}

// Spots returns places for robots on the lanes, each of them so far from the next one, m, and facing along its lane: as
// many as are asked for, if there is space for them. Lane by lane they are taken in turns.
func (n *Net) Spots(number int, pitch float64) (spots []geom.Pose) {
	for row := 0; len(spots) < number; row++ {
		before := len(spots)
		for _, l := range n.Lanes {
			pos := float64((float64(row) + 0.5) * pitch)
			if l.Edge.Internal || pos > l.Length-float64(pitch/2) || len(spots) == number {
				continue
			}
			p, d := l.At(pos)
			spots = append(spots, geom.Pose{X: p.X, Y: p.Y, Theta: math.Atan2(d.Y, d.X)})
		}
		if len(spots) == before {
			break
		}
	}
	return spots
}
