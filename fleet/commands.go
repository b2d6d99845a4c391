// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// subscribed lists the rows of the topics that the robot subscribes to.
func (f *functional) subscribed() []table.Topic {
	rows := table.SubscribedBy("")
	if equipment := f.simulated.Equipment(); equipment.Has(world.LEDs) {
		rows = append(rows, table.SubscribedBy(parts.LEDs)...)
	}
	return rows
}

// commands are the subscribed topics of a functional robot.
type commands struct{ f *functional }

var _ table.Commands = commands{}

// Twist implements table.Commands.
func (c commands) Twist(m *geometry_msgs.Twist) { c.f.drive(c.f.settings().TwistSteps(m)) }

// Joints implements table.Commands.
func (c commands) Joints(m *sensor_msgs.JointState) { c.f.drive(c.f.settings().JointSteps(m)) }

// Red implements table.Commands.
func (c commands) Red(led int, on bool) {
	c.f.light(func(l *[4]bool, _ *[4][3]uint8) { l[led/2] = on })
}

// Colour implements table.Commands.
func (c commands) Colour(led int, rgb uint32) {
	v := mcu.RGBFromHex(rgb)
	c.f.light(func(_ *[4]bool, l *[4][3]uint8) { l[led/2] = [3]uint8{v.R, v.G, v.B} })
}

// BoardLED implements table.Commands.
func (c commands) BoardLED(led int, rgb int32) {
	c.f.simulated.Do(func(s *sim.Control) { s.SetBoardLED(led, byte(pipuck.ColourOf(uint32(rgb)))) })
}

// Melody implements table.Commands.
func (c commands) Melody(number int) {
	if number > 0 && number <= mcu.NumMelodies {
		c.f.simulated.Do(func(s *sim.Control) { s.PlayMelody(uint8(number)) })
	}
}

// settings returns those in use.
func (f *functional) settings() *table.Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.set
}

// drive takes a command for the wheels, steps/s; one that was refused, or comes while they are held, changes nothing.
func (f *functional) drive(left, right int16, err error) {
	if err != nil {
		f.node.Logger().Debug("a command for the wheels was refused", "error", err)
		return
	}
	f.mu.Lock()
	held := f.held != 0
	if !held {
		f.left, f.right, f.commandedAt = left, right, f.clock.Now()
	}
	f.mu.Unlock()
	f.act(!held)
}

// hold stops the wheels and refuses commands for them until free is called for the reason.
func (f *functional) hold(why wheels.Hold) {
	f.mu.Lock()
	f.held |= why
	f.left, f.right = 0, 0
	f.mu.Unlock()
	f.act(true)
}

// free ends a reason to hold the wheels; they stay stopped until the next command.
func (f *functional) free(why wheels.Hold) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held &^= why
}

// light changes the LEDs.
func (f *functional) light(change func(red *[4]bool, rgb *[4][3]uint8)) {
	f.mu.Lock()
	change(&f.lamps.Red, &f.lamps.RGB)
	f.newLamps = true
	f.mu.Unlock()
	f.act(false)
}

// act passes the commands to the simulated robot. The wheels get a speed that is new, or commanded: another program may
// drive them, too, as a controller of Webots.
func (f *functional) act(commanded bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if timeout := f.set.Timeout; timeout > 0 && f.clock.Now().Sub(f.commandedAt) >= timeout {
		f.left, f.right = 0, 0
	}
	turn := commanded || f.sent != [2]int16{f.left, f.right}
	f.sent = [2]int16{f.left, f.right}
	if !turn && !f.newLamps {
		return
	}
	f.simulated.Do(func(c *sim.Control) {
		if turn {
			c.SetWheels(float64(f.left)*mcu.RadPerStep, float64(f.right)*mcu.RadPerStep)
		}
		if f.newLamps {
			c.SetLEDs(f.lamps)
			f.newLamps = false
		}
	})
}

// obeyBattery holds the wheels while the battery is critical.
func (f *functional) obeyBattery() {
	f.mu.Lock()
	held, critical := f.held&wheels.HoldBattery != 0, f.reading.Battery.Level == battery.LevelCritical
	f.mu.Unlock()
	switch log, voltage := f.node.Logger(), f.reading.Battery.Robot.Voltage; {
	case critical && !held:
		f.hold(wheels.HoldBattery)
		log.Error("the battery is critical: wheels stopped until it is charged", "voltage", voltage)
	case held && !critical:
		f.free(wheels.HoldBattery)
		log.Info("the battery is no longer critical; cmd_vel is accepted again", "voltage", voltage)
	}
}

// openServices offers the driver's services.
func (f *functional) openServices() (err error) {
	if f.services, err = table.NewServices(f.node, f, f.node.Logger()); err != nil {
		return err
	}
	for _, row := range table.Services() {
		if row.Type != (sensor_msgs.SetCameraInfo{}).ROSType() {
			continue
		}
		s, err := ros2.NewService(f.node, sensor_msgs.SetCameraInfo{}, row.Name, f.pictures.setInfo)
		if err != nil {
			return fmt.Errorf("fleet: %s: %w", row.Name, err)
		}
		f.services = append(f.services, s)
	}
	return nil
}

// ResetOdometry puts the pose at the origin with the next reading.
func (f *functional) ResetOdometry(context.Context) error {
	f.resets.Store(true)
	return nil
}

const (
	// infraredTime is how long a calibration of the infrared sensors takes: the second of measuring, and the control
	// cycles in which the driver of the firmware level stops the wheels, begins and sees that it is over.
	infraredTime = 1250 * time.Millisecond
	// calibrationLimit is how long a calibration may take, as in the driver.
	calibrationLimit = 10 * time.Second
)

// calibration is one that a service has begun. Its time is counted from the first step after.
type calibration struct {
	infrared bool // of the infrared sensors, else of the IMU
	begun    time.Time
	outcome  chan error // holds that of the IMU and that of the limit
}

// CalibrateIR stops the wheels and takes what the infrared sensors measure in the following second as nothing. As the
// driver's it returns when that is done.
func (f *functional) CalibrateIR(ctx context.Context) error { return f.calibrate(ctx, true) }

// CalibrateIMU stops the wheels and has the gyroscope's bias measured anew as soon as the robot has stood still. As the
// driver's it returns when that is done.
func (f *functional) CalibrateIMU(ctx context.Context) error {
	if f.imu == nil {
		return fmt.Errorf("%w: there is no IMU", driver.ErrAbsent)
	}
	return f.calibrate(ctx, false)
}

// calibrate has the steps make a calibration and waits for its end; the wheels are stopped meanwhile.
func (f *functional) calibrate(ctx context.Context, infrared bool) error {
	c := &calibration{infrared: infrared, outcome: make(chan error, 2)}
	if !f.calibration.CompareAndSwap(nil, c) {
		return fmt.Errorf("%w: a calibration is running", driver.ErrBusy)
	}
	defer f.calibration.Store(nil)
	f.hold(wheels.HoldCalibration)
	defer f.free(wheels.HoldCalibration)
	select {
	case err := <-c.outcome:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// advanceCalibration continues a calibration that a service has begun.
func (f *functional) advanceCalibration(now time.Time) {
	c := f.calibration.Load()
	switch {
	case c == nil:
		return
	case c.begun.IsZero():
		c.begun = now
		if !c.infrared {
			f.imu.calibration.Ask(c.outcome)
		}
	case c.infrared && now.Sub(c.begun) >= infraredTime:
		f.simulated.Do((*sim.Control).CalibrateInfrared)
		c.end(nil)
	case now.Sub(c.begun) >= calibrationLimit:
		c.end(fmt.Errorf("%w: nothing came of it within %v", driver.ErrFailed, calibrationLimit))
	}
}

// end gives an outcome; only the first counts.
func (c *calibration) end(err error) {
	select {
	case c.outcome <- err:
	default:
	}
}
