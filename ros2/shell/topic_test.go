// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// talk publishes n messages, one each period, the first after one period.
func talk[T any, P ros2.MessageOf[T]](w *world, topic string, qos ros2.QoS, period time.Duration, n int, m P) {
	w.t.Helper()
	p, err := ros2.NewPublisher[T, P](w.node, topic, qos)
	if err != nil {
		w.t.Fatal(err)
	}
	go func() {
		for range n {
			time.Sleep(period)
			if err := p.Publish(m); err != nil {
				w.t.Error(err)
			}
		}
	}()
}

func TestEcho(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--once /robot/twist", "linear:\n  x: 0.5\n  y: 0.0\n  z: 0.0\nangular:\n  x: 0.0\n  y: 0.0\n  z: 0.0\n---\n"},
		{"--once --csv /robot/twist", "0.5,0.0,0.0,0.0,0.0,0.0\n"},
		{"--once --field linear /robot/twist geometry_msgs/msg/Twist", "x: 0.5\ny: 0.0\nz: 0.0\n---\n"},
		{"--once --field linear.x /robot/twist", "0.5\n---\n"},
		{"--once --field .linear..x. --csv /robot/twist geometry_msgs/Twist", "0.5\n"},
		{"--once --raw /robot/flag", `b'\x00\x01\x00\x00\x01'` + "\n---\n"},
		{"--once --qos-reliability best_effort --qos-profile sensor_data --qos-depth 3 --qos-history keep_last --qos-durability volatile /robot/flag", "data: true\n---\n"},
	} {
		inWorld(t, func(w *world) {
			talk(w, "twist", ros2.DefaultQoS(), time.Second, 9, &geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.5}})
			talk(w, "flag", ros2.SensorDataQoS(), time.Second, 9, &std_msgs.Bool{Data: true})
			w.want("topic echo "+c.args, c.want)
			time.Sleep(20 * time.Second)
		})
	}
}

// A late subscription to publishers that keep their messages gets them; it ends when
// it is interrupted.
func TestEchoAdaptsToPublishers(t *testing.T) {
	inWorld(t, func(w *world) {
		talk(w, "kept", ros2.LatchedQoS(), time.Millisecond, 1, &std_msgs.String{Data: "old"})
		time.Sleep(time.Second)
		if r := w.runFor("topic echo /robot/kept", 10*time.Second); r.out != "data: old\n---\n" || r.status != shell.ExitInterrupted {
			t.Errorf("%+v", r)
		}
		if _, err := ros2.NewPublisher[std_msgs.String](w.node, "kept", ros2.SensorDataQoS()); err != nil {
			t.Fatal(err)
		}
		talk(w, "kept", ros2.SensorDataQoS(), 2*time.Second, 3, &std_msgs.String{Data: "new"})
		time.Sleep(time.Second)
		if r := w.runFor("topic echo /robot/kept", 10*time.Second); r.out != "data: old\n---\n"+strings.Repeat("data: new\n---\n", 3) || r.err != "" {
			t.Errorf("%+v", r)
		}
		if r := w.runFor("topic echo --qos-reliability reliable --qos-durability transient_local /robot/kept", 10*time.Second); r.out != "data: old\n---\n" {
			t.Errorf("with options: %+v", r)
		}
	})
}

func TestEchoErrors(t *testing.T) {
	inWorld(t, func(w *world) {
		talk(w, "flag", ros2.DefaultQoS(), time.Second, 30, &std_msgs.Bool{})
		w.wantError("topic echo --field nope /robot/flag", "Invalid field 'nope': 'Bool' object has no attribute 'nope'\n", 1)
		w.wantError("topic echo --field data.x /robot/flag", "Invalid field 'data.x': 'bool' object has no attribute 'x'\n", 1)
		r := w.run("topic echo /nope")
		if r.out != "WARNING: topic [/nope] does not appear to be published yet\n" || r.err != "Missing: a publisher of /nope: no node has one\nCould not determine the type for the passed topic\n" || r.status != 1 {
			t.Errorf("%+v", r)
		}
		if _, err := ros2.NewPublisher[std_msgs.String](w.node, "flag", ros2.DefaultQoS()); err != nil {
			t.Fatal(err)
		}
		w.wantError("topic echo /robot/flag", "Cannot echo topic '/robot/flag', as it contains more than one type: [std_msgs/msg/Bool, std_msgs/msg/String]\n", 1)
		time.Sleep(time.Minute)
	})
}

// Rates and bandwidths, on simulated time to the last digit.
func TestHzAndBw(t *testing.T) {
	inWorld(t, func(w *world) {
		talk(w, "flag", ros2.SensorDataQoS(), 100*time.Millisecond, 60, &std_msgs.Bool{})
		r := w.runFor("topic hz /robot/flag", 3500*time.Millisecond)
		want := "average rate: 10.000\n\tmin: 0.100s max: 0.100s std dev: 0.00000s window: "
		if strings.Count(r.out, want) != 2 || !strings.HasPrefix(r.out, want+"11\n") || r.status != shell.ExitInterrupted {
			t.Errorf("%+v", r)
		}
		r = w.runFor("topic bw -w 3 /robot/flag", 2700*time.Millisecond)
		lines := strings.Split(r.out, "\n")
		if lines[0] != "Subscribed to [/robot/flag]" || !strings.HasSuffix(lines[1], " B/s from 3 messages") ||
			lines[2] != "\tMessage size mean: 5 B min: 5 B max: 5 B" {
			t.Errorf("%+v", r)
		}
		time.Sleep(time.Minute)
	})
}

func TestHzWaitsForTopic(t *testing.T) {
	inWorld(t, func(w *world) {
		go func() {
			time.Sleep(20 * time.Second)
			talk(w, "late", ros2.SensorDataQoS(), 500*time.Millisecond, 20, &std_msgs.Bool{})
		}()
		r := w.runFor("topic hz /robot/late", 26*time.Second)
		if !strings.HasPrefix(r.out, "WARNING: topic [/robot/late] does not appear to be published yet\naverage rate: 2.000\n") {
			t.Errorf("%+v", r)
		}
		time.Sleep(time.Minute)
	})
}

func TestPub(t *testing.T) {
	inWorld(t, func(w *world) {
		var got []geometry_msgs.Twist
		if _, err := ros2.NewSubscription(w.node, "cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.Twist, _ ros2.MessageInfo) { got = append(got, *m) }); err != nil {
			t.Fatal(err)
		}
		const shown = "geometry_msgs.msg.Twist(linear=geometry_msgs.msg.Vector3(x=0.05, y=0.0, z=0.0), angular=geometry_msgs.msg.Vector3(x=0.0, y=0.0, z=0.0))\n\n"
		w.want("topic pub -1 /robot/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.05}}'", "publisher: beginning loop\npublishing #1: "+shown)
		start := time.Now()
		w.want("topic pub -t 4 -r 10 -p2 --keep-alive 0.5 robot/cmd_vel geometry_msgs/Twist '{linear: {x: 0.05}}'",
			"publisher: beginning loop\npublishing #2: "+shown+"publishing #4: "+shown)
		if d := time.Since(start); d != 800*time.Millisecond {
			t.Errorf("%v for four messages at 10 Hz and half a second", d)
		}
		synctest.Wait()
		if len(got) != 5 || got[4].Linear.X != 0.05 {
			t.Errorf("%v", got)
		}
		r := w.runFor("topic pub -1 /unused std_msgs/msg/String", 1500*time.Millisecond)
		if r.out != strings.Repeat("Waiting for at least 1 matching subscription(s)...\n", 2) || r.status != shell.ExitInterrupted {
			t.Errorf("%+v", r)
		}
		r = w.runFor("topic pub -n talker /stamped std_msgs/msg/Header '{stamp: now, frame_id: a}'", 2500*time.Millisecond)
		if strings.Count(r.out, "publishing #") != 3 || !strings.Contains(r.out, "Time(sec=946684") {
			t.Errorf("%+v", r)
		}
	})
}
