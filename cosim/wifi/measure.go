// SPDX-License-Identifier: Apache-2.0

package wifi

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	gravity    = 9.80665 // m/s²
	countsPerG = 16384.  // of the chip at ±2 g
	// countsPerRate is the chip's scale at ±250 °/s: counts per rad/s.
	countsPerRate = 131.072 * 180 / math.Pi
	degree        = 180 / math.Pi
	// The chip's noise at 100 Hz by its data sheet: 300 µg/√Hz and 0.01 °/s/√Hz.
	accelNoise = 3e-3 * gravity // m/s²
	rateNoise  = 0.1 / degree   // rad/s
	// nothingThere is the distance that ST's software reports without a target, mm.
	nothingThere = 8190
	// warm is a plausible temperature in the robot, °C.
	warm = 30
)

// measure fills in the values of the robot's sensors (Asercom2.c, 0x8).
func (b *body) measure(c *sim.Control, s *packet.Sensors) {
	*s = packet.Sensors{Temperature: warm, Selector: packet.Selector}
	accel, rate := c.Inertial()
	for i := range 3 {
		accel[i] += float64(accelNoise * gaussian(c))
		rate[i] += float64(rateNoise * gaussian(c))
	}
	s.Accel, s.Gyro = accelCounts(accel), gyroCounts(rate)
	s.Acceleration, s.Orientation, s.Inclination = spheric(s.Accel)
	field := c.Field() // the magnetometer's axes are y, x, −z in those of the chip, these y, −x, z in the robot's
	s.Field = [3]float32{float32(-1e6 * field[0]), float32(1e6 * field[1]), float32(-1e6 * field[2])}
	s.Proximity = b.proximity(c)
	s.Ambient, _ = c.Infrared()
	s.Distance = nothingThere
	if d := c.Distance(); d < nothingThere/1e3 {
		s.Distance = uint16(math.Round(d * 1e3))
	}
	s.Microphone = c.Volume()
	steps := b.turned(c)
	s.LeftSteps, s.RightSteps = steps[0], steps[1]
	s.Battery = uint16(math.Round(c.Voltage() * packet.CountsPerVolt))
	b.hearRemote(c, s)
	for i, n := range c.Ground() {
		s.Ground[i] = uint16(n)
	}
}

// gaussian returns a normal random number with a deviation of 1.
func gaussian(c *sim.Control) float64 {
	r := math.Sqrt(-2 * math.Log(1-c.Random()))
	return float64(r * math.Cos(2*math.Pi*c.Random()))
}

// hearRemote fills in the remote control. The toggle bit changes with each press; the seventh bit of the extended codes
// is put into the eighth (ir_remote.c, 226 to 228).
func (b *body) hearRemote(c *sim.Control, s *packet.Sensors) {
	code, presses := c.Remote()
	if presses != b.remote {
		b.remote, b.toggle = presses, b.toggle^1
	}
	s.RemoteToggle, s.RemoteData = b.toggle, code&0x3F|code&0x40<<1
}

// accelCounts converts an acceleration, m/s² in the robot's frame, as the chip, whose x is the robot's y and whose y is
// its −x, and e_acc.c, e_get_acc, do. The subtracted offset is that on level ground.
func accelCounts(a [3]float64) [3]int16 {
	raw := func(v float64) int { return clip(v / gravity * countsPerG) }
	older := func(v int) int16 { return int16(-(v>>4 - v>>6)) }
	const level = int(countsPerG)
	return [3]int16{older(raw(a[1])), older(-raw(-a[0])), older(raw(a[2]) - level - level)}
}

// gyroCounts converts turning rates, rad/s (e_lsm330.c, getAllAxesGyro).
func gyroCounts(w [3]float64) [3]int16 {
	raw := func(v float64) int16 { return int16(clip(v * countsPerRate)) }
	return [3]int16{-raw(-w[0]), raw(w[1]), raw(w[2])}
}

// clip rounds to ±32767.
func clip(v float64) int { return int(math.Round(max(-math.MaxInt16, min(math.MaxInt16, v)))) }

// spheric returns length and direction of an acceleration (e_acc.c, e_read_acc_spheric).
func spheric(a [3]int16) (length, orientation, inclination float32) {
	x, y, z := float64(a[0]), float64(a[1]), float64(a[2])
	flat := float64(x*x) + float64(y*y)
	inclination = float32(90 - float64(math.Atan2(z, math.Sqrt(flat))*degree))
	if inclination >= 5 && inclination <= 160 {
		orientation = float32(float64(math.Atan2(x, y)*degree) + 180)
	}
	return float32(math.Sqrt(flat + float64(z*z))), orientation, inclination
}
