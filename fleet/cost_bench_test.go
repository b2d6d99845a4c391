// SPDX-License-Identifier: Apache-2.0

//go:build linux

package fleet_test

import (
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// BenchmarkCost measures the user processor time of a functional robot with its node for each simulated second, and its
// memory, on a network in memory: without other nodes, with subscriptions of /odom, with commands too, with subscriptions
// of the diagnostics, and of all other topics but those of the camera.
func BenchmarkCost(b *testing.B) {
	for _, n := range []int{1, 50, 200} {
		for _, load := range []string{"none", "odom", "drive", "diagnostics", "all"} {
			b.Run(fmt.Sprintf("robots=%d/%s", n, load), func(b *testing.B) { benchmarkCost(b, n, load) })
		}
	}
}

func benchmarkCost(b *testing.B, n int, load string) {
	before := heap()
	clock := sim.NewClock()
	s, err := sim.New(crowd(b, n, world.LevelFunctional), sim.Options{Seed: 1, Now: clock.Now, Settled: true})
	if err != nil {
		b.Fatal(err)
	}
	network := ros2test.NewNetwork()
	transport, outside := network.NewTransport(), network.NewTransport()
	f, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	memory := heap() - before
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "watcher", Transport: outside})
	if err != nil {
		b.Fatal(err)
	}
	messages := 0
	var drive []*ros2.Publisher[geometry_msgs.Twist]
	for _, r := range s.Robots() {
		if load == "odom" || load == "drive" {
			if _, err := ros2.NewSubscription(node, "/"+r.Name()+"/odom", ros2.DefaultQoS(), func(*nav_msgs.Odometry, ros2.MessageInfo) { messages++ }); err != nil {
				b.Fatal(err)
			}
		}
		if load == "drive" {
			p, err := ros2.NewPublisher[geometry_msgs.Twist](node, "/"+r.Name()+"/cmd_vel", ros2.DefaultQoS())
			if err != nil {
				b.Fatal(err)
			}
			drive = append(drive, p)
		}
	}
	heard := map[string]bool{}
	for _, e := range outside.Graph().Endpoints {
		diagnostics := e.Topic == "/diagnostics"
		if e.Kind != ros2.PublisherEndpoint || heard[e.Topic] || load != "all" && load != "diagnostics" || diagnostics != (load == "diagnostics") ||
			strings.Contains(e.Topic, "image") || strings.Contains(e.Topic, "camera") {
			continue
		}
		heard[e.Topic] = true
		if _, err := outside.NewReader(ros2.ReaderConfig{EndpointConfig: ros2.EndpointConfig{Node: node.Name(), Topic: e.Topic, Type: e.Type, TypeHash: e.TypeHash, QoS: e.QoS}, OnSample: func(ros2.Sample) { messages++ }}); err != nil {
			b.Fatal(err)
		}
	}
	second := func() {
		for i := range 100 {
			if i%5 == 0 {
				for k, p := range drive {
					if err := p.Publish(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.02 + 0.01*float64(k%5)}, Angular: geometry_msgs.Vector3{Z: 1}}); err != nil {
						b.Fatal(err)
					}
				}
			}
			clock.Sleep(10 * time.Millisecond)
			if err := f.Step(); err != nil {
				b.Fatal(err)
			}
		}
	}
	for range 5 { // calibrations end, queues reach their size
		second()
	}
	messages = 0
	heap() // of what was needed to start
	begun := userTime(b)
	for b.Loop() {
		second()
	}
	per := float64(b.N) * float64(n)
	b.ReportMetric((userTime(b)-begun)*1e6/per, "user-µs/robot-s")
	b.ReportMetric(float64(memory)/1000/float64(n), "kB/robot")
	b.ReportMetric(float64(messages)/per, "messages/robot-s")
	for _, c := range []interface{ Close() error }{f, node, outside, transport} {
		if err := c.Close(); err != nil {
			b.Error(err)
		}
	}
}

// userTime returns the user processor time that this process has used so far, s.
func userTime(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()) / 1e9
}
