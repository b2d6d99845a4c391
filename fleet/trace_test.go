// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"encoding/hex"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// tracedRun drives a world of both levels, with the real drivers, over its topics for two seconds, and returns the hash
// of poses, bytes on buses, messages by infrared and messages of ROS. watched is whether there is a subscriber.
func tracedRun(t *testing.T, seed uint64, watched bool) string {
	t.Helper()
	w, err := sim.ParseWorld([]byte("arena: {size: [1.4, 1.4]}\nrange_and_bearing: {range: 0.6}\nrobots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Distribute(w, 6, sim.Ring, 1); err != nil {
		t.Fatal(err)
	}
	for i := range w.Robots {
		if i%2 == 1 {
			w.Robots[i].Level = world.LevelFunctional
		}
	}
	g := newRigOf(t, w, sim.Options{Seed: seed, Trace: true}, fleet.Config{Trace: true})
	var drive []func(*geometry_msgs.Twist)
	var send []func(*std_msgs.UInt8MultiArray)
	for _, m := range g.sim.Robots() {
		drive = append(drive, say[geometry_msgs.Twist](g, "/"+m.Name()+"/cmd_vel"))
		send = append(send, say[std_msgs.UInt8MultiArray](g, "/"+m.Name()+"/"+fleet.TopicSay))
		if watched {
			hear[nav_msgs.Odometry](g, "/"+m.Name()+"/odom", ros2.DefaultQoS())
		}
	}
	for k := range 20 {
		for i := range drive {
			drive[i](&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.02 * float64(i)}, Angular: geometry_msgs.Vector3{Z: 0.1 * float64(k%5)}})
			send[i](&std_msgs.UInt8MultiArray{Data: []byte{byte(i), byte(k)}})
		}
		g.run(100 * time.Millisecond)
	}
	h := g.sim.TraceHash()
	return hex.EncodeToString(h[:])
}

// busy keeps all processors busy until stop is set.
func busy(stop *atomic.Bool) *task.Group {
	var group task.Group
	for range 2 * runtime.GOMAXPROCS(0) {
		group.Go("busy", func() {
			for n := 0; !stop.Load(); n++ {
				if n%1000 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	return &group
}

// EPUCK_TRACE_RUNS is how often TestDriversRepeat runs; `make determinism` sets it to 100.
func traceRuns() int {
	if n, err := strconv.Atoi(os.Getenv("EPUCK_TRACE_RUNS")); err == nil {
		return n
	}
	return 2
}

// Robots of both levels with their drivers and nodes repeat, message for message: on any number of processors, with a
// machine that has nothing else to do and with one that has, watched or not.
func TestDriversRepeat(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	if other := tracedRun(t, 2, false); other == goldenTrace {
		t.Error("another seed, the same trace")
	}
	for k := range traceRuns() {
		runtime.GOMAXPROCS(1 + k%4)
		var stop atomic.Bool
		group := new(task.Group)
		if k%2 == 1 {
			group = busy(&stop)
		}
		got := tracedRun(t, 1, k%2 == 1)
		stop.Store(true)
		group.Wait()
		if got != goldenTrace {
			t.Fatalf("run %d: trace %s, want %s", k, got, goldenTrace)
		}
	}
}

// The trace with all messages is the same on every processor: this one was made on amd64, and
// scripts/test-long.sh compares it on emulated arm64 and ARMv6.
func TestTraceIsThatOfOtherProcessors(t *testing.T) {
	if got := tracedRun(t, 1, false); got != goldenTrace {
		t.Errorf("trace %s, want %s", got, goldenTrace)
	}
}

// goldenTrace is the hash of that run. It changes with what robots and drivers do.
const goldenTrace = "9eb9526a3494b6e22f4401b9d9c8f9e8feec5a7025cc100559dd868300e9f7a4"
