// SPDX-License-Identifier: Apache-2.0

package vtof

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// Verdicts of the chip, bits 3 to 6 of register 0x14.
const (
	statusNotCalibrated = 3
	statusNoTarget      = 4
	statusPhase         = 9
	statusValid         = 11
)

// nothing is the range given when there is none, millimetres.
const nothing = 8191

// signalAtOneMetre is the rate of light from a white target, millions of counts
// per second; chosen so that the limits 0.25 and 0.1 reach 1.2 m and 1.9 m.
const signalAtOneMetre = 0.36

// What light from elsewhere costs. A target is lost when its light is less than a multiple of the shot noise of what it
// reflects of the light around, which grows with the root of its reflectance: the reach falls with its fourth root, as
// in the data sheet (ST, VL53L0X, DS11555, rev. 6, table 12, in 33 ms: white, 88 %, 0.8 m and grey, 17 %, 0.5 m
// outdoors; more than 2 m and 0.8 m indoors), and not with the root, as where the limit is fixed.
const (
	// indoorAmbient is the rate of the light indoors, for which the signal limit alone holds, millions of counts a
	// second.
	indoorAmbient = 0.5
	// ambientWeight times the ambient rate beyond that and the reflectance is the square of the least signal, less
	// that of the limit: for grey at 0.5 m outdoors, 1.2 W/m² at 940 nm (table 12, note 1), half a million counts a
	// second per W/m².
	ambientWeight = 0.489
)

// leastSignal returns the least rate of the light of a target that is found, with a limit for the dark, both in
// millions of counts per second.
func leastSignal(t Target, limit float64) float64 {
	square := float64(float64(ambientWeight*t.Reflectance) * max(0, t.Ambient-indoorAmbient))
	return math.Sqrt(float64(limit*limit) + square)
}

// Response returns what the sensor reads on average at a distance, and the
// standard deviation of a 33 ms measurement, both in metres.
func Response(distance float64) (mean, sigma float64) {
	response := robot.ToFResponse()
	last := response[len(response)-1]
	if distance >= last.Distance {
		return distance * last.Reading / last.Distance, last.Noise * last.Reading
	}
	for i := 1; i < len(response); i++ {
		a, b := response[i-1], response[i]
		if distance <= b.Distance {
			t := max(0, (distance-a.Distance)/(b.Distance-a.Distance))
			mean = a.Reading + float64(t*(b.Reading-a.Reading))
			return mean, mean * (a.Noise + float64(t*(b.Noise-a.Noise)))
		}
	}
	return math.NaN(), math.NaN()
}

// The longest distances with the VCSEL periods of the long-range profile and with those of the others, m.
const (
	longReach  = 2.1
	shortReach = 1.3
)

// reach is the longest distance the VCSEL periods measure without ambiguity.
func (c *Chip) reach() float64 {
	if vcselClocks(c.mem.at(0x50)) >= 18 && vcselClocks(c.mem.at(0x70)) >= 14 {
		return longReach
	}
	return shortReach
}

// tuned reports whether the tuning settings are in, judged by a few of them.
func (c *Chip) tuned() bool {
	p0, p1 := &c.mem.page[0], &c.mem.page[1]
	return p0[0x24] == 0x01 && p0[0x66] == 0xA0 && p0[0x78] == 0x21 && p0[0x7A] == 0x0A && p0[0x35] == 0x44 &&
		p1[0x22] == 0x32 && p1[0x49] == 0xFF && p1[0x20] == 0x1A && p1[0x0D] == 0x01 && p1[0x8E] == 0x01 &&
		p1[0x4C] == 0x05
}

// Setting is how a sensor measures that was set up.
type Setting struct {
	// SignalLimit is the least rate of returned light of a valid measurement, millions of counts per second.
	SignalLimit float64
	// Reach is the longest distance of a valid measurement, m.
	Reach float64
	// Duration is the time of one measurement.
	Duration time.Duration
}

// LongRange is the setting of ST's long-range profile, the driver's default.
func LongRange() Setting {
	return Setting{SignalLimit: 0.1, Reach: longReach, Duration: 33 * time.Millisecond}
}

// ShortRange is the setting of ST's other profiles, with a duration of one measurement.
func ShortRange(duration time.Duration) Setting {
	return Setting{SignalLimit: 0.25, Reach: shortReach, Duration: duration}
}

// Range returns what a sensor reads of a target, m in whole millimetres; +Inf if nothing is within reach. Draw is the
// measurement's noise, of mean 0 and standard deviation 1.
func (s Setting) Range(t Target, draw float64) float64 {
	if math.IsInf(t.Distance, 1) || signalOf(t) < leastSignal(t, s.SignalLimit) || t.Distance > s.Reach {
		return math.Inf(1)
	}
	return float64(millimetres(t.Distance, s.Duration, draw)) / 1000
}

// signalOf returns the rate of the light that comes back from a target, millions of counts per second.
func signalOf(t Target) float64 {
	return signalAtOneMetre * t.Reflectance / max(float64(t.Distance*t.Distance), 1e-3)
}

// millimetres is what is read at a distance in a measurement of a duration, with noise that falls with the root of it.
func millimetres(distance float64, duration time.Duration, draw float64) uint16 {
	mean, sigma := Response(max(0, distance))
	sigma *= math.Sqrt(float64(33*time.Millisecond) / float64(max(duration, time.Millisecond)))
	return uint16(min(max(0, math.Round((mean+float64(sigma*draw))*1000)), nothing))
}

// result makes measurement n and puts it into the result block.
func (c *Chip) result(n int64) {
	t := c.cfg.Scene.Target()
	signal := signalOf(t)
	if !c.spadsRight() {
		signal /= 100
	}
	limit := float64(c.mem.word(0x44)) / 128
	status, mm := byte(statusValid), c.millimetres(t.Distance, n)
	switch {
	case !c.cal.vhv:
		status = statusNotCalibrated
	case !c.cal.phase || c.cal.pre != c.mem.at(0x50) || c.cal.final != c.mem.at(0x70) || !c.tuned():
		status = statusPhase
	case signal < leastSignal(t, limit) || math.IsInf(t.Distance, 1):
		status = statusNoTarget
	case t.Distance > c.reach():
		status = statusPhase
	}
	if c.mem.at(0x01)&withFinal == 0 {
		status = 0
	}
	if c.faults.Status != 0 {
		status = c.faults.Status
	}
	if status != statusValid {
		mm = nothing
	}
	block := c.mem.page[0][0x14:0x20]
	clear(block)
	block[0] = status << 3
	spads := min(max(1, 40*math.Sqrt(limit/max(signal, 1e-6))), 170) // near and bright: few suffice
	binary.BigEndian.PutUint16(block[2:], uint16(spads*256))
	binary.BigEndian.PutUint16(block[6:], fixed97(signal))
	binary.BigEndian.PutUint16(block[8:], fixed97(t.Ambient))
	binary.BigEndian.PutUint16(block[10:], mm)
}

// millimetres is the range of measurement n.
func (c *Chip) millimetres(distance float64, n int64) uint16 {
	if math.IsInf(distance, 1) {
		return nothing
	}
	draw := 0.0
	if !c.cfg.Perfect {
		draw = c.cfg.Noise.Named("VL53L0X").Stream(c.epoch).Normal(uint64(n))
	}
	return millimetres(distance, c.duration(), draw)
}

func fixed97(mcps float64) uint16 { return uint16(min(mcps*128, math.MaxUint16)) }
