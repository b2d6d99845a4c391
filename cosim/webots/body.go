// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// body is a robot with a controller: its devices, as Webots has them.
type body struct {
	chassis
	server    *Server
	place     int // among the robots
	session   *session
	devices   []device // by their tags; 0 is the robot
	motors    []*motor
	pages     []*page
	receivers []*receiver
	emitters  []*emitter
	root      root
	left      bool // the controller has said that it ends
	logged    map[string]bool
}

// device is a part of a robot that a controller knows.
type device interface {
	// describe returns its name and kind.
	describe() (name string, kind wire.Kind)
	// configure appends the device's description to a message for the controller.
	configure(a *wire.Answer)
	// execute does what the controller wants.
	execute(b *body, c wire.Command, a *wire.Answer) error
	// measure appends the device's measurement for the controller, if it is due.
	measure(b *body, a *wire.Answer)
}

// maxDevices is the number of different 16-bit tags.
const maxDevices = 1<<16 - 1

// newBody makes a robot ready for a controller.
func newBody(s *Server, c chassis, place int, n *session) (*body, error) {
	b := &body{chassis: c, server: s, place: place, session: n, logged: make(map[string]bool)}
	b.root.part = part{name: c.Name(), kind: wire.Robot}
	b.add(&b.root, &b.root.part)
	c.build(b)
	if len(b.devices) > maxDevices {
		return nil, fmt.Errorf("%w: %d of them", errDevice, len(b.devices))
	}
	return b, c.begin(b)
}

// add gives a device the next tag.
func (b *body) add(d device, p *part) {
	p.tag = uint16(len(b.devices))
	b.devices = append(b.devices, d)
}

// part is what all devices have.
type part struct {
	name string
	kind wire.Kind
	tag  uint16
}

// describe implements device.
func (p *part) describe() (name string, kind wire.Kind) { return p.name, p.kind }

// sampler is a device that measures every so often.
type sampler struct {
	part
	period, last time.Duration // period 0: it is off
}

// every sets the period; the first measurement is at its end.
func (s *sampler) every(ms int32, now time.Duration) {
	s.period, s.last = time.Duration(ms)*time.Millisecond, now
}

// due reports whether it is time to measure.
func (s *sampler) due(now time.Duration) bool {
	if s.period <= 0 || now-s.last < s.period {
		return false
	}
	s.last = now - (now-s.last)%s.period
	return true
}

// configure sends the description of the robot and all its devices to the controller.
func (b *body) configure(a *wire.Answer) {
	cfg, r := &b.server.cfg, b.session.release
	a.Begin(0, wire.Configure)
	if r.Names() {
		a.String(b.Name())
		a.String(r.String())
	}
	a.Bool(false) // no supervisor
	a.Bool(true)  // synchronization
	a.Uint16(uint16(len(b.devices)))
	a.Uint16(r.Number(wire.Robot))
	a.Doubles(b.server.now.Seconds())
	if !r.Names() {
		a.String(b.Name())
	}
	for _, d := range b.devices[1:] {
		name, kind := d.describe()
		a.Uint16(r.Number(kind))
		a.String(name)
		a.String("") // model
	}
	a.Doubles(float64(cfg.BasicStep) / float64(time.Millisecond))
	for _, text := range [...]string{"", cfg.World, b.model(), "<none>", "", "<extern>", b.root.custom} {
		a.String(text) // project, world, model, window, remote control, controller, custom data
	}
	a.Bool(false) // no window
	a.Bool(false)
	a.Int32(2) // as fast as possible
	for i, d := range b.devices[1:] {
		if _, kind := d.describe(); kind != wire.LED { // which take no message
			a.Begin(uint16(i+1), wire.Configure)
			d.configure(a)
		}
	}
}

// execute executes the controller's commands to its devices. What can't be read or executed is left out, with a warning, as
// Webots does: the request is answered, and the connection lives on.
func (b *body) execute(q *wire.Request, a *wire.Answer) {
	if q.Unread != nil {
		b.missing(q.Unread.Error(), "nothing: the rest of the request is left out")
	}
	for _, p := range q.Parts {
		if err := b.executePart(p, a); err != nil {
			b.missing(err.Error(), "nothing: the device's part of the request is left out")
		}
	}
	b.act(b)
}

// executePart executes the controller's commands to one device.
func (b *body) executePart(p wire.Part, a *wire.Answer) error {
	if int(p.Tag) >= len(b.devices) {
		return fmt.Errorf("%w: %d of %d", errDevice, p.Tag, len(b.devices))
	}
	d := b.devices[p.Tag]
	name, kind := d.describe()
	commands, err := b.session.release.Commands(kind, p.Body)
	if err != nil {
		return fmt.Errorf("device %q: %w", name, err)
	}
	for _, c := range commands {
		if err := d.execute(b, c, a); err != nil {
			return fmt.Errorf("device %q: %w", name, err)
		}
	}
	return nil
}

// measure sends the time and the devices' measurements to the controller.
func (b *body) measure(a *wire.Answer) {
	a.Begin(0, wire.RobotTime)
	a.Doubles(b.server.now.Seconds())
	var eyes []*camera
	b.sense(func() {
		for _, d := range b.devices {
			if c, sees := d.(*camera); sees {
				eyes = append(eyes, c)
				continue
			}
			d.measure(b, a)
		}
	})
	for _, c := range eyes { // which look at the world by themselves
		c.measure(b, a)
	}
}

// close stops the robot.
func (b *body) close() {
	b.halt(b)
	for _, p := range b.pages {
		if err := p.close(); err != nil {
			b.server.cfg.Logger.Warn("pictures can't be put away", "robot", b.Name(), "error", err)
		}
	}
}

// maxLogged bounds how many different things are logged that a controller asked for in vain.
const maxLogged = 100

// missing logs once that the controller asked for something that is not supported.
func (b *body) missing(what, instead string) {
	if !b.logged[what] && len(b.logged) < maxLogged {
		b.logged[what] = true
		b.server.cfg.Logger.Warn("controller wants what this world doesn't have", "robot", b.Name(), "wants", what, "instead", instead)
	}
}

// errNumber: a number that is none.
var errNumber = errors.New("webots: not a number")

// finite refuses what is no number.
func finite(v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%w: %v", errNumber, v)
	}
	return nil
}
