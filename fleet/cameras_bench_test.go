// SPDX-License-Identifier: Apache-2.0

//go:build linux

package fleet_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// BenchmarkTwentyCameras is the processor time of a picture, from the simulated world to the subscribers: 20 robots
// with their nodes run in real time, and another node receives the 15 pictures/s of each camera twice, as rgb8 of
// 640×480 and as JPEG, through a network in memory. 300 pictures/s on two cores are 6.67 core-ms for a picture; the
// metric pictures/s@2cores is what that processor time allows. On a busy machine pictures are dropped after they have
// been drawn, which raises the cost of the others. The real cameras have a lens and a sensor that are not ideal.
func BenchmarkTwentyCameras(b *testing.B) {
	for _, level := range world.JoiningLevels() {
		b.Run(level+"/ideal", func(b *testing.B) { benchmarkCameras(b, level, world.CameraModel{}, 20) })
		like := world.CameraModel{Distortion: world.Distortion{K1: -0.25, K2: 0.09}, Vignetting: 4, Noise: 1}
		b.Run(level+"/real", func(b *testing.B) { benchmarkCameras(b, level, like, 20) })
	}
}

func benchmarkCameras(b *testing.B, level string, model world.CameraModel, n int) {
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	w, err := sim.LoadWorld("arena")
	must(err)
	w.Robots[0].Level, w.Robots[0].CameraModel = level, model
	must(sim.Distribute(w, n, sim.Uniform, 1))
	clock, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: 1})
	must(err)
	s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, Wait: clock.Wait, Settled: true})
	must(err)
	network := ros2test.NewNetwork()
	transport, outside := network.NewTransport(), network.NewTransport()
	robots, err := fleet.New(fleet.Config{
		Simulation: s, Transport: transport, Clock: clock, Logger: slog.New(slog.DiscardHandler),
		Hardware: func(r *sim.Firmware, _ *ros2.Node) (driver.Config, func() error, error) {
			return driver.Config{Hardware: &chips.Robot{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()},
				Camera: func(string) (camera.Device, error) { return r.Camera(), nil }}, func() error { return nil }, nil
		},
	})
	must(err)
	watcher, err := ros2.NewNode(ros2.NodeConfig{Name: "watcher", Transport: outside})
	must(err)
	var raw, compressed atomic.Int64
	for _, r := range s.Robots() {
		topic := "/" + r.Name() + "/image_raw"
		_, err := ros2.NewSubscription(watcher, topic, ros2.DefaultQoS(), func(m *sensor_msgs.Image, _ ros2.MessageInfo) {
			if m.Encoding == "rgb8" && len(m.Data) == 3*vcamera.Width*vcamera.Height {
				raw.Add(1)
			}
		})
		must(err)
		_, err = ros2.NewSubscription(watcher, topic+"/compressed", ros2.DefaultQoS(), func(*sensor_msgs.CompressedImage, ros2.MessageInfo) {
			compressed.Add(1)
		})
		must(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	var group task.Group
	group.Go("simulation", func() {
		if err := clock.Run(ctx, robots.Step); err != nil {
			b.Error(err)
		}
	})
	for tries := 0; raw.Load() < int64(10*n) || compressed.Load() < int64(10*n); tries++ { // all topics are found
		if <-time.After(100 * time.Millisecond); tries == 600 {
			b.Fatalf("%d pictures and %d JPEG pictures came", raw.Load(), compressed.Load())
		}
	}
	firstRaw, firstCompressed, begun := raw.Load(), compressed.Load(), processorTime(b)
	for b.Loop() {
		clock.Sleep(time.Second)
	}
	used := processorTime(b) - begun
	pictures := float64(min(raw.Load()-firstRaw, compressed.Load()-firstCompressed))
	b.ReportMetric(pictures/b.Elapsed().Seconds(), "pictures/s")
	b.ReportMetric(used*1e3/pictures, "core-ms/picture")
	b.ReportMetric(2*pictures/used, "pictures/s@2cores")
	cancel()
	group.Wait()
	clock.Release()
	for _, c := range []interface{ Close() error }{watcher, robots, outside, transport} {
		must(c.Close())
	}
}
