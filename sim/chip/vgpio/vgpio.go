// SPDX-License-Identifier: Apache-2.0

// Package vgpio simulates a pin of the Raspberry Pi with the part that is connected to it: a button, a charger's
// signal, a reset line.
//
// A [Pin] implements periph's gpio.PinIO. As an input it shows what drives it from outside, else what its pull resistor
// makes of it; as an output it notifies its listener. It can be made to fail as a pin that belongs to another program
// does.
package vgpio

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/pin"
)

// errUnsupported is matched by what these pins cannot do: PWM and other functions.
var errUnsupported = errors.New("vgpio: not supported")

// Pin is one pin. All methods are safe for concurrent use.
type Pin struct {
	name   string
	number int

	mu      sync.Mutex
	out     bool // the Pi drives the pin
	level   gpio.Level
	pull    gpio.Pull
	driven  bool // another chip drives it
	outside gpio.Level
	fail    error
	changes int
	listen  func(gpio.Level)
	heard   gpio.Level
}

var (
	_ gpio.PinIO  = (*Pin)(nil)
	_ pin.PinFunc = (*Pin)(nil)
)

// New makes an input without pull resistor that is not driven: low. The number is that of the BCM2835.
func New(number int) *Pin {
	return &Pin{name: fmt.Sprintf("GPIO%d", number), number: number, pull: gpio.Float}
}

// Drive makes the other end give a level.
func (p *Pin) Drive(l gpio.Level) {
	p.mu.Lock()
	p.driven, p.outside = true, l
	p.unlockAndNotify()
}

// Release makes the other end release the line.
func (p *Pin) Release() {
	p.mu.Lock()
	p.driven = false
	p.unlockAndNotify()
}

// Fail makes every use of the pin by the Pi fail from now on; nil mends it.
func (p *Pin) Fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = err
}

// Listen calls f at once and at each change of the level of the line, from the goroutine that changes it.
func (p *Pin) Listen(f func(gpio.Level)) {
	p.mu.Lock()
	p.listen, p.heard = f, p.line()
	l := p.heard
	p.mu.Unlock()
	f(l)
}

// Output reports whether the Pi drives the pin.
func (p *Pin) Output() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out
}

// Changes is how often the level of the line has changed while there was a listener.
func (p *Pin) Changes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changes
}

// line is the level of the line: a pin that the Pi drives is stronger than the other end.
func (p *Pin) line() gpio.Level {
	switch {
	case p.out:
		return p.level
	case p.driven:
		return p.outside
	}
	return gpio.Level(p.pull == gpio.PullUp)
}

// unlockAndNotify ends a change. The listener is called without the lock, so that it may look at the pin.
func (p *Pin) unlockAndNotify() {
	l := p.line()
	f := p.listen
	if f == nil || l == p.heard {
		p.mu.Unlock()
		return
	}
	p.heard = l
	p.changes++
	p.mu.Unlock()
	f(l)
}

// In implements gpio.PinIn. Edges are not supported.
func (p *Pin) In(pull gpio.Pull, edge gpio.Edge) error {
	p.mu.Lock()
	if p.fail != nil || edge != gpio.NoEdge {
		defer p.mu.Unlock()
		if p.fail == nil {
			return fmt.Errorf("%w: edges of %s", errUnsupported, p.name)
		}
		return fmt.Errorf("%s: %w", p.name, p.fail)
	}
	p.out = false
	if pull != gpio.PullNoChange {
		p.pull = pull
	}
	p.unlockAndNotify()
	return nil
}

// Read implements gpio.PinIn.
func (p *Pin) Read() gpio.Level {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.line()
}

// Out implements gpio.PinOut.
func (p *Pin) Out(l gpio.Level) error {
	p.mu.Lock()
	if p.fail != nil {
		defer p.mu.Unlock()
		return fmt.Errorf("%s: %w", p.name, p.fail)
	}
	p.out, p.level = true, l
	p.unlockAndNotify()
	return nil
}

// WaitForEdge implements gpio.PinIn; there are no edges.
func (p *Pin) WaitForEdge(time.Duration) bool { return false }

// Pull implements gpio.PinIn.
func (p *Pin) Pull() gpio.Pull {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pull
}

// DefaultPull implements gpio.PinIn.
func (p *Pin) DefaultPull() gpio.Pull { return gpio.Float }

// PWM implements gpio.PinOut; it fails.
func (p *Pin) PWM(gpio.Duty, physic.Frequency) error {
	return fmt.Errorf("%w: PWM of %s", errUnsupported, p.name)
}

// String implements conn.Resource.
func (p *Pin) String() string { return p.name }

// Halt implements conn.Resource; it has no effect, as on a Raspberry Pi.
func (p *Pin) Halt() error { return nil }

// Name implements pin.Pin.
func (p *Pin) Name() string { return p.name }

// Number implements pin.Pin.
func (p *Pin) Number() int { return p.number }

// Function implements pin.Pin.
func (p *Pin) Function() string { return string(p.Func()) }

// Func implements pin.PinFunc.
func (p *Pin) Func() pin.Func {
	if p.Output() {
		return gpio.OUT
	}
	return gpio.IN
}

// SupportedFuncs implements pin.PinFunc.
func (p *Pin) SupportedFuncs() []pin.Func { return []pin.Func{gpio.IN, gpio.OUT} }

// SetFunc implements pin.PinFunc; it fails.
func (p *Pin) SetFunc(f pin.Func) error {
	return fmt.Errorf("%w: function %s of %s", errUnsupported, f, p.name)
}
