// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"fmt"
	"math"
)

// Pose is a position, m, and a heading, rad, in the frame of the map.
type Pose struct{ X, Y, Theta float64 }

// Plus returns the pose in p's frame of something at pose q relative to p.
func (p Pose) Plus(q Pose) Pose {
	s, c := math.Sincos(p.Theta)
	return Pose{p.X + c*q.X - s*q.Y, p.Y + s*q.X + c*q.Y, p.Theta + q.Theta}
}

// Beam is one reading of a distance sensor.
type Beam struct {
	// From is the sensor's pose in the map; its axis is along Theta.
	From Pose
	// HalfAngle is half the opening angle of its cone, rad, at most π/2; 0 is a line, as of a lidar.
	HalfAngle float64
	// Range is the measured distance, m; +Inf if nothing was detected up to Max (REP 117).
	Range float64
	// Max is the longest distance that the sensor measures, m.
	Max float64
}

// maxReach is the longest range of a sensor, m.
const maxReach = 1000

// check returns an error that matches errBeam for values that no sensor measures. Readings that are not numbers must
// be left out by the caller.
func (b *Beam) check() error {
	switch {
	case !finite(b.From.X) || !finite(b.From.Y) || !finite(b.From.Theta):
		return fmt.Errorf("%w: from (%v, %v, %v)", errBeam, b.From.X, b.From.Y, b.From.Theta)
	case math.Abs(b.From.X) > 1e6 || math.Abs(b.From.Y) > 1e6:
		return fmt.Errorf("%w: from (%v, %v), farther than 1000 km", errBeam, b.From.X, b.From.Y)
	case !(b.HalfAngle >= 0 && b.HalfAngle <= math.Pi/2):
		return fmt.Errorf("%w: half angle %v", errBeam, b.HalfAngle)
	case !(b.Max > 0 && b.Max <= maxReach):
		return fmt.Errorf("%w: longest range %v m", errBeam, b.Max)
	case !(b.Range > 0):
		return fmt.Errorf("%w: range %v m", errBeam, b.Range)
	}
	return nil
}

// hit reports whether something was detected.
func (b *Beam) hit() bool { return b.Range <= b.Max }

// box returns the corners of the bounding box of the cone up to a distance, m.
func (b *Beam) box(reach float64) (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = b.From.X, b.From.Y, b.From.X, b.From.Y
	add := func(angle float64) {
		s, c := math.Sincos(angle)
		x, y := b.From.X+reach*c, b.From.Y+reach*s
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	from, to := b.From.Theta-b.HalfAngle, b.From.Theta+b.HalfAngle
	add(from)
	add(to)
	for k := math.Ceil(from / (math.Pi / 2)); k*math.Pi/2 < to; k++ { // where the arc has its extremes
		add(k * math.Pi / 2)
	}
	return x0, y0, x1, y1
}
