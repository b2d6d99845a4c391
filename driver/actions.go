// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// calibrationTime is the maximum duration of a calibration, which takes about a second.
const calibrationTime = 10 * time.Second

// ResetOdometry sets the pose to the origin; wheel angles, twist and commands are unchanged. It returns before the next
// odometry message is published. The error is the context's, or matches mailbox.ErrClosed after the driver has ended.
func (d *Driver) ResetOdometry(ctx context.Context) error {
	return d.mailbox.Do(ctx, func() error {
		d.bus.odometer.Reset()
		d.bus.reading.Pose = d.bus.odometer.State()
		d.log.Info("odometry reset")
		return nil
	})
}

// CalibrateIR stops the wheels and makes the robot measure the ambient offsets of its infrared sensors: nothing may be
// within about 10 cm of it. It returns after about a second, when that is done. The error matches [ErrBusy] while
// another calibration is running, [ErrFailed] if the robot did not calibrate, mailbox.ErrClosed after the driver has
// ended, or is the context's.
func (d *Driver) CalibrateIR(ctx context.Context) error {
	ctx, done, err := d.calibrating(ctx)
	if err != nil {
		return err
	}
	defer done()
	outcome := make(chan error, 1)
	d.infrared.Store(&outcome)
	d.loop.CalibrateIR()
	if err := d.mailbox.Outcome(ctx, outcome); err != nil {
		d.infrared.Store(nil)
		return err
	}
	d.log.Info("infrared sensors calibrated")
	return nil
}

// calibrating keeps the wheels stopped and rejects other calibrations until done is called.
func (d *Driver) calibrating(ctx context.Context) (limited context.Context, done func(), err error) {
	if !d.calibration.CompareAndSwap(false, true) {
		return nil, nil, fmt.Errorf("%w: a calibration is running", ErrBusy)
	}
	limited, cancel := d.within(ctx, calibrationTime)
	d.loop.Hold(wheels.HoldCalibration)
	return limited, func() {
		cancel()
		d.loop.Free(wheels.HoldCalibration)
		d.calibration.Store(false)
	}, nil
}

// within returns a context that ends after limit on the driver's clock, with [ErrFailed] as its cause.
func (d *Driver) within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithCancelCause(ctx)
	timer := d.clock.NewTimer(limit)
	task.Go("limit of a calibration", func() {
		defer timer.Stop()
		select {
		case <-timer.C():
			cancel(fmt.Errorf("%w: no result within %v", ErrFailed, limit))
		case <-limited.Done():
		}
	})
	return limited, func() { cancel(context.Canceled) }
}

// CalibrateIMU stops the wheels and averages the gyroscope's measurements while the robot stands still. It returns when
// that is done, after about two seconds. The error matches [ErrAbsent] if there is no IMU, [ErrBusy] while another
// calibration is running, imu.ErrMoving if the robot was moved, [ErrFailed], mailbox.ErrClosed after the driver has
// ended, or is the context's.
func (d *Driver) CalibrateIMU(ctx context.Context) error {
	ctx, done, err := d.calibrating(ctx)
	if err != nil {
		return err
	}
	defer done()
	outcome := make(chan error, 1)
	err = d.mailbox.Do(ctx, func() error {
		p := d.bus.imu
		if p == nil || p.State() != device.Running {
			return fmt.Errorf("%w: there is no IMU", ErrAbsent)
		}
		p.Calibrate(outcome)
		return nil
	})
	if err != nil {
		return err
	}
	return d.mailbox.Outcome(ctx, outcome)
}
