// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// lockstepOptions are the flags of sim for a time that waits for other nodes.
type lockstepOptions struct {
	on      bool
	waitFor []string
	answers []string
	limit   time.Duration
}

func (o *lockstepOptions) flags(f *pflag.FlagSet) {
	f.BoolVar(&o.on, "lockstep", false, "let time go on by steps of 10 ms, each when all who take part have taken the one before")
	f.StringSliceVar(&o.waitFor, "wait-for", nil, "with --lockstep: no step before these `NODES` are there, with commas between")
	f.StringSliceVar(&o.answers, "answer", nil, "with --lockstep: a step has been taken when a message has come on each of these `TOPICS`")
	f.DurationVar(&o.limit, "answer-limit", 5*time.Second, "with --lockstep: after so much of the machine's time the log names whom time waits for")
}

// check refuses flags that don't go together.
func (o *lockstepOptions) check(all *simOptions) error {
	switch {
	case !o.on && (len(o.waitFor) > 0 || len(o.answers) > 0 || o.limit != 5*time.Second):
		return frame.Usagef("--wait-for, --answer and --answer-limit go with --lockstep")
	case o.on && o.limit <= 0:
		return frame.Usagef("--answer-limit %v: must be positive", o.limit)
	case o.on && (all.traci.Wanted() || all.webots.Wanted() || all.device >= 0 || all.controller.name != "" || all.snapshot != "" || all.swarm.speedText != "1"):
		return frame.Usagef("--lockstep doesn't go with --traci, --webots, --i2c-device, --controller, --snapshot and --speed: only one holds time")
	}
	return nil
}
