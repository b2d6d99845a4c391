// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

func TestProbe(t *testing.T) {
	for _, c := range []struct {
		name, world string
		prepare     func(*rig)
		want        error
		says        string
		within      time.Duration
	}{
		{"a robot", "plane", func(*rig) {}, nil, "", 100 * time.Millisecond},
		{"a robot that has just been switched on", "plane", func(r *rig) { r.robot.Restart() }, nil, "", 1300 * time.Millisecond},
		{"a bus that fails now and then", "plane", func(r *rig) {
			r.must(r.robot.Faults().SetRates(vbus.Rates{NAK: 0.3, CorruptRead: 0.3}))
		}, nil, "", time.Second},
		{"no answer", "plane", func(r *rig) { r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK})) },
			ErrNoRobot, "selector at 10", 3 * time.Second},
		{"the wrong firmware", "robots:\n  - {name: epuck, position: [0, 0], firmware: york}\n", func(*rig) {},
			ErrNoRobot, "York", 3 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: c.world, noStart: true})
				c.prepare(r)
				began := time.Now()
				err := r.driver.Probe(t.Context())
				if !errors.Is(err, c.want) || c.want == nil && err != nil {
					t.Fatalf("error %v, want %v", err, c.want)
				}
				if c.want != nil && !strings.Contains(err.Error(), c.says) {
					t.Errorf("%q does not say %q", err, c.says)
				}
				if took := time.Since(began); took > c.within {
					t.Errorf("it took %v", took)
				}
				r.must(r.robot.Faults().SetRates(vbus.Rates{}))
				r.must(r.robot.Faults().Hold(vbus.Fault{}))
				if c.want == nil {
					r.must(r.driver.Step()) // the driver is ready to run
				}
			})
		})
	}
}

func TestProbeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{noStart: true})
		r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if err := r.driver.Probe(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		r.must(r.robot.Faults().Hold(vbus.Fault{}))
	})
}
