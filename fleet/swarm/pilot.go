// SPDX-License-Identifier: Apache-2.0

package swarm

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// processor is a robot with a microcontroller on a bus: a [sim.Firmware].
type processor interface {
	sim.Robot
	Bus() *vbus.Bus
	// InfraredOffset returns the offset of proximity sensor i that calibration subtracts, counts.
	InfraredOffset(i int) float64
}

// controllable is a robot that the world runs a controller for: a [sim.Functional].
type controllable interface {
	SetController(c sim.Controller, period time.Duration) error
}

// pilot runs the controller of a robot with a microcontroller: it exchanges packets as the driver does, and
// implements the controller's Robot.
type pilot struct {
	robot   processor
	c       Controller
	command mcu.Command
	packet  [mcu.CommandSize]byte
	reply   [mcu.SensorsSize]byte
	sensors mcu.Sensors
	steps   [2]int64 // total steps of the wheels
	counts  [2]int16
	heard   []sim.Heard
	ground  [3]float64
	random  noise.Source
	drawn   uint64
}

var _ Robot = (*pilot)(nil)

func newPilot(r processor, c Controller, seed uint64) (*pilot, error) {
	p := &pilot{robot: r, c: c, random: randomOf(r.Name(), seed)}
	return p, p.exchange()
}

// randomOf returns the random generator of a robot's controller, the same at both levels.
func randomOf(robot string, seed uint64) noise.Source {
	return noise.New(seed).Named(robot).Named("controller")
}

// exchange sends the command and receives the readings.
func (p *pilot) exchange() error {
	p.command.Put(&p.packet)
	if err := p.robot.Bus().Tx(mcu.Addr, p.packet[:], p.reply[:]); err != nil {
		return fmt.Errorf("robot %q: %w", p.robot.Name(), err)
	}
	s, err := mcu.Decode(p.reply[:])
	if err != nil { // there is no response before the first exchange
		return nil //nolint:nilerr // the controller gets the previous readings
	}
	for i, now := range [2]int16{s.LeftSteps, s.RightSteps} {
		p.steps[i] += int64(now - p.counts[i])
		p.counts[i] = now
	}
	p.sensors = s
	return nil
}

// step executes a control step: readings, controller, command.
func (p *pilot) step() error {
	if err := p.exchange(); err != nil {
		return err
	}
	p.c.Step(p)
	return p.exchange()
}

// Name implements Robot, as the methods below do.
func (p *pilot) Name() string { return p.robot.Name() }

// Time implements Robot.
func (p *pilot) Time() time.Duration { return p.robot.GroundTruth().Time }

// Proximity implements Robot: the firmware's readings less the sensors' offsets, as after calibration.
func (p *pilot) Proximity() (v [8]float64) {
	for i, c := range p.sensors.Proximity {
		v[i] = max(0, float64(c)-p.robot.InfraredOffset(i))
	}
	return v
}

// Ground implements Robot: the registers of the ground board, three big-endian words from 0 on.
func (p *pilot) Ground() [3]float64 {
	var b [6]byte
	if err := p.robot.Bus().Tx(groundBoard, []byte{0}, b[:]); err == nil {
		for i := range p.ground {
			p.ground[i] = float64(int(b[2*i])<<8 | int(b[2*i+1]))
		}
	}
	return p.ground
}

// groundBoard is the address of the ground sensors' board.
const groundBoard = 0x60

const radPerStep = 2 * math.Pi / vmcu.StepsPerTurn

// Wheels implements Robot.
func (p *pilot) Wheels() (angle, speed [2]float64) {
	for i := range angle {
		angle[i] = float64(p.steps[i]) * radPerStep
	}
	return angle, [2]float64{float64(p.command.Left) * radPerStep, float64(p.command.Right) * radPerStep}
}

// SetWheels implements Robot.
func (p *pilot) SetWheels(left, right float64) {
	p.command.Left, p.command.Right = mcu.SpeedFromRadians(left), mcu.SpeedFromRadians(right)
}

// SetLEDs implements Robot.
func (p *pilot) SetLEDs(l vmcu.LEDs) {
	p.command.LEDs = 0
	for i, on := range l.Red {
		if on {
			p.command.LEDs |= mcu.LED1 << i
		}
		p.command.RGB[i] = mcu.RGB{R: l.RGB[i][0], G: l.RGB[i][1], B: l.RGB[i][2]}
	}
}

// Say implements Robot.
func (p *pilot) Say(payload []byte) error { return p.robot.Say(payload) }

// Heard implements Robot.
func (p *pilot) Heard() []sim.Heard {
	p.robot.Listen(true)
	p.heard, _ = p.robot.Hear(p.heard[:0])
	return p.heard
}

// Random implements Robot.
func (p *pilot) Random() float64 {
	p.drawn++
	return p.random.Float64(p.drawn)
}
