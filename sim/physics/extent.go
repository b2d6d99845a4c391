// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Extent returns the south-west and the north-east corner of all that is on the floor, m, and whether there is
// anything; beyond it the floor is bare.
func (f *Floor) Extent() (low, high geom.Vec, painted bool) {
	low, high = geom.Vec{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	add := func(a, b geom.Vec) {
		low.X, low.Y = math.Min(low.X, a.X), math.Min(low.Y, a.Y)
		high.X, high.Y = math.Max(high.X, b.X), math.Max(high.Y, b.Y)
		painted = true
	}
	if p := f.Picture; p != nil {
		size := geom.Vec{X: float64(p.Columns), Y: float64(p.Rows)}
		add(p.Origin, p.Origin.Add(size.Scale(p.Cell)))
	}
	for i := range f.Patches {
		p := &f.Patches[i]
		around := geom.Vec{X: p.size, Y: p.size}
		switch p.kind {
		case stripe:
			add(p.a.Sub(around), p.a.Add(around))
			add(p.b.Sub(around), p.b.Add(around))
		case ring:
			add(p.a.Sub(around), p.a.Add(around))
		case checker:
			add(p.a, p.a.Add(p.b))
		}
	}
	return low, high, painted
}
