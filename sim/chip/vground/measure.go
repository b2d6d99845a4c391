// SPDX-License-Identifier: Apache-2.0

package vground

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// ceiling is the largest reading of a 10-bit converter, counts.
const ceiling = 1023

// Response returns the light reflected by a white floor at a height (m), counts: the straight line through the two
// points of [robot.GroundResponse].
func Response(height float64) float64 {
	points := robot.GroundResponse()
	touching, away := points[0].Reading, points[1].Reading
	if !(height > 0) {
		return touching
	}
	return max(0, touching-float64((touching-away)*height/points[1].Distance))
}

// reflected is what the board has in its register for a sensor.
func (b *Board) reflected(s Sensor, n uint64) uint16 {
	spot := b.cfg.Floor.Spot(s)
	return b.converted(Response(spot.Height)*spot.Reflectance, uint64(s), n)
}

// ambient counts up with the light. Which way the real board counts is not known.
func (b *Board) ambient(s Sensor, n uint64) uint16 {
	return b.converted(20+float64(b.cfg.Floor.Spot(s).Light*900), uint64(Sensors)+uint64(s), n)
}

// converted adds the noise of a channel in measurement n and rounds.
func (b *Board) converted(v float64, channel, n uint64) uint16 {
	if b.cfg.NoiseLevel > 0 {
		v *= 1 + float64(b.cfg.NoiseLevel*b.cfg.Noise.Stream(channel).Normal(n))
	}
	if math.IsNaN(v) {
		return 0
	}
	return uint16(max(0, min(ceiling, math.Round(v))))
}
