// SPDX-License-Identifier: Apache-2.0

// Package driver makes a ROS 2 node of an e-puck2: it runs the control loop, turns readings into messages and messages
// into commands, and keeps the robot safe. It is given a bus and a node and can't tell whether a robot or a simulation,
// which network or none, is behind them.
//
//	cmd_vel, led*, speaker ─────────► wheels.Loop ◄──► bus
//	                                       │ latest reading
//	                                       ▼
//	            parts ◄──► bus ──► odometry and outputs ──► odom, /tf, scan, ps*, imu, tof, …
//
// The goroutine in [Driver.Run] does nothing but exchange commands for readings, see package wheels: at the parameter
// rate, and in between when the wheels' speeds are to change. Another one takes the latest reading, builds all messages
// and polls the parts on the robot's bus. Subscriptions only leave their wish.
//
// # Parts
//
// Everything but the main processor is optional: IMU, time-of-flight sensor, ground sensors and the camera's sensor on
// the same bus, LEDs, magnetometer and battery on the Pi-puck board, whose bus has a goroutine of its own. Each part
// has a place in the one schedule of its bus: the control cycle and commands go first, and a part is polled when there
// is time until the next cycle. A part that fails or is slow comes up less often, and no part gets more than a quarter
// of the bus. One without subscribers is looked at once a second only. A part's topics exist while it is there; what is
// wrong with it stands in /diagnostics, see package health.
//
// # Camera
//
// Pictures take a way of their own, from a camera.Pipeline to the topics: its goroutines run only while there is a
// subscriber to one of the camera's topics, and neither waits for the control loop nor is waited for. The pictures are
// those of the first moment after the camera's sensor has been set up by I2C.
//
// # Safety
//
// The robot has no motor watchdog: it keeps the last speed for ever. The driver stops the wheels when no cmd_vel came
// for cmd_vel_timeout, when the context ends, when it is closed, when the ROS transport is lost, and when a goroutine
// panics. A log, a network, a chip or a callback that blocks does not keep it from doing so, and when the loop itself
// hangs its guard does. When the robot does not answer, the motion is forgotten and commands are ignored, so that a
// robot that comes back stands until it gets a new command.
package driver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/handover"
	"github.com/epuck-ros2/epuck-driver/driver/namewatch"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/typewatch"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	bus "github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/internal/clockwatch"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// NodeName is the name of the driver's node, which tools written for the old driver expect.
const NodeName = "epuck_driver"

// Config is what a driver is made of.
type Config struct {
	// Bus is the I2C bus the robot is on. It is required; the driver uses it alone and does not close it.
	Bus i2c.Bus
	// OpenBus opens the same bus once more: for the optional parts and for the guard, so that none of them holds what
	// the control loop waits for, be it a lock or a file descriptor. The driver closes what it gives. It defaults to
	// Bus for all.
	OpenBus func() (i2c.BusCloser, error)
	// Selector is the position of the robot's selector in which it answers on Bus. It defaults to that of a Pi-puck.
	Selector uint8
	// Node is the node whose parameters and topics the driver declares. It is required; the driver does not close it.
	Node *ros2.Node
	// BoardBus is the bus of the Pi-puck board with its LEDs and the magnetometer. Without one these parts do not
	// exist. The driver uses it alone and does not close it.
	BoardBus i2c.Bus
	// Files is the machine's file system, where the kernel's battery files are. Without one there is no battery_state.
	Files fs.FS
	// Charger reports whether a charger is connected to the battery, and whether that is known. It must not block. It
	// defaults to "not known".
	Charger func() (connected, known bool)
	// Button is the Pi-puck's button: held for two seconds it switches the machine off, unless the parameter
	// button_poweroff is false. The driver polls it and no other code may. It defaults to none.
	Button *pipuck.Button
	// PowerOff switches the machine off cleanly; it is called when the battery is critical and the parameter
	// battery_poweroff is set, and when the button is held. It must not block. It defaults to nothing.
	PowerOff func() error
	// Clock times the control loop and stamps the messages. It defaults to the node's clock. It must run on while the
	// robot moves: simulated time (use_sim_time) concerns stamps only.
	Clock ros2.Clock
	// WheelTimer gives the timers of the wheels' loop, of its guard and of the parts, started; their Stop is for good.
	// They may be the kernel's, see package timerfd, if Bus makes system calls. It defaults to Clock's, which are also
	// taken on an error.
	WheelTimer func(d time.Duration) (wheels.Timer, error)
	// Logger gets the driver's log lines. It defaults to the node's.
	Logger *slog.Logger
	// OnCycle is called after each control cycle once its messages are published, with whether the robot answered: the
	// sign of life of loop and publishing for a watchdog. It is not on the loop's goroutine: if it blocks, messages do
	// not come any more, and the wheels are stopped all the same. It defaults to none.
	OnCycle func(answered bool)
	// OnReading is called with each reading that goes into the odometry, with the time at which it was taken: a
	// recording of the bus that says so can be replayed to the same odometry. It must not block. It defaults to none.
	OnReading func(taken time.Time)
	// Camera gives the camera that the parameter camera.device names; it is not opened before there is a subscriber of
	// its topics. An error refuses the parameter. It defaults to nil: a robot without a camera.
	Camera func(device string) (camera.Device, error)
	// CameraCodecs are the GPU's; without them the processor does their work.
	CameraCodecs CameraCodecs
	// CameraCalibration is what is known of the camera where no file says it. It defaults to nothing: not calibrated.
	CameraCalibration *caminfo.Calibration
	// StopTime is how long the driver goes on trying to stop the wheels when it ends and the bus fails. It defaults to
	// 0.45 s; an attempt under way may take half a second more.
	StopTime time.Duration
}

// Driver is the node of one robot. [Driver.Run] does the work; every other method may be called from any goroutine.
type Driver struct {
	node  *ros2.Node
	clock ros2.Clock
	log   *slog.Logger
	loop  *wheels.Loop
	// newTimer gives timers of the loop, and of what goes on beside it
	newTimer func(time.Duration) wheels.Timer
	again    []io.Closer // the bus, opened once more

	onCycle   func(answered bool)
	onReading func(taken time.Time)
	settings  atomic.Pointer[table.Settings]
	refusals  handover.Limiter
	expiries  handover.Limiter
	nonsense  handover.Limiter
	strange   handover.Limiter
	overspeed overspeed
	watch     *typewatch.Watch
	names     *namewatch.Watch
	wall      *clockwatch.Watch // nil where the clock is not the computer's
	ros       *ros2.ROSClock    // what stamps show: simulated time or none
	status    statusBoard
	asks      *handover.Asks // of the goroutine that owns odometry and the parts

	calibration  atomic.Bool                           // goes on
	battery      handover.Latest[table.BatteryReading] // for diagnostics
	diagnostics  diagnostics                           // of the goroutine that publishes, or that in Step
	magnetometer atomic.Pointer[partTopics]            // the one that publishes
	pictures     *pictures.Pictures                    // nil without a camera; never changes after New
	helpers      <-chan struct{}                       // closed when the helpers of Run have ended; nil before its end
	fatal        chan error                            // holds the first panic of a picture
	infrared     atomic.Pointer[chan error]            // who waits for the end of an infrared calibration; holds one

	outputs  table.Group
	scan     table.Output // of these
	inputs   []table.Input
	cancels  []func()
	services []io.Closer
	offered  offered       // these and those of the parts
	refused  atomic.Uint64 // messages that could not be published

	life  *handover.Life // Run once, or Step as often as wanted before it, until Close
	bus   busState       // of the goroutine in Run or Step
	board boardState     // of the goroutine of the board, or that in Step
}

// New declares the parameters and offers the topics of a robot. It does not touch the bus. Errors match [ErrConfig],
// [ErrParameter] or those of package ros2; then nothing is left behind but the declared parameters.
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
	case cfg.Bus == nil:
		return nil, fmt.Errorf("%w: Config.Bus is nil", ErrConfig)
	case cfg.Node == nil:
		return nil, fmt.Errorf("%w: Config.Node is nil", ErrConfig)
	case cfg.StopTime < 0:
		return nil, fmt.Errorf("%w: Config.StopTime %v is negative", ErrConfig, cfg.StopTime)
	}
	d := &Driver{node: cfg.Node, clock: cfg.Clock, log: cfg.Logger, onCycle: cfg.OnCycle, onReading: cfg.OnReading, life: handover.NewLife(), fatal: make(chan error, 1)}
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
	d.asks = handover.NewAsks(d.life.Quit())
	if err := table.Declare(d.node); err != nil {
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
	if err := d.openWheels(&cfg, set); err != nil {
		return nil, errors.Join(fmt.Errorf("driver: %w", err), d.closeWheels())
	}
	if cfg.BoardBus != nil {
		d.board.meter = bus.NewMeter(cfg.BoardBus, d.clock.Now)
	}
	d.board.parts, d.bus.parts = newBusParts(d, &d.board.reading), newBusParts(d, &d.bus.reading)
	if err := d.addParts(&cfg, set); err != nil {
		return nil, errors.Join(fmt.Errorf("driver: %w", err), d.closeWheels())
	}
	return d, nil
}

// open offers and asks for the topics and publishes what is published once.
func (d *Driver) open(cfg *Config) (err error) {
	set := d.settings.Load()
	if d.ros, err = ros2.NewROSClock(d.node); err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	d.cancels = append(d.cancels, d.ros.Close)
	if d.outputs, err = table.NewGroup(d.node, set, table.PublishedBy("")); err != nil {
		return err
	}
	d.offered.add(d.outputs.All)
	for _, o := range d.outputs.All {
		if o.Status().Name == table.TopicScan {
			d.scan = o
		}
	}
	d.names = namewatch.New(d.node, d.log)
	d.cancels = append(d.cancels, d.names.Close)
	if err = d.diagnostics.open(d); err != nil {
		return err
	}
	if d.inputs, err = table.NewInputs(d.node, wishes{d}, set, table.SubscribedBy("")); err != nil {
		return err
	}
	if d.services, err = table.NewServices(d.node, d, d.log); err != nil {
		return err
	}
	if err := d.openCamera(cfg); err != nil {
		return err
	}
	if d.watch, err = typewatch.New(d.node, set.Stamped, d.log); err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	d.cancels = append(d.cancels, d.watchSettings(), d.watchPictures(), d.watch.Close)
	if err := d.bus.init(d); err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	for _, o := range d.outputs.All {
		if err := o.Announce(&d.bus.reading); err != nil {
			return fmt.Errorf("driver: %w", err)
		}
	}
	return nil
}

// release withdraws everything from the node, unless a helper still hangs, which may hold any of it: then the end of
// the program does.
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
	for _, ro := range d.rosters() {
		if ro.Roster == nil {
			continue // New has failed before
		}
		for _, s := range ro.Slots() {
			errs = append(errs, s.Withdraw())
		}
	}
	return errors.Join(append(errs, d.closeWheels())...)
}
