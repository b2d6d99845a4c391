// SPDX-License-Identifier: Apache-2.0

package simclock_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// script is a time source that goes to some ages, an hour of the machine's time apart.
type script struct{ ages []time.Duration }

func (s script) Run(ctx context.Context, to func(time.Duration) error) error {
	for _, age := range s.ages {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Hour):
		}
		if err := to(age); err != nil {
			return err
		}
	}
	return nil
}

func (s script) Status() timesource.Status {
	return timesource.Status{By: "a script", Waits: "an hour"}
}

// The clock shows what the time source says, a timer fires at exactly its time, and waiters do not wake before.
func TestClockGoesWhereItsSourceSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: math.Inf(1)})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Status(); got.By != "nothing yet" {
			t.Errorf("before the run: %v", got)
		}
		var group task.Group
		var woke time.Time
		group.Go("waiter", func() {
			p.Sleep(30 * time.Millisecond)
			woke = p.Now()
		})
		var ages []time.Duration
		wanted := []time.Duration{10 * time.Millisecond, 20 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond, 40 * time.Millisecond}
		err = p.Drive(t.Context(), script{wanted}, func() error {
			ages = append(ages, p.Now().Sub(time.Unix(0, 0)))
			return nil
		})
		group.Wait()
		if err != nil || len(ages) != len(wanted) {
			t.Fatalf("%v, ages %v", err, ages)
		}
		for i, age := range ages {
			if age != wanted[i] {
				t.Errorf("step %d: age %v, want %v", i, age, wanted[i])
			}
		}
		if got := woke.Sub(time.Unix(0, 0)); got != 30*time.Millisecond {
			t.Errorf("slept until %v", got)
		}
		if got := p.Status().String(); got != "time: a script waits for an hour" {
			t.Error(got)
		}
	})
}

func TestDriveReturnsTheErrorOfTheSimulation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := simclock.New(simclock.Config{Factor: 1, Step: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		if err := p.Drive(t.Context(), script{[]time.Duration{1, 2}}, func() error { return broken }); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
	})
}
