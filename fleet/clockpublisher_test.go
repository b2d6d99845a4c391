// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// published is what a ClockPublisher has published.
type published struct {
	status   string
	clock    []time.Time
	reliable int                              // messages of /clock that one heard who asked for reliable ones
	health   *diagnostic_msgs.DiagnosticArray // the latest
}

// listenTo runs a world that takes cost for each simulated second for three seconds, and records what is published
// of it.
func listenTo(t *testing.T, speed float64, cost time.Duration) (all published) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: speed})
		if err != nil {
			t.Fatal(err)
		}
		w, err := sim.LoadWorld("plane")
		if err != nil {
			t.Fatal(err)
		}
		w.Robots[0].Level = world.LevelFunctional
		s, err := sim.New(w, sim.Options{Now: p.Now})
		if err != nil {
			t.Fatal(err)
		}
		transport := ros2test.NewTransport()
		robots, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: p})
		if err != nil {
			t.Fatal(err)
		}
		node, err := ros2.NewNode(ros2.NodeConfig{Name: "simulation", Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		clockPub, err := fleet.NewClockPublisher(node, p, s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewSubscription(node, "/clock", ros2.ClockQoS(), func(m *rosgraph_msgs.Clock, _ ros2.MessageInfo) {
			all.clock = append(all.clock, time.Unix(int64(m.Clock.Sec), int64(m.Clock.Nanosec)))
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.Listen(node, "/clock", ros2.DefaultQoS(), func(*rosgraph_msgs.Clock) { all.reliable++ }); err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewSubscription(node, "/diagnostics", ros2.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, _ ros2.MessageInfo) { all.health = m }); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var group task.Group
		group.Go("world", func() {
			last := p.Now()
			_ = p.Run(ctx, func() error {
				now := p.Now()
				time.Sleep(time.Duration(float64(cost) * now.Sub(last).Seconds()))
				last = now
				clockPub.Tick()
				return nil
			})
		})
		group.Go("/clock", func() { clockPub.Repeat(ctx) })
		time.Sleep(3 * time.Second)
		cancel()
		group.Wait()
		all.status = clockPub.Status()
		for _, c := range []interface{ Close() error }{clockPub, robots, node, transport} {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return all
}

// A world that is too slow says so in the status line and in the diagnostics, one that is not does not.
func TestLatenessIsPublished(t *testing.T) {
	late := listenTo(t, 1, 2*time.Second)
	if !strings.Contains(late.status, "1 robots | ") || !strings.Contains(late.status, "| late by ") {
		t.Errorf("status %q", late.status)
	}
	if h := late.health; h == nil || len(h.Status) != 1 || h.Status[0].Level != diagnostic_msgs.DiagnosticStatusWarn ||
		!strings.Contains(h.Status[0].Message, "too slow") {
		t.Errorf("diagnostics %+v", h)
	}
	well := listenTo(t, 1, time.Millisecond)
	if strings.Contains(well.status, "late") || well.health == nil || well.health.Status[0].Level != diagnostic_msgs.DiagnosticStatusOK {
		t.Errorf("status %q, diagnostics %+v", well.status, well.health)
	}
}

// /clock is published at every speed, never decreases, and pauses when time does; every reader matches.
func TestClockIsSent(t *testing.T) {
	for _, speed := range []float64{0, 0.5, 1, 10, math.Inf(1)} {
		got := listenTo(t, speed, 10*time.Millisecond)
		if len(got.clock) < 15 {
			t.Fatalf("speed %g: %d messages", speed, len(got.clock))
		}
		if got.reliable != len(got.clock) {
			t.Errorf("speed %g: %d messages for a best-effort reader, %d for a reliable one", speed, len(got.clock), got.reliable)
		}
		for i, c := range got.clock[1:] {
			if c.Before(got.clock[i]) || c.Before(time.Unix(0, 0)) {
				t.Fatalf("speed %g: %v after %v", speed, c, got.clock[i])
			}
		}
		last := got.clock[len(got.clock)-1].Sub(time.Unix(0, 0)).Seconds()
		if want := 3 * min(speed, 100); math.Abs(last-want) > 0.1*want+0.2 {
			t.Errorf("speed %g: the clock ends at %g s, want %g", speed, last, want)
		}
	}
}
