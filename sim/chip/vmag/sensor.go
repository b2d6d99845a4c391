// SPDX-License-Identifier: Apache-2.0

package vmag

import "github.com/epuck-ros2/epuck-driver/sim/noise"

// regularNoise is the noise of a measurement at 9 and 15 repetitions, the data sheet's regular preset, T.
const regularNoise = 0.6e-6

// Sensor is the sensor of a chip without its registers, for robots without a bus: the noise and the converter of a
// [Chip] of the same noise source and temperature, set up as the driver does by default. It does not change and is safe
// for concurrent use.
type Sensor struct {
	trim    trim
	hall    int // resistance of the Hall plate, counts
	noise   noise.Source
	perfect bool
}

// NewSensor returns the sensor of a chip of a temperature in °C; perfect switches its noise off.
func NewSensor(src noise.Source, temperature float64, perfect bool) *Sensor {
	s := &Sensor{trim: drawTrim(src), noise: src.Named("BMM150"), perfect: perfect}
	s.hall = s.trim.hall(temperature)
	return s
}

// Field returns sample n of a flux density, both in T in the chip's axes.
func (s *Sensor) Field(field [3]float64, n uint64) [3]float64 {
	if !s.perfect {
		for i := range field {
			field[i] += float64(regularNoise * s.noise.Stream(uint64(i)).Normal(n))
		}
	}
	x, y, z := s.trim.counts(field, s.hall)
	return s.trim.field(x, y, z, s.hall)
}

// field returns the field that is measured as counts: the compensation of the data sheet.
func (t *trim) field(x, y, z, hall int) [3]float64 {
	curve, slope := t.curve(hall), t.slope(hall)
	flat := func(n, offset, gain int) float64 {
		return (float64(float64(n)*curve*float64(gain+160)/8192) + float64(8*offset)) / 16e6
	}
	up := float64(float64(z-t.z4)*131072) - float64(t.z3*(hall-t.xyz1))
	return [3]float64{flat(x, t.x1, t.x2), flat(y, t.y1, t.y2), up / float64(64e6*slope)}
}
