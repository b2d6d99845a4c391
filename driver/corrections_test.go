// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestCorrectionsAreRead(t *testing.T) {
	s := settingsWith(t, "-p wheel_radius_ratio:=1.03 -p wheel_slip_std:=0.0005 -p wheel_turn_std:=0.001 "+
		"-p wheel_covariance:=[1e-6,0.0,0.0,0.0,1e-6,0.0,0.0,0.0,4e-6] -p imu_accel_bias:=[0.1,0.0,-0.2] "+
		"-p mag_matrix:=[2.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,1.0] -p infrared_distances:=[0.01,0.03] -p infrared_counts:=[1000.0,100.0]")
	if w := s.wheels; w.Ratio != 1.03 || w.Slip != 0.0005 || w.Turn != 0.001 || w.Covariance[8] != 4e-6 {
		t.Errorf("%+v", w)
	}
	if got := s.correct.accel.Apply([3]float64{1, 1, 1}); got != [3]float64{0.9, 1, 1.2} {
		t.Errorf("acceleration %v", got)
	}
	if got := s.correct.mag.Apply([3]float64{1, 1, 1}); got != [3]float64{2, 1, 1} {
		t.Errorf("field %v", got)
	}
	for i, c := range s.correct.infrared {
		if got := c.Distance(550); math.Abs(got-0.02) > 1e-12 {
			t.Errorf("sensor %d: %v m", i, got)
		}
	}
}

// TestEachSensorHasItsCurve: eight rows of readings, one a sensor.
func TestEachSensorHasItsCurve(t *testing.T) {
	var counts []float64
	for i := range 8 {
		counts = append(counts, float64(1000+100*i), 100)
	}
	var curves [8]epuck2.InfraredCurve
	if err := readCurves(&curves, []float64{0, 0.04}, counts); err != nil {
		t.Fatal(err)
	}
	for i := range curves {
		if got, want := curves[i].Distance(500), 0.04*float64(500+100*i)/float64(900+100*i); math.Abs(got-want) > 1e-12 {
			t.Errorf("sensor %d: %v m, want %v", i, got, want)
		}
	}
}

// TestBadCorrectionsAreRefused: at the start and while the driver runs, together with what would come with them.
func TestBadCorrectionsAreRefused(t *testing.T) {
	array := func(v ...float64) ros2.ParameterValue { return ros2.DoubleArrayValue(v) }
	bad := []ros2.Parameter{
		{Name: paramWheelCovariance, Value: array(1, 2)},
		{Name: paramWheelCovariance, Value: array(1e-6, 1, 0, 1, 1e-6, 0, 0, 0, 1e-6)},
		{Name: paramGyroMatrix, Value: array(1, 0, 0)},
		{Name: paramAccelBias, Value: array(1, 2, math.NaN())},
		{Name: paramAccelMatrix, Value: array()},
		{Name: paramMagBias, Value: array(1, 2, math.Inf(1))},
		{Name: paramIRDistances, Value: array(0.01, 0.02)}, // the readings are still ten
		{Name: paramIRDistances, Value: array(1, 2, 3, 4, 5, 6, 7, 8, 9, 9)},
		{Name: paramIRCounts, Value: array(9, 8, 7, 6, 5, 4, 3, 2, 1, 1)},
	}
	r := newRig(t, rigOptions{noStart: true})
	before := *r.driver.settings.Load()
	for _, p := range bad {
		errs := r.node.Parameters().Set(p)
		if errs[0] == nil || !strings.Contains(errs[0].Error(), "infrared") && !strings.Contains(errs[0].Error(), p.Name) {
			t.Errorf("%s = %v: %v", p.Name, p.Value, errs[0])
		}
		radius := ros2.Parameter{Name: paramRadius, Value: ros2.DoubleValue(0.021)}
		if err := r.node.Parameters().SetAtomically(radius, p); err == nil {
			t.Errorf("%s = %v was accepted beside a radius", p.Name, p.Value)
		}
	}
	if after := *r.driver.settings.Load(); after != before {
		t.Errorf("something changed: %+v", after)
	}
	for _, args := range []string{"-p wheel_covariance:=[1.0,2.0]", "-p imu_accel_bias:=[0.0,1.0]", "-p infrared_counts:=[1.0,2.0]"} {
		if err := Declare(nodeWith(t, args)); !errors.Is(err, ErrParameter) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// TestCurvesChangeTogether: distances and readings of another length are accepted in one step.
func TestCurvesChangeTogether(t *testing.T) {
	r := newRig(t, rigOptions{noStart: true})
	err := r.node.Parameters().SetAtomically(
		ros2.Parameter{Name: paramIRDistances, Value: ros2.DoubleArrayValue([]float64{0.01, 0.03})},
		ros2.Parameter{Name: paramIRCounts, Value: ros2.DoubleArrayValue([]float64{1000, 100})})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.driver.settings.Load().correct.infrared[7].Distance(550); math.Abs(got-0.02) > 1e-12 {
		t.Errorf("%v m", got)
	}
}

// TestCalibratedWheelsDoNotMoveThePose: all of it set on the running driver, which stands where it stood.
func TestCalibratedWheelsDoNotMoveThePose(t *testing.T) {
	r, cycle := steppedRig(t, rigOptions{args: "-p cmd_vel_timeout:=0.0"})
	r.command(0.05, 0.8)
	for range 40 {
		cycle()
	}
	before := r.driver.Status()
	err := r.node.Parameters().SetAtomically(
		ros2.Parameter{Name: paramRadius, Value: ros2.DoubleValue(0.0205)},
		ros2.Parameter{Name: paramRadiusRatio, Value: ros2.DoubleValue(1.03)},
		ros2.Parameter{Name: paramDistance, Value: ros2.DoubleValue(0.055)})
	if err != nil {
		t.Fatal(err)
	}
	cycle()
	after := r.driver.Status()
	if d := math.Hypot(after.X-before.X, after.Y-before.Y); d > 0.004 {
		t.Errorf("the pose jumped by %v m", d)
	}
	if c := r.driver.bus.odometer.Config(); c.WheelRadius != 0.0205 || c.RadiusRatio != 1.03 || c.WheelDistance != 0.055 {
		t.Errorf("the odometer has %+v", c)
	}
}

// uncorrected is what the robot has that was never calibrated.
func uncorrected() *corrections {
	one := epuck2.Linear{Matrix: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	c := &corrections{accel: one, gyro: one, mag: one}
	for i := range c.infrared {
		c.infrared[i] = epuck2.DefaultInfraredCurve()
	}
	return c
}
