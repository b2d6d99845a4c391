// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// worldChange is the state of a simulation across its worlds.
type worldChange struct {
	source fleet.WorldSource // of the present world
	next   *sim.World        // starts when the present run has ended; nil: none
	epoch  time.Time         // the start of the first run
	aboard aboard
	costs  costOptions
	open   openHardware // nil: hardwareOf
}

// worldFlags adds the flags that the program for ARMv6 does not have.
func (c *worldChange) worldFlags(f *pflag.FlagSet) {
	c.aboard.flags(f)
	c.costs.flags(f)
}
