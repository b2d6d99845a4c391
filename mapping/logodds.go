// SPDX-License-Identifier: Apache-2.0

package mapping

import "math"

// Model holds the parameters of the inverse sensor model: the evidence of a reading about the cells in the sensor's
// cone. The zero value of a field is its default.
type Model struct {
	// Free is the evidence, in log-odds, that a cell before the reading is free; it defaults to 0.4.
	Free float64
	// Occupied is the evidence that a cell at the reading is occupied; it defaults to 0.85.
	Occupied float64
	// Core is the share of the cone's half angle within which the detected obstacle is; it defaults to 0.4. A sensor
	// with a wide cone measures the mean of what is in it, which is mostly near the centre.
	Core float64
	// Before is how far before the reading cells count as occupied, m; it defaults to 6 mm.
	Before float64
	// Behind is the assumed thickness of obstacles, m; it defaults to 16 mm.
	Behind float64
	// ClearTo is the share of the longest range up to which cells count as free if nothing was detected; it defaults
	// to 0.9.
	ClearTo float64
	// Limit bounds the log-odds of a cell, so that the cell can still change its state; it defaults to 8.
	Limit float64
	// Known is the least log-odds, positive or negative, of a cell that is not unknown; it defaults to 0.4.
	Known float64
}

// withDefaults replaces zero fields by their defaults.
func (m Model) withDefaults() Model {
	for _, f := range []struct {
		v        *float64
		fallback float64
	}{
		{&m.Free, 0.4}, {&m.Occupied, 0.85}, {&m.Core, 0.4}, {&m.Before, 0.006}, {&m.Behind, 0.016},
		{&m.ClearTo, 0.9}, {&m.Limit, 8}, {&m.Known, 0.4},
	} {
		if *f.v == 0 {
			*f.v = f.fallback
		}
	}
	return m
}

// LogOdds builds a map that holds, for each cell, the logarithm of the odds that it is occupied (Moravec and Elfes
// 1985; Thrun, Burgard, Fox, Probabilistic Robotics, chapter 9). It grows as readings require. It is not safe for
// concurrent use.
type LogOdds struct {
	model      Model
	resolution float64 // m
	fullWidth  float64 // see [ConeGrid]; 0 if the weight does not depend on the width
	block      int     // edge, in cells, of the blocks that get the same evidence; see [ConeGrid]
	area       area
	cells      []float32
}

// NewLogOdds returns an empty map with cells of an edge of resolution metres. The error matches [ErrSize].
func NewLogOdds(resolution float64, model Model) (*LogOdds, error) {
	if err := (Frame{Resolution: resolution, Width: 1, Height: 1}).Check(); err != nil {
		return nil, err
	}
	return &LogOdds{model: model.withDefaults(), resolution: resolution, block: 1}, nil
}

// Add adds a reading. It fails, and adds nothing, if a field of the beam is out of range (From, HalfAngle, Max or
// Range: the error names it with its value), or with [ErrSize] if the map would grow too large.
func (l *LogOdds) Add(b Beam) error {
	if err := b.check(); err != nil {
		return err
	}
	end := l.model.ClearTo * b.Max
	if b.hit() {
		end = b.Range + l.model.Behind
	}
	return l.apply(&b, end, func(ahead, aside float64) float64 {
		distance, angle := math.Hypot(ahead, aside), math.Atan2(aside, ahead)
		if b.hit() {
			return l.along(&b, distance, angle, b.Range, b.HalfAngle*l.model.Core, 1)
		}
		return l.free(&b, distance, angle, end)
	})
}

// apply adds evidence to the cells of a reading's cone up to a distance, m. evidence returns that of a cell whose
// centre is ahead metres along the beam and aside metres from it. On an error, which matches [ErrSize], nothing was
// added.
func (l *LogOdds) apply(b *Beam, end float64, evidence func(ahead, aside float64) float64) error {
	x0, y0, x1, y1 := b.box(end)
	reach := areaOf(x0, y0, x1, y1, l.blockSize()).times(l.block)
	if err := l.cover(reach); err != nil {
		return err
	}
	s, c := math.Sincos(b.From.Theta)
	slope := math.Tan(min(b.HalfAngle, 1.5)) // the tangent of π/2 is infinite
	for row := reach.row; row < reach.row+reach.height; row++ {
		line := l.cells[(row-l.area.row)*l.area.width:][:l.area.width]
		for column := reach.column; column < reach.column+reach.width; column++ {
			dx := (float64(floorDiv(column, l.block))+0.5)*l.blockSize() - b.From.X
			dy := (float64(floorDiv(row, l.block))+0.5)*l.blockSize() - b.From.Y
			ahead, aside := dx*c+dy*s, dy*c-dx*s
			if ahead <= 0 || math.Abs(aside) > slope*ahead+l.blockSize() && b.HalfAngle < 1.5 || math.Hypot(ahead, aside) > end {
				continue
			}
			if e := evidence(ahead, aside); e != 0 {
				l.add(&line[column-l.area.column], e)
			}
		}
	}
	return nil
}

// Clear marks the footprint of a robot of a radius at a position, m: cells that it covers, even partly, are free with
// the largest certainty. Cells outside the current map stay unknown.
func (l *LogOdds) Clear(x, y, radius float64) {
	if l.area.width == 0 || !finite(x) || !finite(y) || !(radius > 0) {
		return
	}
	reach := radius + l.resolution/2
	body := areaOf(x-reach, y-reach, x+reach, y+reach, l.resolution)
	for row := max(body.row, l.area.row); row < min(body.row+body.height, l.area.row+l.area.height); row++ {
		line := l.cells[(row-l.area.row)*l.area.width:][:l.area.width]
		for column := max(body.column, l.area.column); column < min(body.column+body.width, l.area.column+l.area.width); column++ {
			if math.Hypot((float64(column)+0.5)*l.resolution-x, (float64(row)+0.5)*l.resolution-y) <= reach {
				line[column-l.area.column] = float32(-l.model.Limit)
			}
		}
	}
}

// along returns the evidence about a cell at a distance and an angle in the reading's cone, for a ray that ends at an
// obstacle: before the end the cell is free; from the end on, for the thickness of obstacles and within the angle
// half, it is occupied, with a share of the usual evidence.
func (l *LogOdds) along(b *Beam, distance, angle, end, half, share float64) float64 {
	switch {
	case distance < end-l.model.Before:
		return l.free(b, distance, angle, end)
	case distance <= end+l.model.Behind:
		return share * l.model.Occupied * l.weight(b, distance, angle, half)
	default:
		return 0
	}
}

// free returns the evidence of a reading about a cell before its end.
func (l *LogOdds) free(b *Beam, distance, angle, end float64) float64 {
	if distance >= end {
		return 0
	}
	return -l.model.Free * l.weight(b, distance, angle, b.HalfAngle)
}

// weight decreases from 1 at the axis of a cone to 0 at its edge, and with the width of the cone at a distance.
func (l *LogOdds) weight(b *Beam, distance, angle, half float64) float64 {
	factor := 1.0
	if width := 2 * b.HalfAngle * distance; l.fullWidth > 0 && width > l.fullWidth {
		factor = l.fullWidth / width
	}
	angle = math.Abs(angle)
	switch {
	case angle < half:
		return factor * (1 - (angle/half)*(angle/half))
	case distance*math.Sin(angle) <= l.blockSize()/2: // near the sensor, and along a line, the cone is narrower than a cell
		return factor * 0.5
	default:
		return 0
	}
}

// blockSize returns the edge of the blocks of cells that get the same evidence, m.
func (l *LogOdds) blockSize() float64 { return float64(l.block) * l.resolution }

// cell returns the evidence of a cell; 0 outside of the map.
func (l *LogOdds) cell(column, row int) float64 {
	column, row = column-l.area.column, row-l.area.row
	if column < 0 || row < 0 || column >= l.area.width || row >= l.area.height {
		return 0
	}
	return float64(l.cells[row*l.area.width+column])
}

// evidenceAt returns the evidence at a position, m.
func (l *LogOdds) evidenceAt(x, y float64) float64 {
	return l.cell(int(math.Floor(x/l.resolution)), int(math.Floor(y/l.resolution)))
}

// add adds evidence to a cell, within the limit.
func (l *LogOdds) add(cell *float32, e float64) {
	*cell = float32(max(-l.model.Limit, min(l.model.Limit, float64(*cell)+e)))
}

// Map returns the current map: the probability of each cell in percent, [Unknown] where the evidence is weak. The
// error matches [ErrSize] before the first reading.
func (l *LogOdds) Map() (*Map, error) {
	m, err := NewMap(l.area.frame(l.resolution))
	if err != nil {
		return nil, err
	}
	for i, e := range l.cells {
		m.Cells[i] = l.percent(float64(e))
	}
	return m, nil
}

// percent returns the probability in percent that a cell is occupied, or [Unknown].
func (l *LogOdds) percent(e float64) int8 {
	if math.Abs(e) < l.model.Known {
		return Unknown
	}
	return int8(math.Round(100 / (1 + math.Exp(-e))))
}
