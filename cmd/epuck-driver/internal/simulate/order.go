// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// orderOptions are the flags of sim for robots and other processes whose callbacks run in a fixed order.
type orderOptions struct {
	mode    string // "", fixed or parallel
	members []string
	log     string // file of the record
	replay  string // file of a record to repeat
	limit   time.Duration
	given   func(flag string) bool
}

func (o *orderOptions) flags(f *pflag.FlagSet) {
	o.given = f.Changed
	f.StringVar(&o.mode, "order", "", "advance time in steps of 10 ms in which all callbacks run in a fixed order: `fixed` in sequence,\nor parallel; as fast as it can, or at most as fast as --real-time-factor")
	f.StringSliceVar(&o.members, "members", nil, "with --order: the other participating `PROCESSES`, separated by commas; docs/explanation/time.md")
	f.StringVar(&o.log, "order-log", "", "with --order: write each callback of members and robots, and each robot's step, to this `FILE`;\nsim order-diff compares two")
	f.StringVar(&o.replay, "order-replay", "", "with --order: repeat the run of this `FILE`, which --order-log has written, or say where it is left")
	f.DurationVar(&o.limit, "order-limit", 5*time.Second, "with --order: after so much of the machine's time the status names the participants that time waits for")
}

func (o *orderOptions) wanted() bool { return o.mode != "" }

// paced reports whether the command line sets the real-time factor: without it, time advances as fast as possible.
func (o *orderOptions) paced() bool { return o.given("real-time-factor") || o.given("speed") }

// check returns an error for flags that exclude each other.
func (o *orderOptions) check(all *simOptions) error {
	switch {
	case !o.wanted() && (len(o.members) > 0 || o.log != "" || o.replay != "" || o.limit != 5*time.Second):
		return frame.Usagef("--members, --order-log, --order-replay and --set order.limit go with --order")
	case !o.wanted():
		return nil
	case o.mode != "fixed" && o.mode != "parallel":
		return frame.Usagef("--order %s: must be fixed or parallel", o.mode)
	case o.limit <= 0:
		return frame.Usagef("order.limit %v: must be positive", o.limit)
	case all.swarm.speed == 0:
		return frame.Usagef("--order doesn't go with --real-time-factor 0: a fixed order is never paused")
	}
	for _, other := range []struct {
		flag  string
		given bool
	}{
		{"--traci", all.traci.Wanted()}, {"--webots", all.webots.Wanted()}, {"--i2c-device", all.device >= 0},
		{"--controller", all.controller.name != ""}, {"--snapshot", all.snapshot != ""}, {"--wifi", all.wifi != ""},
	} {
		if other.given {
			return frame.Usagef("--order doesn't go with %s: there is one time source only", other.flag)
		}
	}
	return nil
}
