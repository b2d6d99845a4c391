// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// lockstepOptions are the removed flags of sim for a time that waits for other nodes, which return an error with
// their replacement. The messages of other nodes took effect at steps that depended on the machine.
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

// check returns an error that names the replacement if one of the flags is set.
func (o *lockstepOptions) check(settings []string) error {
	for _, text := range settings {
		if key, _, _ := strings.Cut(text, "="); key == "lockstep" || strings.HasPrefix(key, "lockstep.") {
			return frame.Usagef("--set %s: it went with --lockstep, which was taken out: its runs did not repeat. Use --order fixed --members NAME,…\n"+
				"with --set order.limit=… (docs/explanation/time.md)", key)
		}
	}
	if o.on || len(o.waitFor) > 0 || len(o.answers) > 0 || len(o.services) > 0 || o.limit != 0 {
		return frame.Usagef("--lockstep, with --wait-for, --answer and --acknowledge, was taken out: its runs did not repeat. Use --order fixed\n" +
			"--members NAME,…, in which time waits for these processes and every run is the same (docs/explanation/time.md)")
	}
	return nil
}
