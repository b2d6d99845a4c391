// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// calibrationTime bounds a calibration; it takes about a second.
const calibrationTime = 10 * time.Second

// ResetOdometry puts the pose at the origin; wheel angles, twist and commands go on as they were. It returns when that is
// done, before the next odometry is published. The error is the context's, or [ErrClosed].
func (d *Driver) ResetOdometry(ctx context.Context) error {
	return d.onBus(ctx, func() error {
		d.bus.odometer.Reset()
		d.bus.reading.pose = d.bus.odometer.State()
		d.log.Info("odometry reset")
		return nil
	})
}

// CalibrateIR stops the wheels and has the robot measure what its infrared sensors see when nothing is there: nothing may be
// within about 10 cm. It returns when that is done, about a second later. The error matches [ErrBusy] while a calibration
// goes on, [ErrFailed] when the robot did not do it, [ErrClosed], or is the context's.
func (d *Driver) CalibrateIR(ctx context.Context) error {
	ctx, done, err := d.calibrating(ctx)
	if err != nil {
		return err
	}
	defer done()
	outcome := make(chan error, 1)
	err = d.onBus(ctx, func() error {
		d.bus.calibrated = outcome
		d.dev.CalibrateIR()
		return nil
	})
	if err == nil {
		err = d.await(ctx, outcome)
	}
	if err == nil {
		d.log.Info("infrared sensors calibrated")
	}
	return err
}

// calibrating keeps the wheels still and other calibrations away until done is called.
func (d *Driver) calibrating(ctx context.Context) (limited context.Context, done func(), err error) {
	if !d.calibration.CompareAndSwap(false, true) {
		return nil, nil, fmt.Errorf("%w: a calibration goes on", ErrBusy)
	}
	limited, cancel := d.within(ctx, calibrationTime)
	d.motion.hold(holdCalibration)
	d.nudge()
	return limited, func() {
		cancel()
		d.motion.free(holdCalibration)
		d.calibration.Store(false)
	}, nil
}

// within gives a context that ends after a time on the driver's clock, with [ErrFailed] as its cause.
func (d *Driver) within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithCancelCause(ctx)
	timer := d.clock.NewTimer(limit)
	go func() {
		defer timer.Stop()
		select {
		case <-timer.C():
			cancel(fmt.Errorf("%w: nothing came of it within %v", ErrFailed, limit))
		case <-limited.Done():
		}
	}()
	return limited, func() { cancel(context.Canceled) }
}

// tellCalibrated passes the outcome of an infrared calibration on to whoever waits for it.
func (d *Driver) tellCalibrated(e mcu.Event) {
	b := &d.bus
	switch {
	case b.calibrated == nil:
		return
	case e.Kind == mcu.EventCalibrated:
		b.calibrated <- nil
	case e.Kind == mcu.EventFailed && !d.dev.Pending().Calibrate: // it was no melody
		b.calibrated <- fmt.Errorf("%w: %w", ErrFailed, e.Err)
	default:
		return
	}
	b.calibrated = nil
}
