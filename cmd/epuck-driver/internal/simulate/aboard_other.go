// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package simulate

import (
	"context"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// aboard has the options that the costs of robots share with level target, which needs Linux.
type aboard struct {
	parameters string
	load       armcost.Load
	wanted     bool
}

func (a *aboard) flags(f *pflag.FlagSet) {
	f.StringVar(&a.parameters, "target-parameters", "", "with --cost: the `FILE` that estimate calibrate wrote")
	f.BoolVar(&a.load.Radio, "target-radio", false, "with --cost: the Wi-Fi is on, for the energy")
	f.BoolVar(&a.load.Camera, "target-camera", false, "with --cost: the camera is on, for the energy")
}

// newWorld creates the simulation. Its error matches [system.ErrNeedsLinux] if robots have level target.
func (a *aboard) newWorld(_ context.Context, o *simOptions, w *sim.World, clock *simclock.Clock) (*sim.Simulation, error) {
	if a.wanted {
		return nil, system.NeedsLinux("the level target", "the levels functional and firmware simulate the same robots")
	}
	return sim.New(w, o.simulated(clock))
}

func (*aboard) advance(context.Context, time.Duration) error { return nil }

func (*aboard) end(io.Writer) error { return nil }

func (*aboard) close() error { return nil }

func (*aboard) cores() []core.Report { return nil }
