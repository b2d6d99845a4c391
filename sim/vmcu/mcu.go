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
	// Delta is how much less was measured with the LED on, 0 to Ambient: the
	// nearer, the more. It includes the sensor's own offset.
	Delta [8]uint16
}

// Environment is the world around the processor.
type Environment interface {
	// Infrared writes the measurement of cycle n, taken at n·SamplePeriod. It is
	// asked about the latest cycle only, perhaps several times.
	Infrared(n int64, s *Infrared)
}

// Config describes a processor.
type Config struct {
	// Firmware is the program. It defaults to Extension.
	Firmware Firmware
	// Selector is the position of the rotary selector, 0 to 15, at power-on.
	Selector uint8
	// BootTime is how long the processor is deaf after a restart. The true
	// figure is not known; it defaults to 0.
	BootTime time.Duration
	// Noise is the source of the microphones' noise.
	Noise noise.Source
	// Environment must not be nil.
	Environment Environment
}

// MCU is the processor. It begins at time zero, started and idle.
type MCU struct {
	cfg Config
	now time.Duration
	// readyAt is when the program runs; slave whether it then answers.
	readyAt time.Duration
	slave   bool

	left, right stepper
	leds        leds
	ir          infrared
	melody      melody
	remote      remote
	york        york
	selector    uint8
	button      bool
	sound       float64

	rx      [CommandSize]byte // as received; a short write leaves old bytes
	work    [CommandSize]byte // the copy that the command thread reads
	tx      [ReplySize]byte   // as last built
	pending bool              // the command thread has been told
	i2cErr  bool              // an error happened since it last looked
}

// New returns a processor that has finished starting.
func New(cfg Config) *MCU {
	m := &MCU{cfg: cfg, selector: cfg.Selector & 0x0f}
	m.boot()
	m.readyAt = 0
	return m
}

// Restart puts the processor into its state at power-on, as the reset line
// or an empty battery does. The selector, the button and the sound around
// are not its own and stay; so do the colours, which the radio module keeps.
func (m *MCU) Restart() {
	rgb, left, right := m.leds.rgb, m.left.travel, m.right.travel
	m.boot()
	m.leds.rgb, m.left.travel, m.right.travel = rgb, left, right
}

func (m *MCU) boot() {
	start := m.now.Truncate(Tick)
	*m = MCU{
		cfg:      m.cfg,
		now:      m.now,
		readyAt:  m.now + m.cfg.BootTime,
		slave:    m.cfg.Firmware == York || m.cfg.Firmware == Extension && m.selector == extensionSelector,
		left:     newStepper(start),
		right:    newStepper(start),
		selector: m.selector,
		button:   m.button,
		sound:    m.sound,
	}
	m.ir.latest = int64(m.now / SamplePeriod)
}

// Ready reports whether the processor acknowledges its address.
func (m *MCU) Ready() bool { return m.slave && m.now >= m.readyAt }

// Now returns the time that the processor has reached.
func (m *MCU) Now() time.Duration { return m.now }

// Advance lets time pass until t, counted from the processor's beginning. Going
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
func (m *MCU) nextEvent() (time.Duration, func(*MCU)) {
	at, run := time.Duration(0), (func(*MCU))(nil)
	if m.ir.waiting {
		at, run = m.ir.poll, (*MCU).pollCalibration
	}
	if m.remote.pending && (run == nil || m.remote.free < at) {
		at, run = m.remote.free, (*MCU).runRemote
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

// Idle reports whether nothing but time passes until the next command: the
// motors stand, no thread waits. Advance may then be called with any jump and
// Sample with the last cycle only.
func (m *MCU) Idle() bool {
	return !m.left.moving() && !m.right.moving() && !m.ir.waiting && !m.remote.pending
}
