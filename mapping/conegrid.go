// SPDX-License-Identifier: Apache-2.0

package mapping

import "math"

// ConeGrid builds a map from readings of sensors with wide cones, such as the e-puck2's time-of-flight sensor (25°).
// It is a [LogOdds] of cells with half the edge, with two extensions:
//
//   - The wider the cone is at a cell, the less evidence a reading has about that cell: readings from a short distance
//     count more.
//   - Such a sensor measures the mean of everything in its cone, so it sees the wall behind a column that fills only
//     part of the cone. A reading beyond an obstacle in the map is no evidence against that obstacle if it is what the
//     map predicts: then each ray of the cone ends at the first obstacle in the map. On this limitation of maps whose
//     cells are independent see Thrun, "Learning occupancy grid maps with forward sensor models" (2003).
//
// Lines, as of a lidar, are integrated as by a LogOdds. It is not safe for concurrent use.
type ConeGrid struct {
	odds  *LogOdds
	parts int // number of LogOdds cells per edge of a cell
}

const (
	// fullWidth is the width of the cone, m, up to which a reading has its full evidence about a cell; beyond, the
	// evidence is inversely proportional to the width. It is the width of a time-of-flight sensor's cone at 10 cm.
	fullWidth = 0.044
	// rays is the number of rays by which a reading is predicted.
	rays = 9
	// edgeWeight is the weight of the outermost rays relative to the central one: emitter and receiver of a
	// time-of-flight sensor are both weaker there.
	edgeWeight = 0.2
	// minGap is the least distance of an obstacle before the reading, m, at which the sensor may have seen past it.
	// Smaller differences are noise of the reading.
	minGap = 0.04
	// predictedWeight is the evidence of the map's own prediction, relative to that of a detection.
	predictedWeight = 0.3
)

// NewConeGrid returns an empty map with cells of an edge of resolution metres. Its size is limited to a quarter of
// [MaxCells]: 20 m by 20 m with cells of 1 cm. The error matches [ErrSize].
func NewConeGrid(resolution float64) (*ConeGrid, error) {
	model := Model{Core: 0.5, Before: 0.004}.withDefaults()
	parts := 2
	if resolution > model.Behind {
		parts = 1 // three quarters of a cell would be thicker than the obstacles
	}
	odds, err := NewLogOdds(resolution/float64(parts), model)
	if err != nil {
		return nil, err
	}
	odds.fullWidth = fullWidth
	return &ConeGrid{odds, parts}, nil
}

// Add adds a reading. It fails, and adds nothing, if a field of the beam is out of range (From, HalfAngle, Max or
// Range: the error names it with its value), or with [ErrSize] if the map would grow too large.
func (c *ConeGrid) Add(b Beam) error {
	if err := b.check(); err != nil {
		return err
	}
	c.odds.block = 1
	if 2*b.HalfAngle*min(b.Range, b.Max) < c.odds.resolution*float64(c.parts) {
		c.odds.block = c.parts // a cone narrower than a cell would not fill three quarters of it
	}
	ends, predicted := c.predict(&b)
	if !predicted {
		return c.odds.Add(b)
	}
	end := b.Range
	for i, e := range ends {
		if math.IsInf(e, 1) {
			ends[i] = b.Range // no obstacle in the map along this ray
		}
		end = max(end, ends[i])
	}
	return c.odds.apply(&b, end+c.odds.model.Behind, func(ahead, aside float64) float64 {
		angle := math.Atan2(aside, ahead)
		if math.Abs(angle) >= b.HalfAngle {
			return 0
		}
		end := ends[int(math.Round((angle/b.HalfAngle+1)/2*(rays-1)))]
		return c.odds.along(&b, math.Hypot(ahead, aside), math.Abs(angle), end, b.HalfAngle, predictedWeight)
	})
}

// predict casts the rays of a reading in the current map and returns where each ends, m. predicted reports whether
// the map predicts the reading although an obstacle in the map is nearer.
func (c *ConeGrid) predict(b *Beam) (ends [rays]float64, predicted bool) {
	if !b.hit() || 2*b.HalfAngle*b.Range < fullWidth {
		return ends, false
	}
	intensity, sum, past := 0.0, 0.0, false
	for i := range ends {
		off := 2*float64(i)/(rays-1) - 1
		ends[i] = c.cast(b, b.From.Theta+off*b.HalfAngle)
		if math.IsInf(ends[i], 1) {
			continue
		}
		reflected := (1 - (1-edgeWeight)*off*off) / (ends[i] * ends[i]) // relative intensity at the receiver
		intensity += reflected
		sum += reflected * ends[i]
		past = past || ends[i] < b.Range-minGap
	}
	return ends, past && math.Abs(sum/intensity-b.Range) < 0.01+0.05*b.Range
}

// cast returns the distance to the first occupied cell along a ray, m; +Inf if there is none up to the longest range.
func (c *ConeGrid) cast(b *Beam, heading float64) float64 {
	s, cos := math.Sincos(heading)
	step := c.odds.resolution
	for d := step; d <= b.Max; d += step {
		if c.odds.evidenceAt(b.From.X+d*cos, b.From.Y+d*s) >= c.odds.model.Known {
			return d
		}
	}
	return math.Inf(1)
}

// Clear marks the footprint of a robot of a radius at a position as free, m; see [LogOdds.Clear].
func (c *ConeGrid) Clear(x, y, radius float64) { c.odds.Clear(x, y, radius) }

// Map returns the current map; see [LogOdds.Map]. With cells finer than the thickness of obstacles, a cell is
// occupied if three of its four quarters are, and free if two are.
func (c *ConeGrid) Map() (*Map, error) {
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
