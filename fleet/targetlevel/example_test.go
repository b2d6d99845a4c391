// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package targetlevel_test

import (
	"context"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/targetlevel"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
)

// Ten seconds of a world whose robots have computers, with the driver for ARMv6 on each.
func ExampleComputers() {
	run := func(ctx context.Context, w *sim.World, p armcost.Parameters) error {
		c, err := targetlevel.New(ctx, targetlevel.Config{World: w, Parameters: p, Programs: func(string) []machine.Program {
			return []machine.Program{{Args: []string{"epuck-driver-armv6", "run", "--ros-args", "-p", "i2c_bus:=12"}}}
		}})
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }()
		if err := c.Advance(ctx, 10*time.Second); err != nil {
			return err
		}
		for _, r := range c.Report() {
			if _, err := r.WriteTo(os.Stdout); err != nil {
				return err
			}
		}
		return nil
	}
	_ = run // it needs qemu-arm, gcc and the driver
}
