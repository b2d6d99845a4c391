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
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// steps is a time source of steps of 10 ms that calls a function before each.
type steps struct {
	n      int
	before func(i int)
}

func (s steps) Run(ctx context.Context, to func(age time.Duration) error) error {
	for i := 1; i <= s.n && ctx.Err() == nil; i++ {
		s.before(i)
		if err := to(time.Duration(i) * 10 * time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func (steps) Status() timesource.Status { return timesource.Status{By: "steps"} }

// hang is the cost of a source of which one step takes 3 s.
func hang(i int) time.Duration {
	if i == 500 {
		return 3 * time.Second
	}
	return 0
}

// A paced source takes as long as its factor says if it can, longer if it is slow, and catches up with a lag of 5 s.
func TestPacedSourceIsNotFasterThanItsFactor(t *testing.T) {
	for _, c := range []struct {
		name   string
		factor float64
		cost   func(i int) time.Duration
		want   time.Duration // of 1000 steps
	}{
		{"real time", 1, func(int) time.Duration { return time.Millisecond }, 10 * time.Second},
		{"four times", 4, func(int) time.Duration { return time.Millisecond }, 2500 * time.Millisecond},
		{"a hundred times", 100, func(int) time.Duration { return 0 }, 100 * time.Millisecond},
		{"too slow", 10, func(int) time.Duration { return 10 * time.Millisecond }, 10 * time.Second},
		{"a short lag", 1, hang, 10 * time.Second},
		{"unlimited", math.Inf(1), func(int) time.Duration { return 0 }, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			source, err := simclock.Paced(steps{1000, func(i int) { time.Sleep(c.cost(i)) }}, c.factor)
			if err != nil {
				t.Fatal(err)
			}
			begun, from := time.Now(), time.Duration(0)
			var base time.Time
			err = source.Run(t.Context(), func(age time.Duration) error {
				if base.IsZero() {
					base, from = time.Now(), age
				}
				if least := time.Duration(float64(age-from) / c.factor); time.Since(base) < least {
					t.Errorf("%s: age %v after %v", c.name, age, time.Since(base))
				}
				return nil
			})
			if took := time.Since(begun); err != nil || took < c.want-20*time.Millisecond || took > c.want+20*time.Millisecond {
				t.Errorf("%s: took %v, want %v: %v", c.name, took, c.want, err)
			}
		})
	}
}

// The end of a run is not delayed by a pause of its source, and impossible factors are rejected.
func TestPacedSourceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, err := simclock.Paced(steps{1000, func(int) {}}, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		err = source.Run(ctx, func(time.Duration) error { return nil })
		if took := time.Since(begun); took > 2*time.Second || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("took %v: %v", took, err)
		}
		if by := source.Status().By; by != "steps, at most 1e-06 × real time" {
			t.Error(by)
		}
	})
	for _, factor := range []float64{0, -1, math.NaN()} {
		if _, err := simclock.Paced(steps{}, factor); !errors.Is(err, simclock.ErrFactor) {
			t.Errorf("factor %g: %v", factor, err)
		}
	}
}
