// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// Every kind of fault but a restart, each with a share of the rate.
func mixed(rate float64) vbus.Rates {
	p := rate / 7
	return vbus.Rates{NAK: p, DataNAK: p, Timeout: p, ReadNAK: p, ReadTimeout: p, CorruptWrite: p, CorruptRead: p}
}

// wantSmooth fails the test if the pose moved faster than the robot can, whose top speed is 0.14 m/s. A stamp may be
// late by the two time-outs of 20 ms that came after the reading in the same exchange.
func wantSmooth(t testing.TB, all []*nav_msgs.Odometry) {
	t.Helper()
	for i, m := range all[1:] {
		before := all[i]
		dt := m.Header.Stamp.Time().Sub(before.Header.Stamp.Time()).Seconds()
		a, b := before.Pose.Pose.Position, m.Pose.Pose.Position
		if d := math.Hypot(b.X-a.X, b.Y-a.Y); dt <= 0 || d > 0.14*1.1*(dt+0.045) {
			t.Errorf("message %d: %.4f m in %.4f s", i+1, d, dt)
		}
	}
}

// The loss of the robot is logged once, no stale data are published, the wheels are stopped when it is back, and no
// old command is resumed.
func TestLostRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		ranges := listenTo[jazzy.Range](r, "ps0")
		r.drive(0.1, 0, 2025*time.Millisecond) // ends between two cycles
		r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
		heard := len(ranges())
		r.drive(0.1, 0, 10*time.Second) // commands keep coming
		if n := len(ranges()); n != heard {
			t.Errorf("%d messages without a robot", n-heard)
		}
		if s := r.driver.Status(); !s.Lost || s.Diagnosis.Text == "" {
			t.Errorf("status: lost %v, advice %q", s.Lost, s.Diagnosis.Text)
		}
		if truth := r.robot.GroundTruth(); truth.LeftSpeed == 0 {
			t.Error("the robot stopped by itself: the test is inconclusive")
		}
		r.must(r.robot.Faults().Hold(vbus.Fault{}))
		time.Sleep(lastRetry)
		r.wantAtRest()
		time.Sleep(2 * time.Second)
		r.wantAtRest() // what was asked for meanwhile is forgotten
		r.wantPose(2*stepMetres, 2*stepRadians)
		if s := r.driver.Status(); s.Lost {
			t.Error("still lost")
		}
		r.drive(0.1, 0, time.Second)
		if truth := r.robot.GroundTruth(); truth.LeftSpeed == 0 {
			t.Error("a new command is ignored")
		}
		for _, text := range []string{"does not answer", "answers again"} {
			if n := r.log.count(text); n != 1 {
				t.Errorf("%q is said %d times:\n%v", text, n, r.log)
			}
		}
	})
}

func TestNoRobotAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "robots:\n  - {name: epuck, position: [0, 0], firmware: york}\n"})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(20 * time.Second)
		if len(odom()) != 0 || r.driver.Status().Readings {
			t.Error("the register firmware's answers became messages")
		}
		if n := r.log.count("York"); n != 1 {
			t.Errorf("the firmware is explained %d times:\n%v", n, r.log)
		}
		r.must(r.end()) // it never moved, so that it can't be stopped is no failure
	})
}

func TestSelectorIsExplainedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		time.Sleep(time.Second)
		r.must(r.robot.TurnSelector(3))
		time.Sleep(5 * time.Second)
		if n := r.log.count("selector is at 3"); n != 1 {
			t.Errorf("%d lines:\n%v", n, r.log)
		}
	})
}

// A hanging bus makes cycles late. They are counted and skipped; the following ones keep their phase.
func TestOverrunsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(990 * time.Millisecond)
		r.must(r.robot.Faults().Next(vbus.Fault{Kind: vbus.Stuck}, vbus.Fault{Kind: vbus.Stuck}, vbus.Fault{}, vbus.Fault{}))
		time.Sleep(time.Second)
		s := r.driver.Status()
		if s.Overruns != 1 || s.Longest < 50*time.Millisecond {
			t.Errorf("%d overruns, longest cycle %v", s.Overruns, s.Longest)
		}
		all := odom()
		first, end := all[0].Header.Stamp.Time(), all[len(all)-1].Header.Stamp.Time()
		if off := end.Sub(first) % (50 * time.Millisecond); off != 0 {
			t.Errorf("cycles are %v out of phase", off)
		}
	})
}
