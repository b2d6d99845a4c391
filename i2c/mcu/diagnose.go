// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

// Health is the state of the connection to the MCU.
type Health uint8

// The states of health.
const (
	HealthUnknown Health = iota // no transaction yet
	HealthOK                    // the last transaction returned a measurement
	// it returned one, but the selector is not where it must be (10 or A): the next start of the robot will fail
	HealthSelector
	HealthNoAnswer // no chip acknowledges the address
	healthTimeout  // transfers do not end
	healthBus      // transfers fail in another way
	HealthGone     // the bus no longer exists or may not be used
	healthChecksum // replies come, their checksum is wrong
	healthStarting // replies without measurements: all zero
	HealthRegister // the York register firmware answers
	healthGarbage  // replies come with a good checksum and are none of the firmware's
	HealthValues   // measurements come, with a few impossible values, which are refused
	HealthBlinded  // measurements come, with full light in all eight infrared sensors
)

// Diagnosis is a state of health with a message for the user: the fault and what to do.
type Diagnosis struct {
	Health Health
	Text   string // one or two sentences; empty for HealthUnknown and HealthOK
	Err    error  // the failure it was derived from, nil while there are measurements
}

// Measures reports whether the last transaction returned a measurement, possibly with a warning.
func (d Diagnosis) Measures() bool {
	switch d.Health {
	case HealthOK, HealthSelector, HealthValues, HealthBlinded:
		return true
	}
	return false
}

var advice = [...]string{
	HealthSelector: "The selector is at %d, not at %d (%[2]X): the robot keeps working now, but will not answer after its next start. Turn it to %[2]X.",
	HealthNoAnswer: "No answer from the e-puck2 at I2C address 0x1F. Switch the robot on with its selector at 10 (A) and the " +
		"extension firmware (e-puck2_main-processor_extension) in its main processor: the standard firmware is itself an I2C master and never answers.",
	healthTimeout: "I2C transfers to the e-puck2 time out. Something holds the bus: check the Pi-puck's connector; with the standard firmware " +
		"instead of the extension firmware, or another selector position than 10 (A), the robot is a second master on the bus.",
	healthBus:      "I2C transfers to the e-puck2 fail. Check the Pi-puck's connector, and that no other program uses the bus.",
	HealthGone:     "The I2C bus can no longer be used. Check that its device file exists and may be opened (group i2c).",
	healthChecksum: "The e-puck2 answers, but every checksum is wrong. Check the connector, and that its main processor has the extension firmware of 07.06.19 or later.",
	healthStarting: "The e-puck2 answers without a measurement. It has just been switched on; if this stays, its main processor lacks the extension firmware, or the selector is not at 10 (A).",
	HealthRegister: "This robot runs the York register firmware (pi-puck_proto-epuck1), which another driver needs. Flash the extension firmware " +
		"(e-puck2_main-processor_extension) to use this one.",
	healthGarbage: "The e-puck2 answers with impossible values. Check that its main processor has the extension firmware (e-puck2_main-processor_extension).",
	HealthValues: "The e-puck2 sends values that its sensors can't measure: %v. They are refused, all other values are used. " +
		"If it stays, a sensor or its wiring is broken.",
	HealthBlinded: "All eight infrared sensors of the e-puck2 read full light: in direct sun they see no obstacles. " +
		"Otherwise the robot was switched on this moment.",
}

// seen is the state of recent transactions, safe for concurrent use.
type seen struct {
	mu       sync.Mutex
	any      bool
	err      error  // of the last transaction
	selector uint8  // of the last measurement that had one
	known    bool   // selector is known
	refused  Values // of the last measurement
	blinded  bool   // the last measurement was
}

// result stores how a transaction ended.
func (s *seen) result(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.any, s.err = true, err
}

// update stores what a measurement shows about the robot. It reports whether the selector was turned, and whether
// values are refused that were not in the previous measurement.
func (s *seen) update(m *Sensors, want uint8) (turned, newlyRefused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !m.Refused.Has(ValueSelector) {
		turned = m.Selector != s.selector && (s.known || m.Selector != want)
		s.selector, s.known = m.Selector, true
	}
	newlyRefused = s.refused == 0 && m.Refused != 0
	s.refused, s.blinded = m.Refused, m.Blinded()
	return turned, newlyRefused
}

// evaluate stores and counts what a measurement shows about the robot, and reports changes.
func (d *Dev) evaluate(s *Sensors) {
	d.cnt.refused.Add(uint64(s.Refused.Len()))
	for _, v := range s.Microphone {
		if v > math.MaxInt16 {
			d.cnt.clipped.Add(1)
		}
	}
	turned, refused := d.seen.update(s, d.opts.Selector)
	if turned {
		d.opts.OnEvent(Event{Kind: EventSelector})
	}
	if refused {
		d.opts.OnEvent(Event{Kind: EventRefused, Refused: s.Refused})
	}
}

// Diagnosis returns the state of health from the last transaction; it makes none. See [Dev.Probe].
func (d *Dev) Diagnosis() Diagnosis {
	d.seen.mu.Lock()
	defer d.seen.mu.Unlock()
	switch {
	case !d.seen.any:
		return Diagnosis{}
	case d.seen.err != nil:
		return diagnose(d.seen.err)
	case d.seen.refused != 0:
		return Diagnosis{Health: HealthValues, Text: fmt.Sprintf(advice[HealthValues], d.seen.refused)}
	case d.seen.known && d.seen.selector != d.opts.Selector:
		return Diagnosis{Health: HealthSelector, Text: fmt.Sprintf(advice[HealthSelector], d.seen.selector, d.opts.Selector)}
	}
	if d.seen.blinded {
		return Diagnosis{Health: HealthBlinded, Text: advice[HealthBlinded]}
	}
	return Diagnosis{Health: HealthOK}
}

// diagnose returns the state of health for a failed transaction. The fixes of a bus error have priority.
func diagnose(err error) Diagnosis {
	h := healthOf(err)
	text := advice[h]
	var own interface{ Advice() string }
	if errors.As(err, &own) {
		text = own.Advice()
	}
	return Diagnosis{Health: h, Text: text, Err: err}
}

func healthOf(err error) Health {
	switch {
	case errors.Is(err, errRegisterFirmware):
		return HealthRegister
	case errors.Is(err, ErrAllZero):
		return healthStarting
	case errors.Is(err, errImplausible):
		return healthGarbage
	case errors.Is(err, ErrChecksum):
		return healthChecksum
	}
	switch i2c.KindOf(err) {
	case i2c.KindNAK:
		return HealthNoAnswer
	case i2c.KindTimeout:
		return healthTimeout
	case i2c.KindGone:
		return HealthGone
	}
	return healthBus
}
