// SPDX-License-Identifier: Apache-2.0

package wifi

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	// behaviour is the period of the thread that avoids obstacles (behaviors.c), 50 Hz.
	behaviour = 20 * time.Millisecond
	// calibration is how long calibrate_ir takes: 100 samples at 100 Hz (proximity.c).
	calibration = time.Second
	perStep     = 2 * math.Pi / vmcu.StepsPerTurn // rad
)

// Controlled is a robot that the protocol can drive: one of the functional level.
type Controlled interface {
	sim.Robot
	Camera() camera.Device
	SetController(c sim.Controller, period time.Duration) error
	Do(f func(*sim.Control))
}

// body is the main processor: the last command, and its state. All of it is touched within
// [Controlled].Do or by the world's step only, which the world keeps apart.
type body struct {
	robot    Controlled
	lamps    vmcu.LEDs
	avoiding bool
	target   [2]int16      // steps/s: what a robot that avoids obstacles would like to drive
	from     [2]int        // the counters' zero, steps
	nothing  [8]uint16     // what the infrared sensors read with nothing near, by the last calibration
	busy     time.Duration // age of the world until which a calibration lasts
	remote   uint64        // keys of the remote control that were counted
	toggle   uint8
}

// newBody takes the robot's motors.
func newBody(a Controlled) (*body, error) {
	b := &body{robot: a}
	return b, a.SetController(b, behaviour)
}

// apply carries out a command (Asercom2.c, 0x9).
func (b *body) apply(c *sim.Control, cmd *packet.Command) {
	if cmd.Settings&packet.CalibrateIR != 0 {
		b.busy = c.Time() + calibration
		b.nothing = counts(c)
	}
	b.avoiding = cmd.Settings&packet.ObstacleAvoidance != 0
	speeds := [2]int16{cmd.Left, cmd.Right}
	switch {
	case cmd.Settings&packet.SetSteps != 0:
		for i, n := range b.turned(c) {
			b.from[i] += int(n) - int(speeds[i])
		}
	case b.avoiding: // motors.c passes the speeds to the behaviour instead of the motors
		b.target = speeds
	default:
		drive(c, int(cmd.Left), int(cmd.Right))
	}
	for i := range b.lamps.Red {
		b.lamps.Red[i] = cmd.LEDs&(packet.LED1<<i) != 0
	}
	for i, l := range cmd.RGB {
		if l.R <= 100 && l.G <= 100 && l.B <= 100 {
			b.lamps.RGB[i] = [3]uint8{l.R, l.G, l.B}
		}
	}
	c.SetLEDs(b.lamps)
	for i := range uint8(3) {
		if cmd.Sound&(packet.SoundMario<<i) != 0 {
			c.PlayMelody(i + 1)
		}
	}
}

// drive sets the speeds of the wheels, steps/s.
func drive(c *sim.Control, left, right int) {
	c.SetWheels(float64(float64(left)*perStep), float64(float64(right)*perStep))
}

// turned gives the steps that the wheels have made since the counters were 0. The firmware keeps 32 bits of them, of
// which the packet has 16.
func (b *body) turned(c *sim.Control) (steps [2]int16) {
	angle, _ := c.Wheels()
	for i, a := range angle {
		steps[i] = int16(int(math.Floor(a/perStep+0.5)) - b.from[i])
	}
	return steps
}

// Step is the thread that avoids obstacles (behaviors.c): all proximity sensors push the robot away. It implements
// [sim.Controller].
func (b *body) Step(c *sim.Control) {
	if !b.avoiding {
		return
	}
	var p [8]int
	for i, n := range b.proximity(c) {
		if n >= 5 { // less is noise
			p[i] = int(n)
		}
	}
	x := -p[0] - p[1]>>1 + p[3] - p[3]>>2 + p[4] - p[4]>>2 - p[6]>>1 - p[7]
	y := p[0]>>1 + p[1]>>1 + p[2] + p[3]>>1 - p[4]>>1 - p[5] - p[6]>>1 - p[7]>>1
	left, right := int(b.target[0]), int(b.target[1])
	if left >= 0 {
		left += x>>1 - y<<2
	} else {
		left -= x>>1 + y<<2
	}
	if right >= 0 {
		right += x>>1 + y<<2
	} else {
		right -= x>>1 - y<<2
	}
	drive(c, left, right)
}

// counts is what the infrared sensors read, counts.
func counts(c *sim.Control) (n [8]uint16) {
	for i, v := range c.Proximity() {
		n[i] = uint16(math.Round(max(0, v)))
	}
	return n
}

// proximity is the same less what they read with nothing near (proximity.c, get_calibrated_prox).
func (b *body) proximity(c *sim.Control) [8]uint16 {
	n := counts(c)
	for i := range n {
		n[i] -= min(n[i], b.nothing[i])
	}
	return n
}
