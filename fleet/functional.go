// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/typewatch"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// functional is the node of a robot of the functional level. Its parameters, topics, services and messages are those of
// the driver's tables: only the readings come from formulas instead of chips.
type functional struct {
	simulated controllable
	node      *ros2.Node
	clock     ros2.Clock

	robot   table.Group // topics of the control cycle
	watched watched
	parts   []*part
	imu     *inertial // nil: the robot has none
	// calibrated gets the results of the IMU's calibrations.
	calibrated func(gyroBias [3]float64, err error)
	// boardMount is the rotation from the axes of the board's magnetometer.
	boardMount axes.Rotation
	report     *report
	pictures   *pictures
	inputs     []table.Input
	services   []io.Closer
	unwatch    func()
	types      *typewatch.Watch // nil before open

	odometer *odometry.Odometer
	reading  table.Reading
	next     time.Time // of the next control cycle
	taken    time.Time // of the latest

	resets      atomic.Bool // the odometry is to be reset
	changed     atomic.Bool // a parameter has
	calibration atomic.Pointer[calibration]
	monitor     *battery.Monitor

	mu          sync.Mutex // guards what follows; set is replaced in step alone
	set         *table.Settings
	held        wheels.Hold
	left, right int16 // commanded, steps/s
	commandedAt time.Time
	lamps       vmcu.LEDs
	newLamps    bool
	sent        [2]int16 // the last speeds given to the wheels, steps/s
}

// newFunctional offers the topics and services of a robot on a node.
// calibrated gets the results of the IMU's calibrations.
func newFunctional(r controllable, n *ros2.Node, clock ros2.Clock, calibrated func(gyroBias [3]float64, err error)) (*functional, error) {
	f := &functional{simulated: r, node: n, clock: clock, unwatch: func() {}, calibrated: calibrated}
	if err := table.Declare(n); err != nil {
		return nil, err
	}
	var err error
	if f.set, err = table.ReadSettings(n.Parameters()); err != nil {
		return nil, err
	}
	if f.boardMount, err = axes.RotationOf(f.set.MagRotation[:]); err != nil {
		return nil, err
	}
	if f.monitor, err = battery.NewMonitor(battery.MonitorConfig{}); err != nil {
		return nil, err
	}
	if f.odometer, err = odometry.New(f.set.Wheels.Odometry()); err != nil {
		return nil, err
	}
	f.reading = table.Reading{First: true, Set: f.set, Stamp: builtin_interfaces.TimeOf(clock.Now())}
	f.reading.Sensors.Selector = mcu.SelectorPi
	if err := f.open(); err != nil {
		return nil, errors.Join(err, f.close())
	}
	f.unwatch = n.Parameters().OnChange(func(ros2.ParameterEvent) { f.changed.Store(true) })
	return f, nil
}

// open offers and asks for the topics and services, and publishes what is published once.
func (f *functional) open() (err error) {
	if f.pictures, err = openPictures(f); err != nil {
		return err
	}
	if f.robot, err = table.NewGroup(f.node, f.set, table.PublishedBy("")); err != nil {
		return err
	}
	f.watched = watch(&f.robot)
	if err := f.openParts(); err != nil {
		return err
	}
	if f.report, err = newReport(f); err != nil {
		return err
	}
	if f.inputs, err = table.NewInputs(f.node, commands{f}, f.set, f.subscribed()); err != nil {
		return err
	}
	if f.types, err = typewatch.New(f.node, table.CommandTypes(f.set.Stamped), f.node.Logger()); err != nil {
		return err
	}
	if err := f.openServices(); err != nil {
		return err
	}
	for _, o := range f.robot.All {
		if err := o.Announce(&f.reading); err != nil {
			return err
		}
	}
	return nil
}

// step does what is due: a control cycle, the measurements of the parts, and what is published of both.
func (f *functional) step(now time.Time) error {
	f.act(false)
	cycle := !now.Before(f.next)
	if cycle {
		if f.next = f.next.Add(f.set.Period); f.next.Before(now) {
			f.next = now.Add(f.set.Period)
		}
		if err := f.applyParameters(); err != nil {
			return err
		}
		f.types.Check(now)
	}
	due := false
	for _, p := range f.parts {
		p.news = p.due(now)
		due = due || p.news
	}
	if !cycle && !due {
		return nil
	}
	if cycle {
		f.advanceCalibration(now)
	}
	f.simulated.Do(func(c *sim.Control) {
		if cycle {
			f.sense(c)
		}
		for _, p := range f.parts {
			if p.news {
				p.measure(c, &f.reading, now)
			}
		}
	})
	f.obeyBattery()
	var errs []error
	if cycle {
		f.complete(now)
		errs = append(errs, f.publish(f.robot.Due()), f.report.publish(now))
		f.reading.First = false
	}
	for _, p := range f.parts {
		if p.news {
			errs = append(errs, f.publish(p.topics.Due()))
		}
	}
	return errors.Join(errs...)
}

// applyParameters uses the parameters that have changed.
func (f *functional) applyParameters() error {
	if !f.changed.CompareAndSwap(true, false) {
		return nil
	}
	set, err := table.ReadSettings(f.node.Parameters())
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.set = set
	f.mu.Unlock()
	f.reading.Set = set
	return f.odometer.SetGeometry(set.Wheels.Odometry())
}

// publish publishes the reading on topics.
func (f *functional) publish(outputs []table.Output) error {
	var errs []error
	for _, o := range outputs {
		errs = append(errs, o.Publish(&f.reading))
	}
	return errors.Join(errs...)
}

// close stops the wheels and withdraws everything.
func (f *functional) close() error {
	f.unwatch()
	if f.types != nil {
		f.types.Close()
	}
	f.simulated.Do(func(c *sim.Control) { c.SetWheels(0, 0) })
	errs := []error{f.pictures.close(), f.report.close(), table.CloseOutputs(f.robot.All), table.CloseInputs(f.inputs), table.CloseServices(f.services)}
	for _, p := range f.parts {
		errs = append(errs, table.CloseOutputs(p.topics.All))
	}
	return errors.Join(errs...)
}
