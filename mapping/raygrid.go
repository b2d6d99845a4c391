// SPDX-License-Identifier: Apache-2.0

package mapping

// RayGrid builds a map with the method of the e-puck's ROS 2 thesis, as webots_ros2_epuck's simple_mapper does: a map
// of fixed size; the cells on the line to a reading become free, the one at its end occupied, and the last reading
// wins. Readings beyond the map are ignored, where the original fails. It is not safe for concurrent use.
type RayGrid struct {
	m     *Map
	shift int
}

// RayGridFrame returns the frame of the original's map: 3 m by 3 m around the start with cells of 1 cm.
func RayGridFrame() Frame { return Frame{Resolution: 0.01, X: -1.5, Y: -1.5, Width: 300, Height: 300} }

// NewRayGrid returns an empty map. With shifted, cells are one column too far to the right, as in the original, which
// rounds negative numbers towards zero; figures of the thesis are comparable only with it. The error matches
// [ErrSize].
func NewRayGrid(f Frame, shifted bool) (*RayGrid, error) {
	m, err := NewMap(f)
	if err != nil {
		return nil, err
	}
	s := &RayGrid{m: m}
	if shifted {
		s.shift = 1
	}
	return s, nil
}

// Add adds a reading; a reading without a detection has no effect. It fails if a field of the beam is out of range
// (From, HalfAngle, Max or Range); the error names it with its value.
func (s *RayGrid) Add(b Beam) error {
	if err := b.check(); err != nil {
		return err
	}
	if !b.hit() {
		return nil
	}
	end := b.From.Plus(Pose{X: b.Range})
	c0, r0 := s.m.Cell(b.From.X, b.From.Y)
	c1, r1 := s.m.Cell(end.X, end.Y)
	if !s.m.Contains(c0, r0) || !s.m.Contains(c1, r1) {
		return nil
	}
	line(c0, r0, c1, r1, func(column, row int) { s.m.set(column+s.shift, row, Free) })
	s.m.set(c1+s.shift, r1, Occupied)
	return nil
}

// Map returns a copy of the current map.
func (s *RayGrid) Map() (*Map, error) { return s.m.Clone(), nil }

// line calls visit for the cells of a line, both ends included (Bresenham 1965).
func line(c0, r0, c1, r1 int, visit func(column, row int)) {
	dc, sc := distance(c0, c1)
	dr, sr := distance(r0, r1)
	rest := dc - dr
	for {
		visit(c0, r0)
		if c0 == c1 && r0 == r1 {
			return
		}
		twice := 2 * rest
		if twice > -dr {
			rest -= dr
			c0 += sc
		}
		if twice < dc {
			rest += dc
			r0 += sr
		}
	}
}

// distance returns the absolute difference of a and b, and the step from a towards b.
func distance(a, b int) (d, step int) {
	if b < a {
		return a - b, -1
	}
	return b - a, 1
}
