// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const (
	// firstPause and lastPause bound the pause between attempts to open missing hardware, which doubles with each
	// attempt.
	firstPause = time.Second
	lastPause  = 30 * time.Second
)

// hardware opens the driver's hardware. With wait it retries until the bus exists; the first failure is logged with
// its advice, and shown in systemd's status.
func (sv Service) hardware(ctx context.Context, n *ros2.Node, s *Supervisor) (hardware.Parts, error) {
	pause := firstPause
	for {
		hw, err := sv.Open(n, n.Logger())
		if err == nil || !sv.wait || !errors.Is(err, i2c.ErrNoBus) {
			return hw, err
		}
		if pause == firstPause {
			n.Logger().Warn("waiting for the robot's bus", "error", err)
		}
		s.waits("waiting for the robot's bus: "+firstLine(err.Error()), pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return hardware.Parts{}, ctx.Err()
		}
		pause = min(2*pause, lastPause)
	}
}

// probe probes the robot before the loop starts. With wait, a robot that does not answer is only logged, and the loop
// keeps trying.
func (sv Service) probe(ctx context.Context, n *ros2.Node, d *driver.Driver) error {
	err := d.Probe(ctx)
	if sv.wait && errors.Is(err, driver.ErrNoRobot) {
		n.Logger().Warn("waiting for the robot", "error", err)
		return nil
	}
	return err
}
