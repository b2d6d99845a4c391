// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// wholeRobot is everything but main: the simulated robot, the driver, and the real transport.
type wholeRobot struct {
	clock     *ros2.ManualClock
	robot     *sim.Firmware
	driver    *driver.Driver
	transport ros2.Transport
}

func newWholeRobot(t testing.TB) *wholeRobot {
	t.Helper()
	return newWholeRobotOn(t, build.RTPS)
}

// newWholeRobotOn makes one on the transport of that name.
func newWholeRobotOn(t testing.TB, name string) *wholeRobot {
	t.Helper()
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", fmt.Sprint(os.Getpid()%220+1))
	clock := ros2.NewManualClock(time.Unix(1_700_000_000, 0))
	world, err := sim.LoadWorld("arena")
	if err != nil {
		t.Fatal(err)
	}
	simulation, err := sim.New(world, sim.Options{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	robot := sim.RobotsOf[*sim.Firmware](simulation)[0]
	transport, err := network.Choice{Transport: name}.Open(ros2.Args{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: transport, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.New(driver.Config{Hardware: &chips.Robot{Bus: robot.Bus()}, Node: node})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, close := range []func() error{d.Close, node.Close, transport.Close} {
			if err := close(); err != nil {
				t.Error(err)
			}
		}
	})
	return &wholeRobot{clock, robot, d, transport}
}

// step makes one control cycle, 50 ms after the last.
func (r *wholeRobot) step(t testing.TB) {
	r.clock.Advance(50 * time.Millisecond)
	if err := r.driver.Step(); err != nil {
		t.Fatal(err)
	}
}

// findParts returns when the optional chips have been found and their topics are there.
func (r *wholeRobot) findParts(t testing.TB) {
	t.Helper()
	for range 400 {
		r.step(t)
		missing := 0
		for _, part := range r.driver.Status().Parts {
			if part.State != device.Running {
				missing++
			}
		}
		if missing == 0 {
			return
		}
	}
	t.Fatalf("parts that were not found: %+v", r.driver.Status().Parts)
}

// subscribeAll returns when another process listens to every topic.
func (r *wholeRobot) subscribeAll(t testing.TB) {
	t.Helper()
	changed := make(chan struct{}, 1)
	cancel := r.transport.OnGraphChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer cancel()
	startListener(t)
	r.await(t, changed)
}

// awaitSubscribers returns when every topic is subscribed to.
func (r *wholeRobot) awaitSubscribers(t testing.TB) {
	t.Helper()
	r.await(t, nil)
}

func (r *wholeRobot) await(t testing.TB, changed <-chan struct{}) {
	t.Helper()
	look := time.NewTicker(100 * time.Millisecond) // endpoints may match later than the graph shows them
	defer look.Stop()
	for deadline := time.After(time.Minute); ; {
		status := r.driver.Status()
		if status.Subscribed() == len(status.Topics) {
			return
		}
		select {
		case <-changed:
		case <-look.C:
		case <-deadline:
			t.Fatalf("subscribed to %d of %d topics", status.Subscribed(), len(status.Topics))
		}
	}
}

// TestCycleDoesNotAllocate is the budget of the control cycle with every topic sent to another process over the
// network.
func TestCycleDoesNotAllocate(t *testing.T) {
	r := newWholeRobot(t)
	r.findParts(t)
	r.subscribeAll(t)
	for range 60 { // grow the buffers
		r.step(t)
	}
	if err := r.robot.SendRemote(20); err != nil { // the one topic that needs an event
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(500, func() { r.step(t) }); n != 0 {
		t.Errorf("%v allocations in a control cycle with every topic subscribed", n)
	}
	for _, topic := range r.driver.Status().Topics {
		if topic.Messages == 0 {
			t.Errorf("nothing was sent on %s", topic.Name)
		}
	}
}

// BenchmarkCycleOverNetwork is the processor time of a control cycle, idle and with every topic sent over the network.
func BenchmarkCycleOverNetwork(b *testing.B) {
	for _, c := range []struct {
		name string
		all  bool
	}{{"idle", false}, {"all", true}} {
		b.Run(c.name, func(b *testing.B) {
			r := newWholeRobot(b)
			r.findParts(b)
			if c.all {
				r.subscribeAll(b)
			}
			b.ReportAllocs()
			for b.Loop() {
				r.step(b)
			}
		})
	}
}
