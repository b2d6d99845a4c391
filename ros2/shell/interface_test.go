// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// The output is that of ros2 interface of ROS 2 Humble.
func TestInterfaceTools(t *testing.T) {
	inWorld(t, func(w *world) {
		w.want("interface show --no-comments geometry_msgs/msg/PoseStamped", "std_msgs/Header header\n\tbuiltin_interfaces/Time stamp\n\t\tint32 sec\n\t\tuint32 nanosec\n"+
			"\tstring frame_id\nPose pose\n\tPoint position\n\t\tfloat64 x\n\t\tfloat64 y\n\t\tfloat64 z\n\tQuaternion orientation\n\t\tfloat64 x 0\n\t\tfloat64 y 0\n\t\tfloat64 z 0\n\t\tfloat64 w 1\n")
		w.want("interface show --no-comments std_srvs/srv/SetBool", "bool data\n---\nbool success\nstring message\n")
		if r := w.run("interface show std_msgs/msg/Header"); !strings.HasPrefix(r.out, "# When") || strings.Count(r.out, "#") != 3 {
			t.Errorf("%s", r.out)
		}
		if r := w.run("interface show --all-comments std_msgs/msg/Header"); strings.Count(r.out, "#") < 5 {
			t.Errorf("no comments of the nested message:\n%s", r.out)
		}
		w.want("interface package example_interfaces", "example_interfaces/action/Fibonacci\n")
		w.want("interface package std_srvs --only-msgs", "")
		w.want("interface packages --only-actions", "example_interfaces\nnav2_msgs\nsimulation_interfaces\n")
		w.want("interface proto geometry_msgs/msg/Point", "\"x: 0.0\ny: 0.0\nz: 0.0\n\"\n")
		w.want("interface proto --no-quotes std_srvs/srv/SetBool", "data: false\n")
		w.want("interface proto --no-quotes example_interfaces/action/Fibonacci", "order: 0\n")
		r := w.run("interface list")
		for _, want := range []string{"Messages:\n    action_msgs/msg/", "\n    std_msgs/msg/String\n", "Services:\n    action_msgs/srv/CancelGoal\n", "Actions:\n    example_interfaces/action/Fibonacci\n"} {
			if !strings.Contains(r.out, want) {
				t.Errorf("lacks %q:\n%s", want, r.out)
			}
		}
		if r := w.run("interface list -s"); strings.Contains(r.out, "/msg/") || !strings.HasPrefix(r.out, "Services:\n") {
			t.Errorf("%s", r.out)
		}
		w.wantError("interface show std_msgs/msg/Strin", "Unknown interface 'std_msgs/msg/Strin'; did you mean 'std_msgs/msg/String'?\n", 1)
		w.wantError("interface proto std_msgs/msg/Strin", "Unknown interface 'std_msgs/msg/Strin'; did you mean 'std_msgs/msg/String'?\n", 1)
		w.wantError("interface package std_msg", "Unknown package 'std_msg'; did you mean 'std_msgs'", 1)
		if r := w.run("__complete interface show std_msgs/msg/Stri"); !strings.Contains(r.out, "std_msgs/msg/String\n") {
			t.Errorf("%s", r.out)
		}
	})
}

func TestTopicDelay(t *testing.T) {
	inWorld(t, func(w *world) {
		pub, err := ros2.NewPublisher[std_msgs.Header](w.node, "/bare", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		w.repeat(func() { _ = pub.Publish(&std_msgs.Header{}) })
		if r := w.runFor("topic delay /bare", 3*time.Second); r.status != 1 || r.err != "msg does not have header\n" {
			t.Errorf("%d, %q, %q", r.status, r.out, r.err)
		}
		w.publishLate(300 * time.Millisecond)
		r := w.runFor("topic delay /late -w 5", 3*time.Second)
		if !strings.HasPrefix(r.out, "average delay: 0.300\n\tmin: 0.300s max: 0.300s std dev: 0.00000s window: 5\n") {
			t.Errorf("%q %q", r.out, r.err)
		}
	})
}

// A managed node's states and transitions, as ros2 lifecycle shows them.
func TestLifecycleTools(t *testing.T) {
	inWorld(t, func(w *world) {
		w.join("plain", "/")
		node := w.join("managed", "/")
		if _, err := ros2.NewLifecycle(node, ros2.LifecycleCallbacks{}); err != nil {
			t.Fatal(err)
		}
		w.want("lifecycle nodes", "/managed\n")
		w.want("lifecycle nodes -c", "1\n")
		w.want("lifecycle get", "/managed: unconfigured [1]\n")
		w.want("lifecycle get /managed", "unconfigured [1]\n")
		w.want("lifecycle list /managed", "- configure [1]\n\tStart: unconfigured\n\tGoal: configuring\n- shutdown [5]\n\tStart: unconfigured\n\tGoal: shuttingdown\n")
		w.want("lifecycle set managed configure", "Transitioning successful\n")
		w.want("lifecycle get /managed", "inactive [2]\n")
		w.want("lifecycle set /managed 3", "Transitioning successful\n")
		w.wantError("lifecycle set /managed configure", "Unknown transition requested, available ones are:\n- deactivate [4]", 1)
		w.wantError("lifecycle get /manged", "Node not found; did you mean '/managed'?", 1)
		w.wantError("lifecycle get /plain", "Node '/plain' is not a managed node", 1)
		if r := w.run("lifecycle list -a /managed"); strings.Count(r.out, "- ") < 10 {
			t.Errorf("%s", r.out)
		}
		w.want("component list", "")
	})
}

// publishLate publishes on /late ten times a second for a while, with stamps of some time ago.
func (w *world) publishLate(ago time.Duration) {
	w.t.Helper()
	pub, err := ros2.NewPublisher[geometry_msgs.PointStamped](w.node, "/late", ros2.DefaultQoS())
	if err != nil {
		w.t.Fatal(err)
	}
	w.repeat(func() {
		m := &geometry_msgs.PointStamped{}
		m.Header.Stamp.Sec, m.Header.Stamp.Nanosec = ros2.Stamp(time.Now().Add(-ago))
		_ = pub.Publish(m)
	})
}

// repeat calls f ten times a second until the end of the test.
func (w *world) repeat(f func()) {
	tick, done := time.NewTicker(100*time.Millisecond), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				f()
			case <-done:
				return
			}
		}
	}()
	w.t.Cleanup(func() { close(done) })
}
