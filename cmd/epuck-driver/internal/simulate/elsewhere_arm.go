// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Commands that the program for a Pi Zero leaves out: its 20 MB are for what a robot needs.
var (
	errNoSwarm = errors.New("this program, for ARMv6, simulates one robot in real time: several robots, controllers in the " +
		"process and experiments are in the programs for PCs (amd64, arm64)")
	errNoModels = errors.New("this program, for ARMv6, simulates the e-puck2 alone, as drawn: --robot, --fault and --like are in the programs for PCs (amd64, arm64)")
)

// controllerOptions are flags of sim that only return an error.
type controllerOptions struct{ name string }

func (o *controllerOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "controller", "", "`NAME` of a controller; not in this program")
}

func (o *controllerOptions) check(time.Duration, bool) error {
	if o.name != "" {
		return errNoSwarm
	}
	return nil
}

// keepGiven does nothing: there is no --restore here.
func (*controllerOptions) keepGiven(*pflag.FlagSet) error { return nil }

func (o *controllerOptions) savedIn() string { return "" }

// modelOptions are the flags of sim for robots of other kinds; they only return an error.
type modelOptions struct{ name string }

func (o *modelOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "robot", "", "`NAME` of a robot of another kind; not in this program")
}

// mechanisms returns nil: there are no articulated robots here.
func (*modelOptions) mechanisms() sim.MechanismMaker { return nil }

func (o *modelOptions) replace(*sim.World) error {
	if o.name != "" {
		return errNoModels
	}
	return nil
}

// wrongOptions are the flags of sim for robots with faults; they only return an error.
type wrongOptions struct{ like, fault string }

func (o *wrongOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.fault, "fault", "", "`NAME` of a fault; not in this program")
	f.StringVar(&o.like, "like", "", "a `REPORT` of acceptance; not in this program")
}

func (o *wrongOptions) fit(*sim.World, uint64) error {
	if o.like != "" || o.fault != "" {
		return errNoModels
	}
	return nil
}

// describe does nothing.
func (*wrongOptions) describe(io.Writer) {}

// buses returns the buses of a robot and its board.
func (*wrongOptions) buses(r drivenRobot) (robot, board i2c.Bus, err error) {
	return r.Bus(), r.BoardBus(), nil
}

// faultCommands returns no commands.
func faultCommands(*frame.Program) []*cobra.Command { return nil }

func (o *simOptions) controlled(context.Context, frame.Streams, *sim.World) error { return errNoSwarm }

// networked runs the driver on the only robot of a world.
func (o *simOptions) networked(ctx context.Context, s frame.Streams, w *sim.World) error {
	if o.swarm.several(w) || o.held() {
		return errNoSwarm
	}
	passing, err := newAloneTime(w, o.seed, o.log(s))
	if err != nil {
		return err
	}
	robot, err := first(passing.world, o.world)
	if err != nil {
		return err
	}
	sv := o.service(w, passing.world, passing, s)
	return withTruth(ctx, robot, o.truth, nil, func(ctx context.Context) error { return sv.Run(ctx, s) })
}

// hostAlone publishes /clock, unless the time is the machine's. The services that move robots and change time are in
// the programs for PCs.
func (o *simOptions) hostAlone(n *ros2.Node, _ *sim.Simulation, passing service.WorldTime) (stop func() error, err error) {
	t, simulated := passing.(*aloneTime)
	if !simulated {
		return func() error { return nil }, nil
	}
	topic, err := simclock.NewTopic(n, t.clock)
	if err != nil {
		return nil, err
	}
	t.tick = topic.Tick
	end := t.repeat()
	return func() error {
		end()
		return topic.Close()
	}, nil
}

func (o *simOptions) radio(context.Context, frame.Streams, *sim.World) error {
	return hardware.ErrNoWifi
}

// worldChange has no state: this program runs one world only.
type worldChange struct{}

func (worldChange) worldFlags(*pflag.FlagSet) {}

// charge does nothing: costs are in the programs for PCs.
func (*simOptions) charge(*sim.World) error { return nil }
