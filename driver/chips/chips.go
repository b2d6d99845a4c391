// SPDX-License-Identifier: Apache-2.0

// Package chips is the hardware of a driver, in the sense of package hardware, whose devices are chips on I2C buses: the
// robot's bus with the main processor, IMU, time-of-flight and ground sensors and the camera's sensor; that of the
// Pi-puck board with its LEDs and its add-on magnetometer; and the battery in the kernel's files.
package chips

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
)

const (
	// addOnPause is the time between two searches at the four addresses of the add-on, which few boards have.
	addOnPause = 5 * time.Second
	// imuChipRate is the minimum sampling rate of the IMU, Hz. It samples at twice the rate at which it is read, so that
	// a sample is at most half a period old.
	imuChipRate = 100
)

// Robot is a robot with its buses.
type Robot struct {
	// Bus is the robot's I2C bus. It is required; the driver uses it exclusively and does not close it.
	Bus pi2c.Bus
	// OpenBus opens the same bus once more: for the optional parts and for the guard, so that neither blocks the
	// control loop by a lock or a file descriptor. The driver closes the buses it returns. It defaults to Bus for all.
	OpenBus func() (pi2c.BusCloser, error)
	// Selector is the position of the robot's selector in which it answers on Bus. It defaults to the Pi-puck's.
	Selector uint8
	// BoardBus is the bus of the Pi-puck board with its LEDs and the magnetometer. If it is nil, these parts do not
	// exist. The driver uses it exclusively and does not close it.
	BoardBus pi2c.Bus
	// Files is the machine's file system with the kernel's battery files. If it is nil, there is no battery_state.
	Files fs.FS
	// Charger reports whether a charger is connected to the battery, and whether that is known. It must not block. It
	// defaults to "not known".
	Charger func() (connected, known bool)
	// Button is the Pi-puck's button. The driver polls it and no other code may. It defaults to none.
	Button *pipuck.Button
}

var (
	_ hardware.Hardware = (*Robot)(nil)
	_ hardware.OnBus    = (*Robot)(nil)
)

// WrapBus implements hardware.OnBus. Buses that OpenBus returns are not wrapped.
func (r *Robot) WrapBus(wrap func(pi2c.Bus) pi2c.Bus) { r.Bus = wrap(r.Bus) }

// Open implements hardware.Hardware.
func (r *Robot) Open(o *hardware.Options) (*hardware.Devices, error) {
	if r.Bus == nil {
		return nil, fmt.Errorf("%w: no bus", hardware.ErrConfig)
	}
	b := &builder{robot: r, opts: o, to: &hardware.Devices{Name: fmt.Sprintf("I2C 0x%02X", mcu.Addr), Limits: map[parts.Name]*parts.Guard{}}}
	b.to.Close = b.close
	if err := errors.Join(b.processor(), b.robotParts(), b.boardParts(), b.battery()); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b.to, nil
}

// builder makes the devices of a robot.
type builder struct {
	robot *Robot
	opts  *hardware.Options
	to    *hardware.Devices
	bus   pi2c.Bus         // of the parts
	again []pi2c.BusCloser // the robot's bus, opened again
}

func (b *builder) close() error {
	var errs []error
	for _, bus := range b.again {
		errs = append(errs, bus.Close())
	}
	b.again = nil
	return errors.Join(errs...)
}

// processor opens the bus again for the parts and for the guard of the wheels.
func (b *builder) processor() error {
	r, now := b.robot, b.opts.Now
	guard := r.Bus
	b.bus = r.Bus
	if r.OpenBus != nil {
		for _, bus := range []*pi2c.Bus{&b.bus, &guard} {
			opened, err := r.OpenBus()
			if err != nil {
				return err
			}
			b.again = append(b.again, opened)
			*bus = opened
		}
	}
	b.to.NewProcessor = func(events func(mcu.Event)) (hardware.Processor, error) {
		dev, err := mcu.New(r.Bus, &mcu.Opts{Now: now, Selector: r.Selector, OnEvent: events})
		if err != nil { // not a nil pointer in an interface
			return nil, err
		}
		return dev, nil
	}
	stop, err := mcu.New(guard, &mcu.Opts{Now: now, Selector: r.Selector})
	if err != nil {
		return fmt.Errorf("%w: %w", hardware.ErrConfig, err)
	}
	b.to.Guard = stop
	return nil
}

// limited returns the bus of one part, which measures and limits its bus time.
func (b *builder) limited(name parts.Name, bus pi2c.Bus) pi2c.Bus {
	g := parts.NewGuard(bus, b.opts.Now)
	b.to.Limits[name] = g
	return g
}

// set stores a device that was made.
func set[T, D any](to *T, name parts.Name, dev D, err error, as func(D) T) error {
	if err != nil {
		return fmt.Errorf("%w: %s: %w", hardware.ErrConfig, name, err)
	}
	*to = as(dev)
	return nil
}

// robotParts makes the chips on the robot's bus.
func (b *builder) robotParts() error {
	o, to := b.opts, b.to
	meter := i2c.NewMeter(b.bus, o.Now)
	to.RobotBus = meter.Stats
	var errs []error
	if o.IMURate > 0 {
		dev, err := imu.New(b.limited(parts.IMU, meter), 0, imuOpts(o))
		errs = append(errs, set(&to.IMU, parts.IMU, dev, err, func(d *imu.Dev) hardware.IMU { return d }))
	}
	if o.ToFRate > 0 {
		dev, err := vl53l0x.New(b.limited(parts.ToF, meter), vl53l0x.Addr,
			&vl53l0x.Opts{Opts: device.Opts{Budget: parts.PollTransactions}, Profile: o.ToFProfile})
		errs = append(errs, set(&to.ToF, parts.ToF, dev, err, func(d *vl53l0x.Dev) hardware.ToF { return d }))
	}
	if o.GroundRate > 0 {
		dev, err := ground.New(b.limited(parts.Ground, meter), ground.Addr, nil)
		errs = append(errs, set(&to.Ground, parts.Ground, dev, err, func(d *ground.Dev) hardware.Ground { return d }))
	}
	if o.Camera != nil {
		dev, err := camsensor.New(b.limited(parts.Camera, meter), &camsensor.Opts{Settings: *o.Camera})
		errs = append(errs, set(&to.Camera, parts.Camera, dev, err, func(d *camsensor.Dev) hardware.CameraSensor { return d }))
	}
	return errors.Join(errs...)
}

// imuOpts returns the options of the IMU.
func imuOpts(o *hardware.Options) *imu.Opts {
	opts := &imu.Opts{
		Rotation: o.IMURotation, Rate: max(imuChipRate, 2*o.IMURate), Bandwidth: hardware.IMUBandwidth(o.IMURate),
		NoMagnetometer: o.MagRate == 0, MagRate: o.MagRate,
	}
	opts.Budget = parts.PollTransactions
	return opts
}

// boardParts makes the chips of the Pi-puck board.
func (b *builder) boardParts() error {
	r, o, to := b.robot, b.opts, b.to
	if r.BoardBus == nil {
		return nil
	}
	meter := i2c.NewMeter(r.BoardBus, o.Now)
	to.BoardBus = meter.Stats
	leds, err := pipuck.New(b.limited(parts.LEDs, meter), pipuck.Addr, nil)
	errs := []error{set(&to.LEDs, parts.LEDs, leds, err, func(d *pipuck.Dev) hardware.LEDs { return d })}
	if o.MagRate > 0 {
		opts := bmm150.Opts{Rotation: o.MagRotation, Rate: o.MagRate}
		opts.Budget, opts.RetryInterval = parts.PollTransactions, addOnPause
		mag, err := bmm150.New(b.limited(parts.Mag, meter), 0, &opts)
		errs = append(errs, set(&to.Mag, parts.Mag, mag, err, func(d *bmm150.Dev) hardware.Magnetometer { return d }))
	}
	return errors.Join(errs...)
}

// battery makes the part of the kernel's files, and that of the button.
func (b *builder) battery() error {
	r, to := b.robot, b.to
	if r.Button != nil {
		to.Button = r.Button
	}
	if r.Files == nil {
		return nil
	}
	dev, err := battery.New(&battery.Opts{Root: r.Files, Charger: r.Charger})
	return set(&to.Battery, parts.Battery, dev, err, func(d *battery.Dev) hardware.Battery { return d })
}
