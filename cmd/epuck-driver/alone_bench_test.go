// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// BenchmarkDriver is the whole program in real time, without subscribers or with another process subscribed to every
// topic: its processor time as a share of one core, and how often a second it wakes the processor up. With a recorded
// bus, transfers cost nothing, so that only the driver is measured, with the timers that it has on the robot, and on
// one processor as there; the remaining time of the simulated robot is its own, and the second processor's.
func BenchmarkDriver(b *testing.B) {
	for _, c := range []struct {
		name      string
		tape, all bool
	}{{"alone/idle", true, false}, {"alone/all", true, true}, {"simulated/idle", false, false}, {"simulated/all", false, true}} {
		b.Run(c.name, func(b *testing.B) {
			if c.tape {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			}
			r := runRobot(b, c.all, c.tape)
			if c.tape {
				<-time.After(4 * time.Second) // everything has been asked for
				r.bus.play()
				r.board.play()
				<-time.After(time.Second)
			}
			const span = 5 * time.Second
			for b.Loop() {
				before, began := usage(b), time.Now()
				<-time.After(span)
				after, took := usage(b), time.Since(began).Seconds()
				cpu := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
				b.ReportMetric(100*cpu.Seconds()/took, "%core")
				b.ReportMetric(float64(after.Nvcsw-before.Nvcsw)/took, "wakeups/s")
			}
			b.ReportMetric(0, "ns/op") // it is the time that was waited
			if c.tape && r.bus.missed+r.board.missed > 0 {
				b.Logf("%d transfers were not on the tape", r.bus.missed+r.board.missed)
			}
		})
	}
}

func usage(b *testing.B) (r syscall.Rusage) {
	b.Helper()
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return r
}

// aloneRobot is a driver that runs in real time on buses that can be played from tape.
type aloneRobot struct {
	wholeRobot
	bus, board *recordedBus
}

// runRobot returns when the driver has found every part, and every topic is subscribed to if all are to be.
func runRobot(b *testing.B, all, tape bool) *aloneRobot {
	b.Helper()
	b.Setenv("ROS_LOCALHOST_ONLY", "1")
	b.Setenv("ROS_DOMAIN_ID", "71")
	world, err := sim.LoadWorld("arena")
	if err != nil {
		b.Fatal(err)
	}
	if err := world.Refit(sim.Equipment{Magnetometer: "bmm150"}); err != nil { // so that no part is looked for in vain
		b.Fatal(err)
	}
	simulation, err := sim.New(world, sim.Options{Now: time.Now, Sleep: time.Sleep})
	if err != nil {
		b.Fatal(err)
	}
	robot := sim.RobotsOf[*sim.Firmware](simulation)[0]
	hw, err := hardware.Simulated(robot, robot.Bus(), robot.BoardBus())
	if err != nil {
		b.Fatal(err)
	}
	transport, err := network.Choice{Transport: build.RTPS}.Open(ros2.Args{}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: transport})
	if err != nil {
		b.Fatal(err)
	}
	r := &aloneRobot{bus: newRecordedBus(hw.Bus), board: newRecordedBus(hw.Board)}
	if tape {
		hw.Timer = hardware.KernelTimer
	}
	hw.Bus, hw.Board = r.bus, r.board
	config := hw.Config(node)
	config.Camera = nil
	d, err := driver.New(config)
	if err != nil {
		b.Fatal(err)
	}
	r.wholeRobot = wholeRobot{nil, robot, d, transport}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		if err := errors.Join(<-ended, d.Close(), node.Close(), transport.Close()); err != nil {
			b.Error(err)
		}
	})
	for missing := 1; missing > 0; <-time.After(50 * time.Millisecond) {
		missing = 0
		for _, part := range d.Status().Parts {
			if part.State != device.Running {
				missing++
			}
		}
	}
	r.bus.forget()
	r.board.forget()
	if all {
		r.subscribeAll(b)
	}
	return r
}
