// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// A motor step is 0.126 mm of path and 2.2 mrad of turn; counters are rounded to one.
const (
	stepMetres  = 2 * math.Pi * 0.02 / 1000
	stepRadians = stepMetres / 0.05685
)

// pass advances the time of the bubble.
func pass(d time.Duration) { time.Sleep(d) }

// drive publishes cmd_vel at 10 Hz for d.
func (r *rig) drive(v, omega float64, d time.Duration) {
	r.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(min(100*time.Millisecond, time.Until(end))) {
		r.command(v, omega)
	}
}

// halt commands the robot to stop and waits until a cycle has seen it.
func (r *rig) halt() {
	r.Helper()
	r.command(0, 0)
	time.Sleep(200 * time.Millisecond)
}

func TestDrivesStraightAndTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		r.drive(0.1, 0, 10*time.Second)
		r.halt()
		r.wantAtRest()
		r.wantPose(2*stepMetres, 2*stepRadians)
		if x := r.driver.Status().X; math.Abs(x-1) > 0.015 { // the firmware's timer makes 806 steps/s of 796
			t.Errorf("0.1 m/s for 10 s went %.4f m", x)
		}
		r.drive(0, 1.5, 4*time.Second)
		r.halt()
		r.wantPose(2*stepMetres, 3*stepRadians)
		r.drive(0.05, -0.8, 5*time.Second)
		r.halt()
		r.wantPose(3*stepMetres, 4*stepRadians)
		r.must(r.end())
	})
}

func TestOdometryMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		// the first exchange of all would send zero speeds first, and take twice as long
		time.Sleep(70 * time.Millisecond)
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		r.drive(0.05, 0.5, 2*time.Second)
		all := odom()
		if n := len(all); n < 39 || n > 41 {
			t.Fatalf("%d messages in 2 s", n)
		}
		for i, m := range all[1:] {
			if d := m.Header.Stamp.Time().Sub(all[i].Header.Stamp.Time()); d != 50*time.Millisecond {
				t.Errorf("message %d is stamped %v after the one before", i+1, d)
			}
		}
		m := all[len(all)-1]
		if m.Header.FrameID != "odom" || m.ChildFrameID != "base_link" {
			t.Errorf("frames %q, %q", m.Header.FrameID, m.ChildFrameID)
		}
		if v := m.Twist.Twist.Linear.X; math.Abs(v-0.05) > stepMetres/0.05 {
			t.Errorf("%v m/s", v)
		}
		if w := m.Twist.Twist.Angular.Z; math.Abs(w-0.5) > stepRadians/0.05 {
			t.Errorf("%v rad/s", w)
		}
		q := m.Pose.Pose.Orientation
		if got := 2 * math.Atan2(q.Z, q.W); math.Abs(got-r.driver.Status().Theta) > 1e-9 {
			t.Errorf("heading %v, want %v", got, r.driver.Status().Theta)
		}
		// The old driver left every covariance 0, which claims to be certain.
		for _, i := range []int{0, 7, 14, 21, 28, 35} {
			if m.Pose.Covariance[i] <= 0 || m.Twist.Covariance[i] <= 0 {
				t.Errorf("variance %d: pose %v, twist %v", i, m.Pose.Covariance[i], m.Twist.Covariance[i])
			}
		}
	})
}

// The original driver started at the counters' value, so the pose jumped by everything driven before.
func TestOldDriverDefectPoseStartsAtZero(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := newRig(t, rigOptions{})
		before.drive(0.1, 0, 3*time.Second)
		before.halt()
		before.must(before.end())
		node, err := ros2.NewNode(ros2.NodeConfig{Name: NodeName, Transport: before.transport})
		before.must(err)
		defer node.Close()
		second, err := New(Config{Hardware: &chips.Robot{Bus: before.robot.Bus()}, Node: node})
		before.must(err)
		defer second.Close()
		for range 3 {
			before.must(second.Step())
			time.Sleep(50 * time.Millisecond)
		}
		if s := second.Status(); s.X != 0 || s.Y != 0 || s.Theta != 0 {
			t.Errorf("pose %v, %v, %v at the start", s.X, s.Y, s.Theta)
		}
	})
}

// The original driver reset its copy of the counters when a parameter changed, and the pose jumped.
func TestOldDriverDefectParametersDoNotMoveThePose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		r.drive(0.1, 0.3, 3*time.Second)
		r.halt()
		before := r.driver.Status()
		for name, v := range map[string]float64{table.ParamRadius: 0.0215, table.ParamDistance: 0.0514} {
			r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: name, Value: ros2.DoubleValue(v)}))
			time.Sleep(200 * time.Millisecond)
			if s := r.driver.Status(); s.X != before.X || s.Y != before.Y || s.Theta != before.Theta {
				t.Errorf("%s moved the pose from %v, %v, %v to %v, %v, %v",
					name, before.X, before.Y, before.Theta, s.X, s.Y, s.Theta)
			}
		}
		r.drive(0.1, 0, 5*time.Second)
		r.halt()
		now := r.driver.Status()
		if d := math.Hypot(now.X-before.X, now.Y-before.Y); math.Abs(d-0.5) > 0.005 {
			t.Errorf("0.5 m became %v m with the new radius", d)
		}
	})
}

// The velocity in odometry uses the measured time: a longer cycle does not make the robot faster.
func TestOldDriverDefectVelocityUsesMeasuredTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{noStart: true, args: "-p cmd_vel_timeout:=0.0"})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		r.command(0.1, 0)
		for i := range 40 {
			r.must(r.driver.Step())
			time.Sleep(time.Duration(20+7*(i%11)) * time.Millisecond)
		}
		for i, m := range odom()[2:] {
			if v := m.Twist.Twist.Linear.X; math.Abs(v-0.1) > 0.1*0.01+2*stepMetres/0.02 {
				t.Errorf("message %d: %v m/s", i+2, v)
			}
		}
	})
}
