// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// arrivals notes when messages of a topic arrive.
type arrivals struct {
	mu sync.Mutex
	at []time.Time
}

func (a *arrivals) add() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at = append(a.at, time.Now())
}

func (a *arrivals) all() []time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]time.Time(nil), a.at...)
}

// watched subscribes the user to a topic and notes when messages come.
func watched[T any, P ros2.MessageOf[T]](r *rig, topic string) *arrivals {
	r.Helper()
	a := &arrivals{}
	m := P(new(T))
	full, err := r.user.ResolveName(topic)
	r.must(err)
	_, err = r.user.Transport().NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{
			Node: r.user.Name(), Topic: full, Type: m.ROSType(), TypeHash: m.TypeHash(), QoS: ros2.DefaultQoS(),
			OnMatch: func(int) {}, OnIncompatible: func(ros2.EndpointInfo, ros2.QoSPolicy) {},
		},
		OnSample: func(ros2.Sample) { a.add() },
	})
	r.must(err)
	return a
}

// Every topic has the rate of its row, to 1 % over a minute, and no two messages are more than two periods apart:
// with both magnetometers, and on a driving robot.
func TestEveryTopicKeepsItsRate(t *testing.T) {
	topics := []struct {
		name  string
		rate  float64 // Hz
		watch func(r *rig, topic string) *arrivals
	}{
		{table.TopicOdom, 20, watched[nav_msgs.Odometry]}, {table.TopicTF, 20, watched[tf2_msgs.TFMessage]}, {table.TopicScan, 20, watched[sensor_msgs.LaserScan]},
		{"ps0", 20, watched[jazzy.Range]}, {"ls7", 20, watched[sensor_msgs.Illuminance]}, {table.TopicJoints, 20, watched[sensor_msgs.JointState]},
		{"mic0", 20, watched[std_msgs.Int16]}, {table.TopicIMU, 20, watched[sensor_msgs.Imu]}, {table.TopicToF, 20, watched[jazzy.Range]},
		{"gs1", 20, watched[jazzy.Range]}, {table.TopicMag, 8, watched[sensor_msgs.MagneticField]}, {table.TopicBattery, 1, watched[sensor_msgs.BatteryState]},
		{table.TopicDiag, 1, watched[diagnostic_msgs.DiagnosticArray]},
	}
	for name, prepare := range map[string]func(r *rig){
		"magnetometer of the IMU":   func(r *rig) { r.must(r.robot.RemovePart(world.Magnetometer)) },
		"magnetometer of the board": func(r *rig) {},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: "arena", parts: true, board: true, sim: sim.Options{Seed: 5, Now: time.Now, Sleep: pass}})
				prepare(r)
				time.Sleep(10 * time.Second) // all is up
				heard, began := map[string]*arrivals{}, time.Now()
				for _, c := range topics {
					heard[c.name] = c.watch(r, c.name)
				}
				r.drive(0.02, 0.7, 63*time.Second)
				for _, c := range topics {
					r.wantRate(c.name, heard[c.name].all(), began, c.rate)
				}
			})
		})
	}
}

// wantRate judges the minute from the first message on of a topic that was subscribed to then.
func (r *rig) wantRate(topic string, at []time.Time, then time.Time, rate float64) {
	r.Helper()
	most := 2*ros2.Seconds(1/rate) + 20*time.Millisecond // to the end of a cycle's transfers
	if len(at) == 0 || at[0].Sub(then) > most {
		r.Fatalf("%s: %d messages, the first late", topic, len(at))
	}
	n, gap := 0, time.Duration(0)
	for i, t := range at[1:] {
		if t.Sub(at[0]) > time.Minute+10*time.Millisecond {
			break
		}
		n++
		gap = max(gap, t.Sub(at[i]))
	}
	if want := 60 * rate; math.Abs(float64(n)-want) > max(1, 0.01*want) {
		r.Errorf("%s: %d messages in a minute, want %v", topic, n, want)
	}
	if gap > most {
		r.Errorf("%s: nothing for %v, at %v Hz", topic, gap, rate)
	}
}
