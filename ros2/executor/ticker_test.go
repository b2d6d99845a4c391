// SPDX-License-Identifier: Apache-2.0

package executor_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
)

// A ticker runs in the node's group, at its times without drift; a late one is called once, with its scheduled time.
func TestTickers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		clock := ros2.NewManualClock(time.Unix(100, 0))
		e := executor.NewSingleThreaded()
		n := node(t, e.NewGroup(executor.Exclusive), clock)
		var ran record
		tick, err := ros2.NewTicker(n, "tick", 100*time.Millisecond, func(at time.Time) { ran.add(fmt.Sprint(at.Sub(time.Unix(100, 0)))) })
		if err != nil {
			t.Fatal(err)
		}
		if tick.Name() != "tick" {
			t.Errorf("name %q", tick.Name())
		}
		advance := func(d time.Duration) {
			clock.Advance(d)
			synctest.Wait()
			if err := e.SpinSome(); err != nil {
				t.Fatal(err)
			}
		}
		for _, ms := range []int{99, 1, 130, 70, 250, 50} {
			advance(time.Duration(ms) * time.Millisecond)
		}
		ran.expect(t, "ticks", "100ms", "200ms", "300ms", "400ms", "600ms")
		clock.Set(time.Unix(50, 0)) // a simulation restarts
		synctest.Wait()
		if err := tick.Close(); err != nil {
			t.Error(err)
		}
		if err := tick.Close(); err != nil {
			t.Error(err)
		}
		advance(time.Minute)
		ran.expect(t, "after the end", "100ms", "200ms", "300ms", "400ms", "600ms")
	})
}

// Without a group a ticker calls on its own goroutine; closing the node closes it.
func TestTickerWithoutGroup(t *testing.T) {
	bubble(t, func(t *testing.T) {
		clock := ros2.NewManualClock(time.Unix(100, 0))
		e := executor.NewSingleThreaded()
		n := node(t, e.NewGroup(executor.Exclusive), nil)
		var ran record
		_, err := ros2.NewTicker(n, "tick", time.Second, func(time.Time) { ran.add("tick") }, ros2.TickerClock(clock), ros2.TickerGroup(nil))
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Second)
		synctest.Wait()
		ran.expect(t, "after a second", "tick")
		for _, period := range []time.Duration{0, -1} {
			if _, err := ros2.NewTicker(n, "bad", period, func(time.Time) {}); !errors.Is(err, ros2.ErrConfig) {
				t.Errorf("period %v: %v", period, err)
			}
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		if _, err := ros2.NewTicker(n, "late", time.Second, func(time.Time) {}); !errors.Is(err, ros2.ErrClosed) {
			t.Errorf("on a node that has ended: %v", err)
		}
	})
}
