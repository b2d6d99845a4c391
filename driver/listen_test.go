// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
)

// Diagnostics report whether the wheels accept commands: not in the first 0.66 s after the first command, nor after a
// restart.
func TestDiagnosticsReportWheelsListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		reports := listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
		listen := func() string { return valueOf(r, statusOf(r, last(r, reports), health.StatusMCU), "wheels listen") }
		time.Sleep(500 * time.Millisecond)
		if r.driver.Status().WheelsListen {
			t.Error("half a second after the start")
		}
		time.Sleep(2 * time.Second)
		if got := listen(); got != "yes" || !r.driver.Status().WheelsListen {
			t.Errorf("wheels listen: %s", got)
		}
		r.drive(0.1, 0, time.Second)
		r.robot.Restart()
		for range 100 {
			if time.Sleep(20 * time.Millisecond); r.driver.Status().Bus.Restarts > 0 {
				break
			}
		}
		if r.driver.Status().WheelsListen {
			t.Error("right after a restart")
		}
		time.Sleep(3 * time.Second)
		if got := listen(); got != "yes" {
			t.Errorf("wheels listen again: %s", got)
		}
	})
}

// The driver sends a stop command to a robot that was just switched on as soon as it runs, so that a later motion
// command takes effect at once; the same after a restart of the robot.
func TestMotionBeginsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{fresh: true})
		begins := func(when string) {
			t.Helper()
			from := r.robot.GroundTruth().Pose.X
			r.drive(0.1, 0, 100*time.Millisecond)
			if moved := r.robot.GroundTruth().Pose.X - from; moved < 0.007 {
				t.Errorf("%s: moved %v m in 0.1 s", when, moved)
			}
		}
		time.Sleep(700 * time.Millisecond)
		begins("0.7 s after the driver's start")
		r.halt()
		r.robot.Restart()
		time.Sleep(3 * time.Second)
		begins("after a restart of the robot")
	})
}
