// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
)

func TestCorrectionsAreRead(t *testing.T) {
	s := settingsWith(t, "-p wheel_radius_ratio:=1.03 -p wheel_slip_std:=0.0005 -p wheel_turn_std:=0.001 "+
		"-p wheel_covariance:=[1e-6,0.0,0.0,0.0,1e-6,0.0,0.0,0.0,4e-6] -p imu_accel_bias:=[0.1,0.0,-0.2] "+
		"-p mag_matrix:=[2.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,1.0] -p infrared_distances:=[0.01,0.03] -p infrared_counts:=[1000.0,100.0]")
	if w := s.Wheels; w.Ratio != 1.03 || w.Slip != 0.0005 || w.Turn != 0.001 || w.Covariance[8] != 4e-6 {
		t.Errorf("%+v", w)
	}
	if got := s.Correct.Accel.Apply([3]float64{1, 1, 1}); got != [3]float64{0.9, 1, 1.2} {
		t.Errorf("acceleration %v", got)
	}
	if got := s.Correct.Mag.Apply([3]float64{1, 1, 1}); got != [3]float64{2, 1, 1} {
		t.Errorf("field %v", got)
	}
	for i, c := range s.Correct.Infrared {
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

// uncorrected is what the robot has that was never calibrated.
func uncorrected() *Corrections {
	one := epuck2.Linear{Matrix: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	c := &Corrections{Accel: one, Gyro: one, Mag: one}
	for i := range c.Infrared {
		c.Infrared[i] = epuck2.DefaultInfraredCurve()
	}
	return c
}

// TestBadCorrectionsAreRefusedAtTheStart: before anything is made of them.
func TestBadCorrectionsAreRefusedAtTheStart(t *testing.T) {
	for _, args := range []string{"-p wheel_covariance:=[1.0,2.0]", "-p imu_accel_bias:=[0.0,1.0]", "-p infrared_counts:=[1.0,2.0]"} {
		if err := Declare(nodeWith(t, args)); !errors.Is(err, ErrParameter) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
