// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// BenchmarkFactor measures the real-time factor (s/s) that 8 robots with their nodes reach where 1, 20 and as fast as
// possible are asked for. Each robot publishes exactly 20 messages of odometry for each simulated second.
func BenchmarkFactor(b *testing.B) {
	for _, level := range []string{"functional", "firmware"} {
		for _, factor := range []float64{1, 20, math.Inf(1)} {
			b.Run(fmt.Sprintf("%s/robots=8/factor=%g", level, factor), func(b *testing.B) { benchmarkFactor(b, level, factor) })
		}
	}
}

func benchmarkFactor(b *testing.B, level string, factor float64) {
	const robots = 8
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	w, err := kinds{"level: " + level}.rows(robots)
	must(err)
	clock, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: factor})
	must(err)
	s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, Wait: clock.Wait, MaxCatchUp: -1})
	must(err)
	network := ros2test.NewNetwork()
	transport, outside := network.NewTransport(), network.NewTransport()
	f, err := fleet.New(fleet.Config{
		Simulation: s, Transport: transport, Clock: clock,
		Hardware: func(r *sim.Firmware, _ *ros2.Node) (driver.Config, func() error, error) {
			return driver.Config{Hardware: &chips.Robot{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()}}, func() error { return nil }, nil
		},
	})
	must(err)
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "listener", Transport: outside, Clock: clock})
	must(err)
	received := make([]int, robots)
	for i := range robots {
		count := func(*nav_msgs.Odometry, ros2.MessageInfo) { received[i]++ }
		_, err := ros2.NewSubscription(n, fmt.Sprintf("/r%d/odom", i), ros2.DefaultQoS(), count)
		must(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	length := time.Duration(min(factor, 60)) * time.Second / 2
	seconds := 0.0
	must(clock.Run(ctx, func() error {
		age := s.Elapsed()
		if seconds = age.Seconds(); age%length == 0 && !b.Loop() {
			cancel()
		}
		return f.Step()
	}))
	b.ReportMetric(float64(b.N)*length.Seconds()/b.Elapsed().Seconds(), "s/s") // from the first b.Loop
	clock.Release()
	for i, got := range received {
		if want := int(seconds * 20); got != want {
			b.Errorf("robot %d: %d messages in %g s, want %d", i, got, seconds, want)
		}
	}
	must(errors.Join(f.Close(), n.Close(), outside.Close(), transport.Close()))
}
