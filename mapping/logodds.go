// SPDX-License-Identifier: Apache-2.0

package mapping

import "math"

// Model says what a reading tells about the cells in the sensor's cone. The zero value of a field is its default.
type Model struct {
	// Free is the evidence, in log-odds, that a cell before the reading is free; it defaults to 0.4.
	Free float64
	// Occupied is the evidence that a cell at the reading is occupied; it defaults to 0.85.
	Occupied float64
	// Core is the share of the cone's half angle within which the thing lies that was seen; it defaults to 0.4. A
	// sensor with a wide cone gives the mean of what is in it, which mostly lies near the middle.
	Core float64
	// Before is how far before the reading cells count as occupied, m; it defaults to 6 mm.
	Before float64
	// Behind is how thick the seen thing is taken to be, m; it defaults to 16 mm.
	Behind float64
	// ClearTo is the share of the longest range up to which nothing seen counts as free; it defaults to 0.9.
	ClearTo float64
	// Limit bounds what is believed of a cell, so that it can change its mind; it defaults to 8.
	Limit float64
	// Known is the evidence from which on a cell is not unknown any more; it defaults to 0.4.
	Known float64
}

// withDefaults fills in what is zero.
func (m Model) withDefaults() Model {
	for _, f := range []struct {
		v       *float64
		without float64
	}{
		{&m.Free, 0.4}, {&m.Occupied, 0.85}, {&m.Core, 0.4}, {&m.Before, 0.006}, {&m.Behind, 0.016},
		{&m.ClearTo, 0.9}, {&m.Limit, 8}, {&m.Known, 0.4},
	} {
		if *f.v == 0 {
			*f.v = f.without
		}
	}
	return m
}

// LogOdds is a map in the making that holds, for each cell, the logarithm of the odds that it is occupied (Moravec and
// Elfes 1985; Thrun, Burgard, Fox, Probabilistic Robotics, chapter 9). It grows as the readings ask for it. It is not
// safe for concurrent use.
type LogOdds struct {
	model      Model
	resolution float64 // m
	area       area
	cells      []float32
}

// NewLogOdds returns an empty map with cells of an edge of resolution metres. The error matches [ErrSize].
func NewLogOdds(resolution float64, model Model) (*LogOdds, error) {
	if err := (Frame{Resolution: resolution, Width: 1, Height: 1}).Check(); err != nil {
		return nil, err
	}
	return &LogOdds{model: model.withDefaults(), resolution: resolution}, nil
}

// Add adds a reading. The error matches [ErrBeam], or [ErrSize] if the map would grow too large; then nothing was
// added.
func (l *LogOdds) Add(b Beam) error {
	if err := b.check(); err != nil {
		return err
	}
	free, end := l.model.ClearTo*b.Max, l.model.ClearTo*b.Max
	if b.hit() {
		free, end = b.Range-l.model.Before, b.Range+l.model.Behind
	}
	x0, y0, x1, y1 := b.box(end)
	reach := areaOf(x0, y0, x1, y1, l.resolution)
	if err := l.cover(reach); err != nil {
		return err
	}
	s, c := math.Sincos(b.From.Theta)
	for row := reach.row; row < reach.row+reach.height; row++ {
		line := l.cells[(row-l.area.row)*l.area.width:][:l.area.width]
		for column := reach.column; column < reach.column+reach.width; column++ {
			dx := (float64(column)+0.5)*l.resolution - b.From.X
			dy := (float64(row)+0.5)*l.resolution - b.From.Y
			if e := l.evidence(&b, dx*c+dy*s, math.Abs(dy*c-dx*s), free, end); e != 0 {
				l.add(&line[column-l.area.column], e)
			}
		}
	}
	return nil
}

// Clear says that a robot's body of a radius stands at a place, m: cells that it covers, if only in part, are free, as
// sure as a map can be. Cells that the map does not have yet stay unknown.
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

// evidence is what a reading tells about a cell whose middle lies ahead metres along the beam and aside metres from it.
func (l *LogOdds) evidence(b *Beam, ahead, aside, free, end float64) float64 {
	distance := math.Hypot(ahead, aside)
	if ahead <= 0 || distance > end {
		return 0
	}
	angle := math.Atan2(aside, ahead)
	thin := aside <= l.resolution/2 // near the sensor, and along a line, the cone is narrower than a cell
	switch {
	case distance < free:
		return -l.model.Free * weight(angle, b.HalfAngle, thin)
	case b.hit():
		return l.model.Occupied * weight(angle, b.HalfAngle*l.model.Core, thin)
	default:
		return 0
	}
}

// weight falls from 1 in the middle of a cone to 0 at its edge.
func weight(angle, half float64, thin bool) float64 {
	switch {
	case angle < half:
		return 1 - (angle/half)*(angle/half)
	case thin:
		return 0.5
	default:
		return 0
	}
}

// add adds evidence to a cell, within the limit.
func (l *LogOdds) add(cell *float32, e float64) {
	*cell = float32(max(-l.model.Limit, min(l.model.Limit, float64(*cell)+e)))
}

// Map gives the map as it is now: the probability of each cell in percent, [Unknown] where the evidence is weak. The
// error matches [ErrSize] while there was no reading yet.
func (l *LogOdds) Map() (*Map, error) {
	m, err := NewMap(l.area.frame(l.resolution))
	if err != nil {
		return nil, err
	}
	for i, e := range l.cells {
		if math.Abs(float64(e)) >= l.model.Known {
			m.Cells[i] = int8(math.Round(100 / (1 + math.Exp(-float64(e)))))
		}
	}
	return m, nil
}
