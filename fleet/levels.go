// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// server implements the topics, services and parameters of one robot. Which implementation it is depends on the
// simulated robot's interface.
type server interface {
	// step executes what is due at a time.
	step(now time.Time) error
	// cycle executes one control cycle, at a time that the robot's simulated processor determines.
	cycle(now time.Time) error
	// status returns the state of the robot's driver; false if it has none.
	status() (health.Status, bool)
	close() error
}

// Chips is a simulated robot as its driver accesses it: chips on two buses, pins and files of the Raspberry Pi, and a
// camera, such as a [sim.Firmware].
type Chips interface {
	sim.Robot
	Bus() *vbus.Bus
	BoardBus() *vbus.Bus
	Pin(number int) *vgpio.Pin
	BatteryFS() fs.FS
	Camera() camera.Device
	LensDistortion() []float64
	SetCharge(share float64) error
}

// controllable is a robot whose sensors and actuators are accessed as values in SI units.
type controllable interface {
	sim.Robot
	Do(f func(*sim.Control))
	Equipment() sim.Equipment
	Camera() camera.Device
	LensDistortion() []float64
}

// mechanical is a robot with a description, moved by a mechanism.
type mechanical interface {
	sim.Robot
	genericdriver.Mechanical
}

// join creates a robot's node and server.
func (f *Fleet) join(m sim.Robot) (*member, error) {
	switch r := m.(type) {
	case mechanical:
		return f.joinMechanical(r)
	case controllable:
		return f.joinEpuck(r, func(g *member) (server, error) {
			return newFunctional(r, g.node, f.cfg.Clock, f.calibrations.of(g.node.Logger()))
		})
	case Chips:
		return f.joinEpuck(r, func(g *member) (server, error) { return f.drive(r, g.node) })
	}
	return nil, fmt.Errorf("%w: nothing serves a robot of level %s", driver.ErrConfig, m.Level())
}

// joinEpuck creates the node of an e-puck2, its server, and its topics for messages by infrared.
func (f *Fleet) joinEpuck(m sim.Robot, serve func(g *member) (server, error)) (*member, error) {
	g, err := f.newMember(m)
	if err != nil {
		return nil, err
	}
	if g.talk, err = newTalk(m, g.node); err != nil {
		return nil, errors.Join(err, g.node.Close())
	}
	if g.server, err = serve(g); err != nil {
		return nil, errors.Join(err, g.talk.close(), g.node.Close())
	}
	return g, nil
}

// driven is the server of a robot with the driver of real robots.
type driven struct {
	*driver.Driver
	done func() error
}

// drive creates the driver of a robot with chips.
func (f *Fleet) drive(r Chips, n *ros2.Node) (server, error) {
	if f.cfg.Hardware == nil {
		return nil, fmt.Errorf("%w: no hardware for robots of the firmware level", driver.ErrConfig)
	}
	cfg, done, err := f.cfg.Hardware(r, n)
	if err != nil {
		return nil, err
	}
	cfg.Node, cfg.Clock, cfg.Calibrated = n, f.cfg.Clock, f.calibrations.of(n.Logger())
	d, err := driver.New(cfg)
	if err != nil {
		return nil, errors.Join(err, done())
	}
	return driven{d, done}, nil
}

func (d driven) step(time.Time) error { return d.Serve() }

func (d driven) cycle(time.Time) error {
	_ = d.Step() // the driver reports a robot that does not respond
	return nil
}

func (d driven) status() (health.Status, bool) { return d.Status(), true }
func (d driven) close() error                  { return errors.Join(d.Close(), d.done()) }

// cycle implements server.
func (f *functional) cycle(now time.Time) error {
	f.next = now
	return f.step(now)
}

// status implements server.
func (f *functional) status() (health.Status, bool) { return health.Status{}, false }

// generic is the server of a robot with the generic driver.
type generic struct{ *genericdriver.Driver }

// joinMechanical creates the node and the generic driver of a robot with a description.
func (f *Fleet) joinMechanical(r mechanical) (*member, error) {
	robot, called := genericdriver.OfArticulated(r), driver.NodeName
	robot.Do(func(d machine.Devices) { called = genericdriver.NodeName(d.Description()) })
	node, err := f.newNode(r.Name(), called, r.Record, nil, nil)
	if err != nil {
		return nil, err
	}
	robot.Do(func(d machine.Devices) { f.logUnsupported(node, r.Model(), d.Description().Ignored) })
	d, err := genericdriver.New(genericdriver.Config{Node: node, Robot: robot, File: f.cfg.Settings[r.Model()]})
	if err != nil {
		return nil, errors.Join(err, node.Close())
	}
	return &member{name: r.Name(), node: node, server: generic{d}}, nil
}

func (g generic) step(now time.Time) error      { return g.Step(now) }
func (g generic) cycle(now time.Time) error     { return g.Step(now) }
func (g generic) status() (health.Status, bool) { return health.Status{}, false }
func (g generic) close() error                  { return g.Close() }
