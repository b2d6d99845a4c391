// SPDX-License-Identifier: Apache-2.0

// Package driver makes a ROS 2 node of an e-puck2: it runs the control loop, turns readings into messages and messages
// into commands, and keeps the robot safe. It is given a bus and a node and can't tell whether a robot or a simulation,
// which network or none, is behind them.
//
//	cmd_vel, led*, speaker ─► motion, lights ─┐
//	                                          ▼
//	            bus ◄── mcu.Dev.Exchange ◄── loop ──► odometry ──► outputs ──► odom, /tf, scan, ps*, …
//
// One goroutine, the one in [Driver.Run], owns the bus and builds all messages. It exchanges a command for a reading at
// the parameter rate, and in between when the wheels' speeds are to change. Subscriptions only leave their wish and wake it.
//
// # Safety
//
// The robot has no motor watchdog: it keeps the last speed for ever. The driver stops the wheels when no cmd_vel came
// for cmd_vel_timeout, when the context ends, when it is closed, when the ROS transport is lost, and when the loop
// panics. When the robot does not answer, the motion is forgotten and commands are ignored, so that a robot that comes
// back stands until it gets a new command.
package driver

import (
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// NodeName is the name of the driver's node, which tools written for the old driver expect.
const NodeName = "epuck_driver"

// Config is what a driver is made of.
type Config struct {
	// Bus is the I2C bus the robot is on. It is required; the driver uses it alone and does not close it.
	Bus i2c.Bus
	// Node is the node whose parameters and topics the driver declares. It is required; the driver does not close it.
	Node *ros2.Node
	// Clock times the control loop and stamps the messages. It defaults to the node's clock. It must run on while the robot
	// moves: simulated time (use_sim_time) concerns stamps only.
	Clock ros2.Clock
	// Logger gets the driver's log lines. It defaults to the node's.
	Logger *slog.Logger
	// StopTime is how long the driver goes on trying to stop the wheels when it ends and the bus fails. It defaults to 0.45 s;
	// an attempt under way may take half a second more.
	StopTime time.Duration
}

// Driver is the node of one robot. [Driver.Run] does the work; every other method may be called from any goroutine.
type Driver struct {
	node  *ros2.Node
	clock ros2.Clock
	log   *slog.Logger
	dev   *mcu.Dev
	stop  time.Duration

	settings atomic.Pointer[settings]
	motion   motion
	lights   lights
	wake     chan struct{} // holds one wish to look at motion again
	refusals limiter
	expiries limiter
	nonsense limiter
	watch    commandWatch
	sim      simTime
	status   statusBoard

	outputs []output
	inputs  []input
	cancels []func()

	life lifecycle
	bus  busState // of the goroutine in Run or Step
}

// New declares the parameters and offers the topics of a robot. It does not touch the bus. Errors match [ErrConfig],
// [ErrParameter] or those of package ros2; then nothing is left behind but the declared parameters.
func New(cfg Config) (*Driver, error) {
	d, err := prepare(cfg)
	if err != nil {
		return nil, err
	}
	if err := d.open(); err != nil {
		return nil, errors.Join(err, d.release())
	}
	return d, nil
}

// prepare checks the configuration and reads the parameters.
func prepare(cfg Config) (*Driver, error) {
	switch {
	case cfg.Bus == nil:
		return nil, fmt.Errorf("%w: Config.Bus is nil", ErrConfig)
	case cfg.Node == nil:
		return nil, fmt.Errorf("%w: Config.Node is nil", ErrConfig)
	case cfg.StopTime < 0:
		return nil, fmt.Errorf("%w: Config.StopTime %v is negative", ErrConfig, cfg.StopTime)
	}
	d := &Driver{node: cfg.Node, clock: cfg.Clock, log: cfg.Logger, stop: cfg.StopTime, wake: make(chan struct{}, 1)}
	if d.clock == nil {
		d.clock = cfg.Node.Clock()
	}
	if d.log == nil {
		d.log = cfg.Node.Logger()
	}
	if d.stop == 0 {
		d.stop = 450 * time.Millisecond
	}
	d.life.init()
	if err := Declare(d.node); err != nil {
		return nil, err
	}
	set, err := readSettings(d.node.Parameters())
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	d.settings.Store(set)
	d.dev, err = mcu.New(cfg.Bus, &mcu.Opts{Now: d.clock.Now, OnEvent: d.onEvent})
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	return d, nil
}

// open offers and asks for the topics and publishes what is published once.
func (d *Driver) open() (err error) {
	set := d.settings.Load()
	if d.outputs, err = newOutputs(d.node, set); err != nil {
		return err
	}
	if d.inputs, err = d.newInputs(set); err != nil {
		return err
	}
	unwatch, err := d.watchCommandType(set)
	if err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	d.cancels = append(d.cancels, d.watchSettings(), unwatch)
	if set.simTime {
		if err := d.sim.follow(d.node); err != nil {
			return fmt.Errorf("driver: %w", err)
		}
	}
	if err := d.bus.init(d); err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	for _, o := range d.outputs {
		if err := o.announce(&d.bus.reading); err != nil {
			return fmt.Errorf("driver: %w", err)
		}
	}
	return nil
}

// release withdraws everything from the node.
func (d *Driver) release() error {
	for _, cancel := range d.cancels {
		cancel()
	}
	errs := []error{closeOutputs(d.outputs), d.sim.close()}
	for _, in := range d.inputs {
		errs = append(errs, in.Close())
	}
	return errors.Join(errs...)
}
