// SPDX-License-Identifier: Apache-2.0

package vground

import "math"

// The response to a white floor, as the simulated robot has it (Webots, E-puckGroundSensors.proto): two points and the
// straight line through them.
const (
	touching = 1000.0 // counts at 0 m
	away     = 300.0  // counts at distance
	distance = 0.016  // m
	ceiling  = 1023   // of a 10-bit converter
)

// Response is the light that comes back from a white floor at a height (m), counts.
func Response(height float64) float64 {
	if !(height > 0) {
		return touching
	}
	return max(0, touching-(touching-away)*height/distance)
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
