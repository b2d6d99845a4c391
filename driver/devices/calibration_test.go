// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// An IMU finds its bias by itself, once, when the wheels stand still, and again when requested.
func TestIMUCalibratesItselfAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		p := r.imu(r.set)
		r.atRest = false
		_, err := r.poll(p, 20, 4*time.Second)
		r.must(err)
		if _, err := p.Calibration(); p.Calibrating() || err == nil {
			t.Errorf("calibrated while the wheels turn: %v", err)
		}
		r.atRest = true
		_, err = r.poll(p, 20, restTime-100*time.Millisecond)
		r.must(err)
		if !p.Calibrating() || p.Sampling() {
			t.Errorf("polls are needed: %v, samples are: %v, after a short rest", p.Calibrating(), p.Sampling())
		}
		p.Moved() // between two polls
		_, err = r.poll(p, 20, restTime-100*time.Millisecond)
		r.must(err)
		if p.Sampling() {
			t.Error("a rest with a motion in it counts as one")
		}
		_, err = r.poll(p, 20, 4*time.Second)
		r.must(err)
		if _, err := p.Calibration(); p.Calibrating() || err != nil {
			t.Errorf("not calibrated at rest: %v", err)
		}
		outcome := make(chan error, 1)
		p.Calibrate(outcome)
		if !p.Calibrating() {
			t.Error("asked for, and nothing is to be done")
		}
		_, err = r.poll(p, 20, 4*time.Second)
		r.must(err)
		select {
		case err := <-outcome:
			r.must(err)
		default:
			t.Error("no answer")
		}
	})
}

// Wheels that begin to turn spoil a requested calibration: it fails, and the previous bias stays.
func TestCalibrationFailsWhenWheelsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		p := r.imu(r.set)
		_, err := r.poll(p, 20, 4*time.Second)
		r.must(err)
		before, err := p.Calibration()
		r.must(err)
		outcome := make(chan error, 1)
		p.Calibrate(outcome)
		for !errors.Is(err, imu.ErrCalibrating) {
			_, err = p.Measure(time.Now())
			r.must(err)
			time.Sleep(50 * time.Millisecond)
			_, err = p.Calibration()
		}
		r.atRest = false
		_, err = r.poll(p, 20, time.Second)
		r.must(err)
		if err := <-outcome; !errors.Is(err, ErrFailed) {
			t.Errorf("got %v", err)
		}
		if after, err := p.Calibration(); err != nil || after != before {
			t.Errorf("the bias became %v from %v: %v", after.GyroBias, before.GyroBias, err)
		}
	})
}

// The loss of the IMU during a calibration is reported to the caller.
func TestLossOfIMUFailsCalibration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		p := r.imu(r.set)
		_, err := r.poll(p, 20, 4*time.Second)
		r.must(err)
		outcome := make(chan error, 1)
		p.Calibrate(outcome)
		_, err = r.poll(p, 20, 200*time.Millisecond)
		r.must(err)
		r.must(r.robot.RemovePart(world.IMU))
		_, _ = r.poll(p, 20, 4*time.Second) // fails, as it should
		if err := <-outcome; err == nil {
			t.Error("a calibration without an IMU")
		}
	})
}
