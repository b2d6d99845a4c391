// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// worldChange is what a simulation remembers of its worlds.
type worldChange struct {
	source fleet.WorldSource // of the present world
	next   *sim.World        // that begins when the present run has ended; nil: none
	epoch  time.Time         // when the first run began
	aboard aboard
	costs  costOptions
	open   openHardware // nil: hardwareOf
}

// worldFlags are the flags of what the robot's program can't simulate.
func (c *worldChange) worldFlags(f *pflag.FlagSet) {
	c.aboard.flags(f)
	c.costs.flags(f)
}
