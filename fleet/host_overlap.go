// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// overlap returns the function that reports whether an entity, which is on the floor, overlaps with bounds.
func overlap(b *si.Bounds) (func(*entity) bool, *refusal) {
	for _, p := range b.Points {
		if !(math.Abs(p.X) < 1e9 && math.Abs(p.Y) < 1e9 && math.Abs(p.Z) < 1e9) {
			return nil, refuse(si.ResultOperationFailed, "bounds with the point (%g, %g, %g)", p.X, p.Y, p.Z)
		}
	}
	switch {
	case b.Type == si.BoundsTypeEmpty:
		return func(*entity) bool { return true }, nil
	case b.Type == si.BoundsTypeSphere && len(b.Points) == 2:
		return func(e *entity) bool { return inSphere(e, b.Points[0], b.Points[1].X) }, nil
	case b.Type == si.BoundsTypeBox && len(b.Points) == 2:
		return func(e *entity) bool { return inBox(e, b.Points[0], b.Points[1]) }, nil
	case b.Type > si.BoundsTypeSphere || b.Type == si.BoundsTypeConvexHull:
		return nil, refuse(si.ResultFeatureUnsupported, "bounds of type %d: only spheres (%d) and boxes (%d) are supported", b.Type, si.BoundsTypeSphere, si.BoundsTypeBox)
	}
	return nil, refuse(si.ResultOperationFailed, "%d points for bounds of type %d, must be 2", len(b.Points), b.Type)
}

// inSphere reports whether an entity overlaps with a sphere: the sphere's section at the nearest height of the entity
// is a disc.
func inSphere(e *entity, c geometry_msgs.Vector3, radius float64) bool {
	above := max(0, c.Z-e.shape.Height(), -c.Z)
	left := float64(radius*radius) - float64(above*above)
	if left < 0 || radius < 0 {
		return false
	}
	_, hit := e.shape.Push(geom.Vec{X: c.X, Y: c.Y}, math.Sqrt(left))
	return hit
}

// inBox reports whether an entity overlaps with an axis-aligned box, by the separating axis theorem.
func inBox(e *entity, upper, lower geometry_msgs.Vector3) bool {
	if upper.Z < 0 || lower.Z > e.shape.Height() {
		return false
	}
	corners := []geom.Vec{{X: lower.X, Y: lower.Y}, {X: upper.X, Y: lower.Y}, {X: upper.X, Y: upper.Y}, {X: lower.X, Y: upper.Y}}
	if e.shape.Kind() == geom.Disc {
		at := e.shape.Center()
		nearest := geom.Vec{X: min(max(at.X, lower.X), upper.X), Y: min(max(at.Y, lower.Y), upper.Y)}
		return nearest.Sub(at).Norm() <= e.shape.Reach()
	}
	outline := e.shape.Outline(discSides)
	turned := geom.Direction(e.shape.Yaw())
	for _, axis := range []geom.Vec{{X: 1}, {Y: 1}, turned, {X: -turned.Y, Y: turned.X}} {
		a0, a1 := extent(corners, axis)
		b0, b1 := extent(outline, axis)
		if a1 < b0 || b1 < a0 {
			return false
		}
	}
	return true
}

// extent returns the range of points along an axis.
func extent(points []geom.Vec, axis geom.Vec) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		d := p.Dot(axis)
		from, to = min(from, d), max(to, d)
	}
	return from, to
}
