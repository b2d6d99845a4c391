// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

// TestEmptyBatteryLosesRobot: a robot whose battery is empty is lost: no stale data are published, and Status reports
// it. After charging it answers, stands still, and drives with the next command.
func TestEmptyBatteryLosesRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "robots:\n- {name: epuck, battery: {capacity: 100, charge: 0.03}}\n"})
		ranges := listenTo[jazzy.Range](r, "ps0")
		r.drive(0.1, 0, 2*time.Second)
		if m := r.robot.GroundTruth(); m.Weak || m.LeftSpeed == 0 {
			t.Fatalf("it begins with an empty battery: %+v", m)
		}
		r.drive(0.1, 0, 3*time.Second)
		if m := r.robot.GroundTruth(); !m.Weak || m.Dead || m.LeftSpeed != 0 {
			t.Errorf("the motors still have torque: %+v", m)
		}
		if s := r.driver.Status(); s.Lost {
			t.Error("lost, though its processor answers")
		}
		r.drive(0.1, 0, 7*time.Second)
		heard := len(ranges())
		r.drive(0.1, 0, 5*time.Second)
		if n := len(ranges()); n != heard {
			t.Errorf("%d messages of a robot without power", n-heard)
		}
		if s := r.driver.Status(); !s.Lost || s.Diagnosis.Text == "" {
			t.Errorf("status: lost %v, advice %q", s.Lost, s.Diagnosis.Text)
		}
		r.robot.SetCharger(true)
		time.Sleep(12 * time.Second)
		r.wantAtRest()
		if s := r.driver.Status(); s.Lost || r.robot.GroundTruth().Weak {
			t.Errorf("charged: lost %v, %+v", s.Lost, r.robot.GroundTruth())
		}
		r.drive(0.1, 0, time.Second)
		if m := r.robot.GroundTruth(); m.LeftSpeed == 0 {
			t.Error("a new command is ignored")
		}
	})
}
