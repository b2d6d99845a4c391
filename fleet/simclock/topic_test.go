// SPDX-License-Identifier: Apache-2.0

package simclock_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// onTopic runs a clock with its topic for a time of the machine, and returns the ages that were published.
func onTopic(t *testing.T, cfg simclock.Config, length, wall time.Duration) (ages []time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		c, err := simclock.New(cfg)
		must(err)
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "simulation", Transport: ros2test.NewNetwork().NewTransport()})
		must(err)
		_, err = ros2.NewSubscription(n, "/clock", ros2.DefaultQoS().WithDepth(1000), func(m *rosgraph_msgs.Clock, _ ros2.MessageInfo) {
			ages = append(ages, time.Unix(int64(m.Clock.Sec), int64(m.Clock.Nanosec)).Sub(cfg.Epoch))
		})
		must(err)
		topic, err := simclock.NewTopic(n, c)
		must(err)
		ctx, cancel := context.WithTimeout(t.Context(), wall)
		defer cancel()
		var group task.Group
		group.Go("/clock", func() { simclock.Repeat(ctx, topic.Tick) })
		must(c.Run(ctx, func() error {
			topic.Tick()
			synctest.Wait()
			if c.Now().Sub(cfg.Epoch) >= length {
				cancel()
			}
			return nil
		}))
		cancel()
		group.Wait()
		must(topic.Close())
		must(n.Close())
	})
	return ages
}

// Each step of at least 10 ms is on /clock, shorter ones each 10 ms, at any real-time factor.
func TestClockTopicHasEachStep(t *testing.T) {
	for _, factor := range []float64{1, 20, math.Inf(1)} {
		for step, want := range map[time.Duration]time.Duration{time.Millisecond: 10 * time.Millisecond, 10 * time.Millisecond: 10 * time.Millisecond, 50 * time.Millisecond: 50 * time.Millisecond} {
			ages := onTopic(t, simclock.Config{Epoch: epoch, Factor: factor, Step: step}, 2*time.Second, time.Hour)
			ages = slices.Compact(ages) // the time may be repeated while the machine waits
			for i := range ages[1:] {
				if d := ages[i+1] - ages[i]; d != want {
					t.Fatalf("factor %g, steps of %v: %v between messages, want %v", factor, step, d, want)
				}
			}
			if len(ages) < int(2*time.Second/want) {
				t.Errorf("factor %g, steps of %v: %d messages", factor, step, len(ages))
			}
		}
	}
}

// The time of a paused clock is repeated ten times a second, for subscribers that come late.
func TestClockTopicRepeatsThePausedTime(t *testing.T) {
	ages := onTopic(t, simclock.Config{Epoch: epoch}, time.Second, 10*time.Second)
	if len(ages) < 98 || len(ages) > 101 || slices.Max(ages) != 0 {
		t.Errorf("%d messages in 10 s, the latest age %v", len(ages), slices.Max(ages))
	}
}
