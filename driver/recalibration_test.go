// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestBadCorrectionsAreRefused: at run time they are refused together with the changes of the same request.
func TestBadCorrectionsAreRefused(t *testing.T) {
	array := func(v ...float64) ros2.ParameterValue { return ros2.DoubleArrayValue(v) }
	bad := []ros2.Parameter{
		{Name: table.ParamWheelCovariance, Value: array(1, 2)},
		{Name: table.ParamWheelCovariance, Value: array(1e-6, 1, 0, 1, 1e-6, 0, 0, 0, 1e-6)},
		{Name: table.ParamGyroMatrix, Value: array(1, 0, 0)},
		{Name: table.ParamAccelBias, Value: array(1, 2, math.NaN())},
		{Name: table.ParamAccelMatrix, Value: array()},
		{Name: table.ParamMagBias, Value: array(1, 2, math.Inf(1))},
		{Name: table.ParamIRDistances, Value: array(0.01, 0.02)}, // the readings are still ten
		{Name: table.ParamIRDistances, Value: array(1, 2, 3, 4, 5, 6, 7, 8, 9, 9)},
		{Name: table.ParamIRCounts, Value: array(9, 8, 7, 6, 5, 4, 3, 2, 1, 1)},
	}
	r := newRig(t, rigOptions{noStart: true})
	before := *r.driver.settings.Load()
	for _, p := range bad {
		errs := r.node.Parameters().Set(p)
		if errs[0] == nil || !strings.Contains(errs[0].Error(), "infrared") && !strings.Contains(errs[0].Error(), p.Name) {
			t.Errorf("%s = %v: %v", p.Name, p.Value, errs[0])
		}
		radius := ros2.Parameter{Name: table.ParamRadius, Value: ros2.DoubleValue(0.021)}
		if err := r.node.Parameters().SetAtomically(radius, p); err == nil {
			t.Errorf("%s = %v was accepted together with a radius", p.Name, p.Value)
		}
	}
	if after := *r.driver.settings.Load(); !reflect.DeepEqual(after, before) {
		t.Errorf("something changed: %+v", after)
	}
}

// TestCurvesChangeTogether: distances and readings of another length are accepted in one request.
func TestCurvesChangeTogether(t *testing.T) {
	r := newRig(t, rigOptions{noStart: true})
	err := r.node.Parameters().SetAtomically(
		ros2.Parameter{Name: table.ParamIRDistances, Value: ros2.DoubleArrayValue([]float64{0.01, 0.03})},
		ros2.Parameter{Name: table.ParamIRCounts, Value: ros2.DoubleArrayValue([]float64{1000, 100})})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.driver.settings.Load().Correct.Infrared[7].Distance(550); math.Abs(got-0.02) > 1e-12 {
		t.Errorf("%v m", got)
	}
}

// TestCalibratedWheelsDoNotMoveThePose: setting all of the calibration at run time does not change the pose.
func TestCalibratedWheelsDoNotMoveThePose(t *testing.T) {
	r, cycle := steppedRig(t, rigOptions{args: "-p cmd_vel_timeout:=0.0"})
	r.command(0.05, 0.8)
	for range 40 {
		cycle()
	}
	before := r.driver.Status()
	err := r.node.Parameters().SetAtomically(
		ros2.Parameter{Name: table.ParamRadius, Value: ros2.DoubleValue(0.0205)},
		ros2.Parameter{Name: table.ParamRadiusRatio, Value: ros2.DoubleValue(1.03)},
		ros2.Parameter{Name: table.ParamDistance, Value: ros2.DoubleValue(0.055)})
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
