// SPDX-License-Identifier: Apache-2.0

// Package driver is the ROS 2 node of an e-puck2: it runs the control loop, converts readings to messages and
// messages to commands, and stops the wheels when commands or parts of the system fail. It gets a robot (see package
// hardware) and a node, and does not depend on whether they are real or simulated, or on the network.
//
//	cmd_vel, led*, speaker ─────────► wheels.Loop ◄──► main processor
//	                                       │ latest reading
//	                                       ▼
//	        parts ◄──► hardware ──► odometry and outputs ──► odom, /tf, scan, ps*, imu, tof, …
//
// The goroutine in [Driver.Run] only exchanges commands for readings, see package wheels: at the parameter rate, and
// in between when the wheels' speeds change. A second goroutine takes the latest reading, builds all messages and
// polls the parts on the robot's bus. Subscription callbacks only store the latest command.
//
// # Parts
//
// Everything except the main processor is optional: IMU, time-of-flight sensor, ground sensors and the camera's
// sensor on the same bus; LEDs, magnetometer and battery on the Pi-puck board, whose bus has its own goroutine. Each
// bus has one schedule: the control cycle and commands come first, and a part is polled when there is time before the
// next cycle. A part that fails or is slow is polled less often, and no part gets more than a quarter of the bus. A
// part without subscribers is polled once a second. A part's topics exist while the part is present; its faults are
// reported in /diagnostics, see package health.
//
// # Camera
//
// Pictures go from a camera.Pipeline to the topics on their own goroutines, which run only while one of the camera's
// topics has a subscriber; they and the control loop do not wait for each other. Pictures are published only after the
// camera's sensor has been set up over I2C.
//
// # Safety
//
// The robot has no motor watchdog: it keeps the last speed until it gets another. The driver stops the wheels when no
// cmd_vel arrived for cmd_vel_timeout, when the context ends, when it is closed, when the ROS transport is lost, and
// when a goroutine panics. A log, network, chip or callback that blocks does not prevent this, and when the loop
// itself hangs, its guard stops the wheels. When the robot does not answer, the motion is forgotten and commands are
// ignored, so that the robot stands still after it returns until it gets a new command.
package driver

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
	"github.com/epuck-ros2/epuck-driver/driver/namewatch"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/clockwatch"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/thread"
	"github.com/epuck-ros2/epuck-driver/ros2/typewatch"
)

// NodeName is the name of the driver's node; tools written for the original driver expect it.
const NodeName = "epuck_driver"

// Config is the configuration of a driver.
type Config struct {
	// Hardware is the robot: see package chips for one on I2C buses. It is required; the driver uses it exclusively.
	Hardware hardware.Hardware
	// Node is the node whose parameters and topics the driver declares. It is required; the driver does not close it.
	Node *ros2.Node
	// Parameters are the declarations of the node's parameters, which drivers of one program can share. They default to
	// new ones.
	Parameters table.Declarations
	// PowerOff shuts the machine down cleanly; it is called when the battery is critical and the parameter
	// battery_poweroff is set, and when the Pi-puck's button is held for two seconds, unless the parameter
	// button_poweroff is false. It must not block. It defaults to nothing.
	PowerOff func() error
	// Clock times the control loop and stamps the messages. It defaults to the node's clock. It must keep running
	// while the robot moves: simulated time (use_sim_time) affects stamps only.
	Clock ros2.Clock
	// WheelTimer returns started timers for the wheels' loop, its guard and the parts; Stop is called once, at the
	// end. They may be kernel timers, see package timerfd, if the hardware makes system calls. It defaults to Clock's timers,
	// which are also used if it returns an error.
	WheelTimer func(d time.Duration) (wheels.Timer, error)
	// Logger receives the driver's log lines. It defaults to the node's.
	Logger *slog.Logger
	// Calibrated, if set, gets the results of calibrations of the IMU that were not requested, instead of a line of the
	// log for each: the gyroscope's bias in rad/s or an error. It must not block.
	Calibrated func(gyroBias [3]float64, err error)
	// OnCycle is called after each control cycle once its messages are published; answered is whether the robot
	// answered. A watchdog can use it as a heartbeat of the loop and of publishing. It is not called on the loop's
	// goroutine: if it blocks, no more messages are published, but the wheels are still stopped. It defaults to none.
	OnCycle func(answered bool)
	// Woken is called when there is work for [Driver.Serve] before the time that its last call returned. It may be called
	// by any goroutine and must not block. It defaults to none.
	Woken func()
	// OnReading is called with the time of each reading that the odometry uses; a bus recording with these times
	// replays to the same odometry. It must not block. It defaults to none.
	OnReading func(taken time.Time)
	// Camera returns the camera that the parameter camera.device names; it is opened when one of its topics gets a
	// subscriber. If it returns an error, the parameter is refused. It defaults to nil: a robot without a camera.
	Camera func(device string) (camera.Device, error)
	// CameraCodecs are the GPU's; without them the processor does this work.
	CameraCodecs CameraCodecs
	// CameraCalibration is the camera's calibration where no file gives one. It defaults to none: not calibrated.
	CameraCalibration *caminfo.Calibration
	// CalibrationInMemory means that the camera's calibration is not read from a file, and that one which a service sets
	// is used until the driver ends: for simulated cameras.
	CalibrationInMemory bool
	// StopTime is how long the driver keeps trying to stop the wheels when it ends and the bus fails. It defaults to
	// 0.45 s; an attempt in progress may take half a second more.
	StopTime time.Duration
}

// Driver is the node of one robot. [Driver.Run] does the work; all other methods are safe for concurrent use.
type Driver struct {
	node  *ros2.Node
	clock ros2.Clock
	log   *slog.Logger
	controlLoop
	// newTimer makes the timers of the loop and of the other goroutines
	newTimer func(time.Duration) wheels.Timer
	devices  *hardware.Devices // nil until they are open

	onCycle    func(answered bool)
	onReading  func(taken time.Time)
	woken      func()                               // nil: none
	calibrated func(gyroBias [3]float64, err error) // may be nil
	settings   atomic.Pointer[table.Settings]
	refusals   mailbox.Limiter
	expiries   mailbox.Limiter
	nonsense   mailbox.Limiter
	strange    mailbox.Limiter
	overspeed  overspeed

	types   *typewatch.Watch
	names   *namewatch.Watch
	wall    *clockwatch.Watch // nil unless the clock is the computer's
	ros     *ros2.ROSClock    // the clock for stamps
	status  statusBoard
	mailbox *mailbox.Mailbox // to the goroutine that owns odometry and the parts

	calibration  atomic.Bool                          // one is running
	battery      mailbox.Latest[table.BatteryReading] // for diagnostics
	diagnostics  diagnostics                          // owned by the goroutine that publishes, or that calls Step
	magnetometer atomic.Pointer[partTopics]           // the part that publishes the magnetic field
	pictures     *pictures.Pictures                   // nil without a camera; constant after New
	helpers      <-chan struct{}                      // closed when the helpers of Run have ended; nil before its end
	fatal        chan error                           // holds the first panic of a picture
	infrared     atomic.Pointer[chan error]           // receives the outcome of an infrared calibration; capacity 1

	outputs table.Group
	demand  atomic.Uint32 // counts changes of the numbers of subscribers
	scan    table.Output  // one of outputs
	// Outputs of the infrared sensors and the microphones; constant after New.
	infraredOutputs, soundOutputs []table.Output
	inputs                        []table.Input
	cancels                       []func()
	services                      []io.Closer
	offered                       offered       // outputs and those of the parts
	refused                       atomic.Uint64 // messages that could not be published

	begun bool               // New has finished
	life  *mailbox.Lifecycle // Run once, or Step any number of times before it, until Close
	bus   busState           // owned by the goroutine that calls Run or Step
	board boardState         // owned by the board's goroutine, or the one that calls Step
}

// New declares the parameters and offers the topics of a robot. It does not communicate with it. Errors match [ErrConfig],
// table.ErrParameter or those of package ros2; only the declared parameters then remain.
func New(cfg Config) (*Driver, error) {
	d, err := prepare(cfg)
	if err != nil {
		return nil, err
	}
	if err := d.open(&cfg); err != nil {
		return nil, errors.Join(err, d.release())
	}
	return d, nil
}

// prepare checks the configuration and reads the parameters.
func prepare(cfg Config) (*Driver, error) {
	switch {
	case cfg.Hardware == nil:
		return nil, fmt.Errorf("%w: Config.Hardware is nil", ErrConfig)
	case cfg.Node == nil:
		return nil, fmt.Errorf("%w: Config.Node is nil", ErrConfig)
	case cfg.StopTime < 0:
		return nil, fmt.Errorf("%w: Config.StopTime %v is negative", ErrConfig, cfg.StopTime)
	}
	d := &Driver{node: cfg.Node, clock: cfg.Clock, log: cfg.Logger, onCycle: cfg.OnCycle, onReading: cfg.OnReading, woken: cfg.Woken, calibrated: cfg.Calibrated, life: mailbox.NewLifecycle(), fatal: make(chan error, 1)}
	d.apply, d.configured = thread.Config.Apply, make(chan struct{})
	if d.clock == nil {
		d.clock = cfg.Node.Clock()
	}
	if d.log == nil {
		d.log = cfg.Node.Logger()
	}
	if d.onCycle == nil {
		d.onCycle = func(bool) {}
	}
	if d.onReading == nil {
		d.onReading = func(time.Time) {}
	}
	if d.clock == ros2.SystemClock() {
		d.wall = clockwatch.New(d.log, "the computer's clock was set: stamps follow it, the robot keeps driving")
	}
	d.mailbox = mailbox.New(d.life.Quit(), d.woken)
	if cfg.Parameters == nil {
		cfg.Parameters = table.NewDeclarations()
	}
	if err := cfg.Parameters.In(d.node.Parameters()); err != nil {
		return nil, err
	}
	set, err := table.ReadSettings(d.node.Parameters())
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	d.settings.Store(set)
	if set.Timeout == 0 {
		d.log.Warn("cmd_vel_timeout is 0: the wheels keep the last command when commands end, also when the network fails")
	}
	if err := d.openDevices(&cfg, set); err != nil {
		return nil, errors.Join(fmt.Errorf("driver: %w", err), d.closeDevices())
	}
	d.board.parts, d.bus.parts = newBusParts(d, &d.board.reading), newBusParts(d, &d.bus.reading)
	if err := d.addParts(&cfg, set); err != nil {
		return nil, errors.Join(fmt.Errorf("driver: %w", err), d.closeDevices())
	}
	return d, nil
}

// open creates the publishers and subscriptions and publishes the latched messages.
func (d *Driver) open(cfg *Config) (err error) {
	set := d.settings.Load()
	if d.ros, err = ros2.NewROSClock(d.node); err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	d.cancels = append(d.cancels, d.ros.Close)
	if d.outputs, err = table.NewGroup(d.node, set, table.PublishedBy(""), &d.demand); err != nil {
		return err
	}
	d.offered.add(d.outputs.All)
	d.watch(d.outputs.All)
	d.names = namewatch.New(d.node, d.log)
	if err = d.diagnostics.open(d); err != nil {
		return err
	}
	if d.inputs, err = table.NewInputs(d.node, commandSink{d}, set, table.SubscribedBy("")); err != nil {
		return err
	}
	if d.services, err = table.NewServices(d.node, d, d.log); err != nil {
		return err
	}
	if err := d.openCamera(cfg); err != nil {
		return err
	}
	if d.types, err = typewatch.New(d.node, table.CommandTypes(set.Stamped), d.log); err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	d.cancels = append(d.cancels, d.watchSettings(), d.watchPictures(), d.types.Close)
	if err := d.bus.init(d); err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	for _, o := range d.outputs.All {
		if err := o.Announce(&d.bus.reading); err != nil {
			return fmt.Errorf("driver: %w", err)
		}
	}
	for _, ro := range d.partSchedules() {
		ro.OfferPresent(d.clock.Now())
	}
	d.begun = true
	return nil
}

// release removes everything from the node, unless a helper hangs, which may still use any of it; then it is released
// when the program exits.
func (d *Driver) release() error {
	if d.helpers != nil {
		select {
		case <-d.helpers:
		default:
			return nil
		}
	}
	for _, cancel := range d.cancels {
		cancel()
	}
	errs := []error{d.pictures.Close(), table.CloseOutputs(d.outputs.All), d.diagnostics.close(), table.CloseInputs(d.inputs), table.CloseServices(d.services)}
	for _, ro := range d.partSchedules() {
		if ro.Scheduler == nil {
			continue // New has failed before
		}
		for _, s := range ro.Slots() {
			errs = append(errs, s.Withdraw())
		}
	}
	return errors.Join(append(errs, d.closeDevices())...)
}
