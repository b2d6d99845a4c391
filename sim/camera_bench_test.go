// SPDX-License-Identifier: Apache-2.0

//go:build linux

package sim_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// processorTime is what this process has used of all cores.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// twentyCameras are those of 20 robots that drive around in a world.
func twentyCameras(b *testing.B, name string) (*sim.Clock, []interface{ Picture(frame []byte) }) {
	b.Helper()
	w, err := sim.LoadWorld(name)
	if err != nil {
		b.Fatal(err)
	}
	w.Robots, w.Robots[0].Level = w.Robots[:1], world.LevelFunctional
	if err := sim.Distribute(w, 20, sim.Uniform, 1); err != nil {
		b.Fatal(err)
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, MaxCatchUp: -1})
	if err != nil {
		b.Fatal(err)
	}
	var cameras []interface{ Picture(frame []byte) }
	for _, a := range sim.RobotsOf[*sim.Functional](s) {
		if err := a.SetController(&steering{}, 100*time.Millisecond); err != nil {
			b.Fatal(err)
		}
		cameras = append(cameras, a.Camera().(*vcamera.Camera))
	}
	return clock, cameras
}

// BenchmarkTwentyCameras draws the pictures of 20 robots that drive, 15 a second each. 300 pictures/s on two cores are
// 6.6 ms of one core for each, with what the robots' driving takes.
func BenchmarkTwentyCameras(b *testing.B) {
	for _, name := range []string{"arena", "maze", "track"} {
		b.Run(name, func(b *testing.B) {
			clock, cameras := twentyCameras(b, name)
			frame := make([]byte, vcamera.FrameSize)
			b.ReportAllocs()
			before := processorTime(b)
			for b.Loop() {
				clock.Sleep(time.Second / vcamera.FrameRate)
				for _, c := range cameras {
					c.Picture(frame)
				}
			}
			b.ReportMetric(float64((processorTime(b)-before).Microseconds())/1e3/float64(b.N*len(cameras)), "core-ms/picture")
		})
	}
}
