// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// narrow is a corridor whose walls the robot's side sensors see at 2 cm.
const narrow = `
walls:
  - {from: [-0.2, 0.056], to: [0.2, 0.056], thickness: 0.01}
  - {from: [-0.2, -0.056], to: [0.2, -0.056], thickness: 0.01}
robots:
  - {name: epuck, position: [0, 0]}
`

func TestRangesAndScanInACorridor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: narrow, sim: sim.Options{Now: time.Now, Sleep: pass, Quiet: true}})
		left, front := listenTo[jazzy.Range](r, "ps5"), listenTo[jazzy.Range](r, "ps0")
		scan := listenTo[sensor_msgs.LaserScan](r, "scan")
		time.Sleep(time.Second)
		m := last(r, left)
		if math.Abs(float64(m.Range)-0.02) > 0.005 { // the offset of an uncalibrated sensor makes walls nearer
			t.Errorf("the wall at 2 cm is seen at %v m", m.Range)
		}
		if m.MinRange != float32(robot.MinInfraredRange) || m.MaxRange != float32(robot.MaxInfraredRange) || m.RadiationType != jazzy.RangeInfrared ||
			m.Header.FrameID != "ps5" || m.FieldOfView != float32(robot.InfraredFieldOfView) {
			t.Errorf("message %+v", m)
		}
		if f := last(r, front).Range; !math.IsInf(float64(f), 1) {
			t.Errorf("nothing in front is seen at %v m", f)
		}
		s := last(r, scan)
		if got, want := s.Ranges[robot.ScanRays/2+6], m.Range+0.031; math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("the ray at 90° is %v m, want %v", got, want)
		}
		if s.Header.FrameID != "laser_scanner" || len(s.Ranges) != 21 || math.Abs(float64(s.ScanTime)-0.05) > 1e-6 ||
			math.Abs(float64(s.AngleMin+s.AngleIncrement*20-s.AngleMax)) > 1e-5 {
			t.Errorf("scan %+v", s)
		}
		if s.RangeMin != float32(robot.MinScanRange) || s.RangeMax != float32(robot.MaxScanRange) {
			t.Errorf("limits %v … %v", s.RangeMin, s.RangeMax)
		}
		r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: table.ParamScanInvalid, Value: ros2.StringValue("zero")}))
		time.Sleep(100 * time.Millisecond)
		if v := last(r, scan).Ranges[robot.ScanRays/2]; v != 0 {
			t.Errorf("scan_invalid zero gives %v", v)
		}
		if n := r.driver.Status().Nearest; math.Abs(n-0.02) > 0.005 {
			t.Errorf("the status line's nearest is %v m", n)
		}
	})
}

func TestLightJointsAndMicrophones(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		light := listenTo[sensor_msgs.Illuminance](r, "ls2")
		joints := listenTo[sensor_msgs.JointState](r, "joint_states")
		mic := listenTo[std_msgs.Int16](r, "mic0")
		r.robot.SetSound(30000) // peak to peak twice that: more than an int16 holds
		r.drive(0.05, 1, 2*time.Second)
		if m := last(r, light); m.Header.FrameID != "ls2" || m.Illuminance < 119.9 || m.Illuminance > 240 || m.Variance <= 0 {
			t.Errorf("illuminance %+v", m)
		}
		j, truth := last(r, joints), r.robot.GroundTruth()
		if fmt.Sprint(j.Name) != "[left_wheel_joint right_wheel_joint]" || len(j.Effort) != 0 {
			t.Errorf("joint states %+v", j)
		}
		if math.Abs(j.Velocity[1]-truth.RightSpeed) > 0.13 || math.Abs(j.Position[1]-truth.RightWheel) > 0.3 {
			t.Errorf("right wheel at %v rad with %v rad/s, it is at %v with %v", j.Position[1], j.Velocity[1], truth.RightWheel, truth.RightSpeed)
		}
		if m := last(r, mic); m.Data != math.MaxInt16 {
			t.Errorf("loud noise is %d, want saturation", m.Data)
		}
	})
}
