// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// lockstepOptions are the former flags of sim for a time that waits for other nodes. They are refused by name: what
// other nodes sent took effect at steps that depended on the machine.
type lockstepOptions struct {
	on       bool
	waitFor  []string
	answers  []string
	services []string
	limit    time.Duration
}

func (o *lockstepOptions) flags(f *pflag.FlagSet) {
	f.BoolVar(&o.on, "lockstep", false, "taken out: --order")
	f.StringSliceVar(&o.waitFor, "wait-for", nil, "taken out: --members")
	f.StringSliceVar(&o.answers, "answer", nil, "taken out: --members")
	f.StringSliceVar(&o.services, "acknowledge", nil, "taken out: --members")
	f.DurationVar(&o.limit, "answer-limit", 0, "taken out: order.limit")
	for _, name := range []string{"lockstep", "wait-for", "answer", "acknowledge", "answer-limit"} {
		_ = f.MarkHidden(name) // it exists
	}
}

// check refuses the flags, and names those that do what they were for.
func (o *lockstepOptions) check() error {
	if o.on || len(o.waitFor) > 0 || len(o.answers) > 0 || len(o.services) > 0 || o.limit != 0 {
		return frame.Usagef("--lockstep, with --wait-for, --answer and --acknowledge, was taken out: its runs did not repeat. Use --order fixed\n" +
			"--members NAME,…, in which time waits for these processes and every run is the same (docs/explanation/time.md)")
	}
	return nil
}

// alone refuses flags that don't go with one by which the processes that take part control time.
func alone(flag string, all *simOptions) error {
	for _, c := range []struct {
		given bool
		flag  string
	}{
		{all.swarm.speedText != "1" && flag != "--order", "--real-time-factor"}, {all.traci.Wanted(), "--traci"}, {all.webots.Wanted(), "--webots"},
		{all.device >= 0, "--i2c-device"},
		{all.controller.name != "", "--controller"}, {all.snapshot != "", "--snapshot"}, {all.wifi != "", "--wifi"},
	} {
		switch {
		case !c.given:
		case c.flag == "--real-time-factor":
			return frame.Usagef("%s doesn't go with --real-time-factor: there is one time source only, and with %[1]s time advances as soon as all participants\n"+
				"have finished a step, as fast as they can. Leave --real-time-factor out; for real time let one of them wait in each step", flag)
		default:
			return frame.Usagef("%s doesn't go with %s: there is one time source only", flag, c.flag)
		}
	}
	return nil
}

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

// paced reports whether the real-time factor is that of the command line: without it time advances as fast as it can.
func (o *orderOptions) paced() bool { return o.given("real-time-factor") || o.given("speed") }

// check refuses flags that don't go together.
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
	return alone("--order", all)
}
