// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

const (
	// probeTime is how long Probe waits for a robot that may just have been switched on; probePause is the time
	// between attempts.
	probeTime  = 2 * time.Second
	probePause = 200 * time.Millisecond
)

// Probe waits for up to two seconds until the robot answers with a measurement; its wheels are stopped then. Programs
// call it before [Driver.Run] to fail early instead of waiting for a robot. The error matches [ErrNoRobot] and reports
// what was found and what to do, or is the context's.
func (d *Driver) Probe(ctx context.Context) error {
	if err := d.life.Enter(); err != nil {
		return err
	}
	defer d.life.Leave(false)
	end := d.clock.Now().Add(probeTime)
	for {
		found := d.loop.Probe()
		if found.Measures() {
			return nil
		}
		hopeless := found.Health == mcu.HealthGone || found.Health == mcu.HealthRegister
		if hopeless || !d.clock.Now().Before(end) {
			return noRobot(found)
		}
		if err := d.wait(ctx, probePause); err != nil {
			return err
		}
	}
}

func noRobot(found mcu.Diagnosis) error {
	return fmt.Errorf("%w: %w. %s", ErrNoRobot, found.Err, found.Text)
}

// wait waits for a time on the driver's clock. The error is the context's, or errClosed.
func (d *Driver) wait(ctx context.Context, pause time.Duration) error {
	timer := d.clock.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-d.life.Quit():
		return errClosed
	}
}
