// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// infraredTime is the duration of a calibration of the infrared sensors: the second of measuring, and the control cycles
// in which the firmware's driver stops the wheels, begins and learns that it is done.
const infraredTime = 1250 * time.Millisecond

// processor is the main processor of a functional robot.
type processor struct {
	simulated controllable
	now       func() time.Time
	// infrared and sound report whether these sensors are needed: their formulas take time.
	infrared, sound func() bool
	events          func(mcu.Event)
	exchanges       atomic.Uint64
	melody          atomic.Uint32 // requested; 0 none
	calibrate       atomic.Bool   // a calibration is requested or runs

	// Used in Exchange only:
	begun    time.Time // start of a calibration; zero without one
	done     bool      // it has just ended
	played   bool      // a melody was started
	command  mcu.Command
	sent     [2]mcu.Speed
	lamps    vmcu.LEDs
	sensors  mcu.Sensors
	exchange func(c *sim.Control) // perform
}

var _ hardware.Processor = (*processor)(nil)

func newProcessor(f *functional, o *hardware.Options) *processor {
	p := &processor{simulated: f.simulated, now: o.Now, infrared: o.Needs.Infrared, sound: o.Needs.Sound}
	p.sensors.Selector = mcu.SelectorPi
	p.exchange = p.perform
	return p
}

// Exchange implements hardware.Processor.
func (p *processor) Exchange(c mcu.Command) (mcu.Sensors, error) {
	p.exchanges.Add(1)
	if p.calibrate.Load() {
		now := p.now()
		c.Left, c.Right = 0, 0
		if p.begun.IsZero() {
			p.begun = now
		}
		p.done = now.Sub(p.begun) >= infraredTime
	}
	p.command = c
	p.simulated.Do(p.exchange)
	if p.done {
		p.begun, p.done = time.Time{}, false
		p.calibrate.Store(false)
		p.events(mcu.Event{Kind: mcu.EventCalibrated, Attempts: 1})
	}
	if p.played {
		p.played = false
		p.events(mcu.Event{Kind: mcu.EventMelody, Attempts: 1})
	}
	return p.sensors, nil
}

// perform executes the command and measures.
func (p *processor) perform(c *sim.Control) {
	// The wheels get a motion, and the end of one: without commands another program may drive them, such as a
	// controller of Webots.
	if speeds := [2]mcu.Speed{p.command.Left, p.command.Right}; speeds != p.sent || speeds != [2]mcu.Speed{} {
		p.sent = speeds
		c.SetWheels(float64(speeds[0])*mcu.RadPerStep, float64(speeds[1])*mcu.RadPerStep)
	}
	if lamps := lampsOf(&p.command); lamps != p.lamps {
		p.lamps = lamps
		c.SetLEDs(lamps)
	}
	if n := p.melody.Swap(0); n != 0 {
		p.played = true
		c.PlayMelody(uint8(n))
	}
	if p.done {
		c.CalibrateInfrared()
	}
	s := &p.sensors
	if p.infrared() {
		s.Ambient, s.Proximity = c.Infrared()
	}
	if p.sound() {
		s.Microphone = c.Volume()
	}
	angles, _ := c.Wheels()
	s.LeftSteps, s.RightSteps = steps(angles[0]), steps(angles[1])
	code, _ := c.Remote()
	s.Remote = remoteCode(code)
}

// lampsOf returns the LEDs of a command.
func lampsOf(c *mcu.Command) (l vmcu.LEDs) {
	for i, led := range [...]mcu.LEDs{mcu.LED1, mcu.LED3, mcu.LED5, mcu.LED7} {
		l.Red[i] = c.LEDs&led != 0
	}
	for i, v := range c.RGB {
		l.RGB[i] = [3]uint8{v.R, v.G, v.B}
	}
	return l
}

// steps returns the counter of a wheel that has turned by an angle (rad), which counts completed steps.
func steps(angle float64) int16 { return int16(int64(angle / mcu.RadPerStep)) }

// remoteCode returns an RC5 code, 0 to 127, as the firmware sends it: an extended one has bit 7 instead of bit 6 set.
func remoteCode(code uint8) uint8 {
	if code >= 64 {
		return code&63 | 128
	}
	return code
}

// Halt implements hardware.Halter.
func (p *processor) Halt() error {
	p.simulated.Do(func(c *sim.Control) { c.SetWheels(0, 0) })
	return nil
}

// Probe implements hardware.Processor.
func (p *processor) Probe() mcu.Diagnosis {
	_ = p.Halt() // never fails
	return p.Diagnosis()
}

// Diagnosis implements hardware.Processor.
func (p *processor) Diagnosis() mcu.Diagnosis { return mcu.Diagnosis{Health: mcu.HealthOK} }

// PlayMelody implements hardware.Processor.
func (p *processor) PlayMelody(n int) error {
	p.melody.Store(uint32(n))
	return nil
}

// CalibrateIR implements hardware.Processor.
func (p *processor) CalibrateIR() { p.calibrate.Store(true) }

// Pending implements hardware.Processor.
func (p *processor) Pending() mcu.Pending {
	return mcu.Pending{Melody: uint8(p.melody.Load()), Calibrate: p.calibrate.Load()}
}

// WheelsListen implements hardware.Processor.
func (p *processor) WheelsListen() bool { return true }

// Counters implements hardware.Processor.
func (p *processor) Counters() mcu.Stats { return mcu.Stats{Exchanges: p.exchanges.Load()} }
