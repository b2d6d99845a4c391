// SPDX-License-Identifier: Apache-2.0

package vmcu

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Infrared is what the eight infrared sensors see in one cycle, as the analog
// converter counts it (12 bits).
type Infrared struct {
	// Ambient is measured with the sensor's LED off: dark 4095, bright 0.
	Ambient [8]uint16
	// Delta is how much less was measured with the LED on, at most Ambient: the
	// nearer, the more. It includes the sensor's own offset. Noise makes it
	// negative now and then: the firmware subtracts and limits nothing
	// (proximity.c, 192).
	Delta [8]int16
}

// Environment is the world around the processor.
type Environment interface {
	// Infrared writes the measurement of cycle n, taken at n·SamplePeriod. It is
	// asked about the latest cycle only, perhaps several times.
	Infrared(n int64, s *Infrared)
	// Sound writes the pressure of the sound that comes to the microphones from
	// sources in the world, Pa (root mean square).
	Sound(at *[4]float64)
}

// Config describes a processor.
type Config struct {
	// Firmware is the program. It defaults to Extension.
	Firmware Firmware
	// Selector is the position of the rotary selector, 0 to 15, at power-on.
	Selector uint8
	// BootTime is how long the processor does not answer after a reset. It defaults to
	// [BootTime]; negative means none.
	BootTime time.Duration
	// Latency is the longest time from the end of a message to its effect; each
	// takes a part of it by chance. It defaults to [Latency]; negative means none.
	Latency time.Duration
	// Settled makes New give a processor that started long before time zero and
	// had a command to stop. Otherwise its first command acts late, see
	// [FirstPeriod].
	Settled bool
	// Noise is the source of the microphones' noise, and of chance.
	Noise noise.Source
	// Environment must not be nil.
	Environment Environment
}

// MCU is the processor. It begins at time zero, started and idle.
type MCU struct {
	cfg Config
	now time.Duration
	// resetAt is when the program began, motorsAt when it had started the motors'
	// timers, readyAt when it is done; slave whether it then answers.
	resetAt, motorsAt, readyAt time.Duration
	slave                      bool
	program                    program

	left, right stepper
	target      [2]int // commanded speeds, steps/s; an override may change them
	override    MotorOverride
	leds        leds
	ir          infrared
	melody      melody
	remote      remote
	york        york
	selector    uint8
	button      bool
	sound       float64
	pressure    [4]float64 `checkpoint:"-"` // at the microphones, from sources in the world

	rx       [commandSize]byte // as received; a short write leaves old bytes
	work     [commandSize]byte // the copy that the command thread reads
	tx       [ReplySize]byte   // as last built
	pending  bool              // the command thread has been signalled
	runAt    time.Duration     // when it comes to the command
	messages uint64
	cut      cut
	i2cErr   bool // an error happened since it last looked
}

// New returns a processor that has finished starting this moment.
func New(cfg Config) *MCU {
	cfg.BootTime, cfg.Latency = orDefault(cfg.BootTime, BootTime), orDefault(cfg.Latency, Latency)
	m := &MCU{cfg: cfg, selector: cfg.Selector & 0x0f, now: -cfg.BootTime}
	m.boot()
	m.now = 0
	if cfg.Settled {
		m.motorsAt, m.leds.keptUntil = -time.Hour, 0
		m.left, m.right = settledStepper(), settledStepper()
	}
	return m
}

// orDefault gives v, the default for 0 and 0 for less.
func orDefault(v, def time.Duration) time.Duration {
	if v == 0 {
		return def
	}
	return max(v, 0)
}

// Restart puts the processor into its state at power-on, as the reset line
// or an empty battery does. The selector, the button and the sound around
// are not its own and stay; so do the colours for a while, which the radio
// module keeps.
func (m *MCU) Restart() {
	shown, left, right := m.LEDs().RGB, m.left.travel, m.right.travel
	m.boot()
	m.leds.kept, m.left.travel, m.right.travel = shown, left, right
}

func (m *MCU) boot() {
	motors := m.now + max(0, m.cfg.BootTime-afterMotors)
	*m = MCU{
		cfg:      m.cfg,
		now:      m.now,
		resetAt:  m.now,
		motorsAt: motors,
		readyAt:  m.now + m.cfg.BootTime,
		left:     newStepper(motors),
		right:    newStepper(motors),
		override: m.override,
		selector: m.selector,
		button:   m.button,
		sound:    m.sound,
	}
	if m.override != (MotorOverride{}) {
		m.drive(0, 0)
	}
	m.ir.latest = int64(m.now / SamplePeriod)
	m.leds.keptUntil = motors + radioStart
	m.remote.loop = motors
	m.load()
}

// Ready reports whether the processor acknowledges its address.
func (m *MCU) Ready() bool { return m.slave && m.now >= m.readyAt }

// Now returns the time that the processor has reached.
func (m *MCU) Now() time.Duration { return m.now }

// Advance advances to time t, counted from the processor's beginning. Going
// back does nothing.
func (m *MCU) Advance(t time.Duration) {
	for {
		at, run := m.nextEvent()
		if run == nil || at > t {
			break
		}
		m.advanceMotors(at)
		run(m)
	}
	m.advanceMotors(t)
}

// nextEvent returns the earliest thing that a thread of the firmware waits for.
func (m *MCU) nextEvent() (at time.Duration, run func(*MCU)) {
	first := func(when time.Duration, do func(*MCU)) {
		if run == nil || when < at {
			at, run = when, do
		}
	}
	switch {
	case m.ir.waiting:
		first(m.ir.poll, (*MCU).pollCalibration)
	case m.pending:
		first(m.runAt, (*MCU).runCommands)
	}
	if m.program.looking {
		first(m.program.lookAt, (*MCU).checkSelector)
	}
	return at, run
}

func (m *MCU) advanceMotors(t time.Duration) {
	if t > m.now {
		m.left.advance(t)
		m.right.advance(t)
		m.now = t
	}
}

// Waking reports whether a command waits for its thread, at most [Latency].
func (m *MCU) Waking() bool { return m.pending && !m.ir.waiting }

// Idle reports whether nothing but time passes until the next command: the
// motors are stopped, no thread waits. Advance may then be called with any jump and
// Sample with the last cycle only.
func (m *MCU) Idle() bool {
	return !m.left.moving() && !m.right.moving() && !m.ir.waiting && !m.pending && !m.program.looking
}
