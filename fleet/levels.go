// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
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

// server serves the topics, services and parameters of one robot. What a simulated robot can do decides which it has.
type server interface {
	// step does what is due at a time.
	step(now time.Time) error
	// cycle makes one control cycle at a time that the robot's processor chooses.
	cycle(now time.Time) error
	// status returns the state of the robot's driver; false if it has none.
	status() (health.Status, bool)
	close() error
}

// Chips is a simulated robot as its driver finds it: chips on two buses, pins and files of the Raspberry Pi, and a
// camera. A [sim.Firmware] is one.
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

// controllable is a robot that has its sensors and actuators as values, in SI units.
type controllable interface {
	sim.Robot
	Do(f func(*sim.Control))
	Equipment() sim.Equipment
	Camera() camera.Device
	LensDistortion() []float64
}

// mechanical is a robot with a description, which a mechanism moves.
type mechanical interface {
	sim.Robot
	genericdriver.Mechanical
}

// join makes a robot's node and what serves it.
func (f *Fleet) join(m sim.Robot) (*member, error) {
	switch r := m.(type) {
	case mechanical:
		return f.joinMechanical(r)
	case controllable:
		return f.joinEpuck(r, func(*ros2.Node) (driver.Config, func() error, error) {
			h := &functional{simulated: r}
			return driver.Config{Hardware: h, Camera: h.openCamera, CameraCalibration: h.lens(), CalibrationInMemory: true}, func() error { return nil }, nil
		})
	case Chips:
		if f.cfg.Hardware == nil {
			return nil, fmt.Errorf("%w: no hardware for robots of the firmware level", driver.ErrConfig)
		}
		return f.joinEpuck(r, func(n *ros2.Node) (driver.Config, func() error, error) { return f.cfg.Hardware(r, n) })
	}
	return nil, fmt.Errorf("%w: nothing serves a robot of level %s", driver.ErrConfig, m.Level())
}

// joinEpuck makes the node of an e-puck2, its driver, and its part in the messages by infrared. hardware returns the
// robot for the driver, and what to call when the driver has ended.
func (f *Fleet) joinEpuck(m sim.Robot, hardware func(n *ros2.Node) (cfg driver.Config, done func() error, err error)) (*member, error) {
	g, err := f.newMember(m)
	if err != nil {
		return nil, err
	}
	if g.talk, err = newTalk(m, g.node); err != nil {
		return nil, errors.Join(err, g.node.Close())
	}
	cfg, done, err := hardware(g.node)
	if err == nil {
		g.server, err = f.drive(cfg, done, g.node)
	}
	if err != nil {
		return nil, errors.Join(err, g.talk.close(), g.node.Close())
	}
	return g, nil
}

// driven is an e-puck2 with its driver.
type driven struct {
	*driver.Driver
	done func() error
	// The driver has nothing to do from one time to another unless it is woken.
	idle, until time.Time
	woken       atomic.Bool
}

// drive makes the driver of a robot.
func (f *Fleet) drive(cfg driver.Config, done func() error, n *ros2.Node) (server, error) {
	d := &driven{done: done}
	cfg.Node, cfg.Clock, cfg.Calibrated = n, f.cfg.Clock, f.calibrations.of(n.Logger())
	cfg.Parameters = f.parameters
	cfg.Woken = func() { d.woken.Store(true) }
	var err error
	if d.Driver, err = driver.New(cfg); err != nil {
		return nil, errors.Join(err, done())
	}
	return d, nil
}

func (d *driven) step(now time.Time) (err error) {
	if now.Before(d.until) && !now.Before(d.idle) && !d.woken.Load() {
		return nil
	}
	d.woken.Store(false)
	d.idle = now
	d.until, err = d.Serve()
	return err
}

func (d *driven) cycle(time.Time) error {
	_ = d.Step() // a robot that does not answer is the driver's to report
	return nil
}

func (d *driven) status() (health.Status, bool) { return d.Status(), true }
func (d *driven) close() error                  { return errors.Join(d.Close(), d.done()) }

// generic is a robot with the generic driver.
type generic struct{ *genericdriver.Driver }

// joinMechanical makes the node and the generic driver of a robot with a description.
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
