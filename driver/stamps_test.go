// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestSimulatedTimeFromTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p use_sim_time:=true"})
		if e := r.node.Graph().EndpointsOn("/clock"); len(e) != 1 {
			t.Errorf("%d endpoints on /clock", len(e))
		}
		publish(r, "/clock", &rosgraph_msgs.Clock{Clock: builtin_interfaces.Time{Sec: 1}})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(time.Second)
		if s := last(r, odom).Header.Stamp; s.Sec != 1 {
			t.Errorf("stamp %v", s)
		}
	})
}

func TestSimulatedTimeStampsMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(time.Second)
		if s := last(r, odom).Header.Stamp.Time(); time.Since(s) > 50*time.Millisecond {
			t.Errorf("a stamp is %v old", time.Since(s))
		}
		r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: table.ParamSimTime, Value: ros2.BoolValue(true)}))
		time.Sleep(time.Second)
		if s := last(r, odom).Header.Stamp; s != (builtin_interfaces.Time{}) {
			t.Errorf("before /clock a stamp is %v", s)
		}
		now := builtin_interfaces.Time{Sec: 42, Nanosec: 7}
		publish(r, "/clock", &rosgraph_msgs.Clock{Clock: now})
		r.drive(0.1, 0, 2*time.Second) // the simulated clock stands still, the robot need not
		if s := last(r, odom).Header.Stamp; s != now {
			t.Errorf("stamp %v, want %v", s, now)
		}
		if x := r.driver.Status().X; x < 0.15 {
			t.Errorf("the robot drove %v m", x)
		}
		time.Sleep(time.Second)
		r.wantAtRest()
	})
}

// TestSimulatedTimeWithOverrides: the subscription of /clock declares a parameter for its override while one is being
// set.
func TestSimulatedTimeWithOverrides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p qos_overrides./clock.subscription.depth:=5"})
		for i := range 4 {
			r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: table.ParamSimTime, Value: ros2.BoolValue(i%2 == 0)}))
			synctest.Wait()
			if n := len(r.node.Graph().EndpointsOn("/clock")); n != 1-i%2 {
				t.Errorf("after change %d there are %d endpoints on /clock", i, n)
			}
		}
		if v, err := r.node.Parameter("qos_overrides./clock.subscription.depth"); err != nil || v.Integer() != 5 {
			t.Errorf("the override is %v, %v", v, err)
		}
	})
}
