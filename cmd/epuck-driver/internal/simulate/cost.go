// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/studies"
	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// costOptions are the flags of sim for the cost of the robots' work on their processors.
type costOptions struct {
	text   string // empty: the world's costs
	wanted bool   // some robot's work takes time
}

func (o *costOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.text, "cost", "", "`COST` of all robots' work for their processors, or NAME=COST of some with commas between: none,\n"+
		"table (what was counted on the emulated robot) or the seconds that each callback takes; without "+
		"it, as the world says. What exceeds the processor's time is late; at the end the load of each processor is printed")
}

// read returns the cost of all robots, nil for the world's, and the costs of some by their names.
func (o *costOptions) read() (all *world.Cost, some map[string]world.Cost, err error) {
	some = map[string]world.Cost{}
	if o.text == "" {
		return nil, some, nil
	}
	for word := range strings.SplitSeq(o.text, ",") {
		name, text, named := strings.Cut(word, "=")
		if !named {
			text = word
		}
		c, err := world.ParseCost(text)
		switch {
		case err != nil || text == "":
			return nil, nil, frame.Usagef("--cost %q: must be %q, %q, or the seconds that each callback takes, 0 to %d", text, world.None, world.CostTable, world.MaxCallback)
		case named:
			some[name] = c
		default:
			all = &c
		}
	}
	return all, some, nil
}

// charge sets the requested costs of the robots of a world. Those of level target have none, as their instructions
// are counted.
func (o *costOptions) charge(w *sim.World) error {
	all, some, err := o.read()
	if err != nil {
		return err
	}
	for i := range w.Robots {
		r := &w.Robots[i]
		c, named := some[r.Name]
		delete(some, r.Name)
		switch {
		case named && c != (world.Cost{}) && (r.Level == world.LevelTarget || r.Model != ""):
			return frame.Usagef("--cost %s=%v: only robots of the levels %q are charged", r.Name, c, world.JoiningLevels())
		case named:
			r.Cost = c
		case r.Level == world.LevelTarget || r.Model != "":
			r.Cost = world.Cost{}
		case all != nil:
			r.Cost = *all
		}
	}
	for name := range some {
		return frame.Usagef("--cost: no robot %q", name)
	}
	return nil
}

// charge sets the requested costs of the robots of a world, if their nodes are in this process.
func (o *simOptions) charge(w *sim.World) error {
	if err := o.costs.charge(w); err != nil || !hasCosts(w) {
		return err
	}
	if o.controller.name != "" || o.wifi != "" || o.device >= 0 {
		return frame.Usagef("a robot's work costs something only where its node is here: --controller, --wifi and --i2c-device go with --cost none")
	}
	return nil
}

// hasCosts reports whether the work of some robot of a world takes time.
func hasCosts(w *sim.World) bool {
	return slices.ContainsFunc(w.Robots, func(r world.Robot) bool { return r.Cost != (world.Cost{}) })
}

// cores returns the function that creates the robots' processors; nil if no robot has a cost.
func (o *simOptions) cores(clock *simclock.Clock) (func(m sim.Robot) (*core.Core, error), error) {
	if !o.costs.wanted {
		return nil, nil //nolint:nilnil // without costs there are no processors
	}
	parameters, err := studies.ReadParameters(o.aboard.parameters)
	if err != nil {
		return nil, err
	}
	return func(m sim.Robot) (*core.Core, error) {
		if m.Cost() == (world.Cost{}) {
			return nil, nil //nolint:nilnil // it costs nothing
		}
		return newCore(m, parameters, o.aboard.load, clock)
	}, nil
}

// newCore creates the processor of a robot.
func newCore(m sim.Robot, p armcost.Parameters, l armcost.Load, clock *simclock.Clock) (*core.Core, error) {
	prices, err := core.PricesOf(m.Cost(), p.Parameters["core"].Interval)
	if err != nil {
		return nil, err
	}
	how := "the table of costs"
	if !m.Cost().Table {
		how = m.Cost().String() + " s a callback"
	}
	return core.New(core.Config{Robot: m.Name(), Prices: prices, How: how, Parameters: p, Load: l, Now: clock.Now})
}

// processors returns the reports of all emulated or modelled processors.
func (r *fleetRun) processors() []core.Report {
	return append(r.robots.Cores(), r.o.aboard.cores()...)
}

// printProcessors writes the reports of the modelled processors, as at level target.
func (r *fleetRun) printProcessors(w io.Writer) error {
	for _, c := range r.robots.Cores() {
		if _, err := c.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// hasTargets reports whether a world has robots of the level target.
func hasTargets(w *sim.World) bool {
	return slices.ContainsFunc(w.Robots, func(r world.Robot) bool { return r.Level == world.LevelTarget })
}
