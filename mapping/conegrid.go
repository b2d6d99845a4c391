// SPDX-License-Identifier: Apache-2.0

package mapping

import "math"

// Cones is a map in the making for sensors with wide cones, as the e-puck2's time-of-flight sensor (25°). It is a
// [LogOdds] of cells with half the edge, and two things more that such sensors want:
//
//   - The wider a cone is at a cell, the less a reading says about that cell: what was seen from near is surer.
//   - Such a sensor gives the mean of all that is in its cone, so it sees the wall behind a column that fills only
//     part of the cone. A reading from beyond a thing in the map does not show that the thing is gone if it is
//     what the map predicts: then each ray of the cone ends at what it meets in the map. Of this fault of maps that
//     judge cell by cell see Thrun, "Learning occupancy grid maps with forward sensor models" (2003).
//
// Lines, as of a lidar, are as in a LogOdds. It is not safe for concurrent use.
type Cones struct {
	odds  *LogOdds
	parts int // of a cell's edge
}

const (
	// sharp is up to which width of its cone a reading says all that it can about a cell, m; beyond, half as much at
	// twice the width. It is a time-of-flight sensor's cone at 10 cm.
	sharp = 0.044
	// rays is the number of rays by which a reading is predicted.
	rays = 9
	// edge is the weight of the outermost rays relative to the middle one: emitter and receiver of a time-of-flight
	// sensor are both weaker there.
	edge = 0.2
	// through is how far before the reading a thing must be to be one that the sensor may have looked past, m. Nearer
	// ones are the reading's own noise.
	through = 0.04
	// again is how much the map's own prediction counts as evidence, relative to a thing that was seen.
	again = 0.3
)

// NewCones returns an empty map with cells of an edge of resolution metres, a quarter of [MaxCells] at most: 20 m by
// 20 m with cells of 1 cm. The error matches [ErrSize].
func NewCones(resolution float64) (*Cones, error) {
	model := Model{Core: 0.5, Before: 0.004}.withDefaults()
	parts := 2
	if resolution > model.Behind {
		parts = 1 // three quarters of a cell would be more than things are thick
	}
	odds, err := NewLogOdds(resolution/float64(parts), model)
	if err != nil {
		return nil, err
	}
	odds.sharp = sharp
	return &Cones{odds, parts}, nil
}

// Add adds a reading. It fails, and adds nothing, if a field of the beam is out of range (From, HalfAngle, Max or
// Range: the error names it with its value), or with [ErrSize] if the map would grow too large.
func (c *Cones) Add(b Beam) error {
	if err := b.check(); err != nil {
		return err
	}
	c.odds.whole = 1
	if 2*b.HalfAngle*min(b.Range, b.Max) < c.odds.resolution*float64(c.parts) {
		c.odds.whole = c.parts // narrower than a cell, it would not fill three quarters of one
	}
	ends, predicted := c.predict(&b)
	if !predicted {
		return c.odds.Add(b)
	}
	end := b.Range
	for i, e := range ends {
		if math.IsInf(e, 1) {
			ends[i] = b.Range // the ray has met nothing that is known
		}
		end = max(end, ends[i])
	}
	return c.odds.apply(&b, end+c.odds.model.Behind, func(ahead, aside float64) float64 {
		angle := math.Atan2(aside, ahead)
		if math.Abs(angle) >= b.HalfAngle {
			return 0
		}
		end := ends[int(math.Round((angle/b.HalfAngle+1)/2*(rays-1)))]
		return c.odds.along(&b, math.Hypot(ahead, aside), math.Abs(angle), end, b.HalfAngle, again)
	})
}

// predict casts the rays of a reading in the map as it is, which gives where each ends, and reports whether the reading
// is what the map predicts although it is from beyond a thing in it.
func (c *Cones) predict(b *Beam) (ends [rays]float64, predicted bool) {
	if !b.hit() || 2*b.HalfAngle*b.Range < sharp {
		return ends, false
	}
	light, sum, past := 0.0, 0.0, false
	for i := range ends {
		off := 2*float64(i)/(rays-1) - 1
		ends[i] = c.cast(b, b.From.Theta+off*b.HalfAngle)
		if math.IsInf(ends[i], 1) {
			continue
		}
		back := (1 - (1-edge)*off*off) / (ends[i] * ends[i]) // the light that comes back
		light += back
		sum += back * ends[i]
		past = past || ends[i] < b.Range-through
	}
	return ends, past && math.Abs(sum/light-b.Range) < 0.01+0.05*b.Range
}

// cast gives how far it is to the first occupied cell along a ray, m; +Inf if there is none up to the longest range.
func (c *Cones) cast(b *Beam, heading float64) float64 {
	s, cos := math.Sincos(heading)
	step := c.odds.resolution
	for d := step; d <= b.Max; d += step {
		if c.odds.evidenceAt(b.From.X+d*cos, b.From.Y+d*s) >= c.odds.model.Known {
			return d
		}
	}
	return math.Inf(1)
}

// Clear records that a robot's body of a radius is at a place, m; see [LogOdds.Clear].
func (c *Cones) Clear(x, y, radius float64) { c.odds.Clear(x, y, radius) }

// Map gives the map as it is now; see [LogOdds.Map]. A cell is occupied if three of its four quarters are, and free if
// two are, where cells are finer than what is seen is thick.
func (c *Cones) Map() (*Map, error) {
	l := c.odds
	if c.parts == 1 {
		return l.Map()
	}
	a := area{column: floorDiv(l.area.column, 2), row: floorDiv(l.area.row, 2)}
	a.width = floorDiv(l.area.column+l.area.width+1, 2) - a.column
	a.height = floorDiv(l.area.row+l.area.height+1, 2) - a.row
	m, err := NewMap(a.frame(2 * l.resolution))
	if err != nil {
		return nil, err
	}
	for i := range m.Cells {
		column, row := 2*(a.column+i%a.width), 2*(a.row+i/a.width)
		least, second := math.Inf(1), math.Inf(1) // of the four
		for k := range 4 {
			e := l.cell(column+k%2, row+k/2)
			least, second = min(least, e), min(second, max(least, e))
		}
		m.Cells[i] = l.percent(second)
	}
	return m, nil
}
