// SPDX-License-Identifier: Apache-2.0

package mcu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// simulated is a device on the simulated robot, which is implemented independently of this package.
type simulated struct {
	*testing.T
	clock  *sim.Clock
	robot  *sim.Firmware
	dev    *mcu.Dev
	events []string
}

func newSimulated(t *testing.T, world string, seed uint64) *simulated {
	t.Helper()
	w, err := sim.LoadWorld(world)
	if err != nil {
		t.Fatal(err)
	}
	return newSimulatedIn(t, w, seed)
}

func newSimulatedIn(t *testing.T, w *sim.World, seed uint64) *simulated {
	t.Helper()
	r := &simulated{T: t, clock: sim.NewClock()}
	s, err := sim.New(w, sim.Options{Seed: seed, Now: r.clock.Now, Sleep: r.clock.Sleep})
	if err != nil {
		t.Fatal(err)
	}
	r.robot = sim.RobotsOf[*sim.Firmware](s)[0]
	r.dev, err = mcu.New(r.robot.Bus(), &mcu.Opts{Now: r.clock.Now, OnEvent: func(e mcu.Event) {
		r.events = append(r.events, fmt.Sprintf("%v/%d", e.Kind, e.Attempts))
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// cycle makes exchanges at 20 Hz, failed ones included, and returns the last sensors.
func (r *simulated) cycle(n int, c mcu.Command) (s mcu.Sensors) {
	for range n {
		end := r.clock.Now().Add(50 * time.Millisecond)
		if now, err := r.dev.Exchange(c); err == nil {
			s = now
		}
		r.clock.Sleep(end.Sub(r.clock.Now()))
	}
	return s
}

// drift is how far the counters are from the angles the wheels have turned, steps.
func (r *simulated) drift(s mcu.Sensors) float64 {
	truth := r.robot.GroundTruth()
	off := func(seen int16, rad float64) float64 {
		return math.Abs(float64(int16(int64(seen) - int64(math.Round(rad/mcu.RadPerStep)))))
	}
	return max(off(s.LeftSteps, truth.LeftWheel), off(s.RightSteps, truth.RightWheel))
}

func TestSimulatedRobot(t *testing.T) {
	r := newSimulated(t, "empty", 1)
	if d := r.dev.Probe(); d.Health != mcu.HealthOK {
		r.clock.Sleep(time.Second) // it has just been switched on
		if d = r.dev.Probe(); d.Health != mcu.HealthOK {
			t.Fatalf("%+v", d)
		}
	}
	r.cycle(40, mcu.Command{Left: 700, Right: 300})
	_ = r.dev.PlayMelody(2)
	r.cycle(1, mcu.Command{Left: 700, Right: 300})
	if m := r.robot.GroundTruth().Melody; m != 2 {
		t.Errorf("melody %d plays", m)
	}
	r.dev.CalibrateIR()
	r.cycle(12, mcu.Command{Left: 700, Right: 300})
	if truth := r.robot.GroundTruth(); !truth.Calibrating || truth.LeftSpeed != 0 || truth.RightSpeed != 0 {
		t.Errorf("%+v is not calibrating at rest", truth)
	}
	s := r.cycle(40, mcu.Command{})
	if got := strings.Join(r.events, ", "); got != "melody accepted/1, IR calibration started/1, IR calibration done/1" {
		t.Error(got)
	}
	if d := r.drift(s); d > 3 {
		t.Errorf("the counters are off by %v steps", d)
	}
	for i, p := range s.Proximity {
		if off := r.robot.InfraredOffset(i); float64(p) > 20 {
			t.Errorf("ps%d reads %d in an empty world after calibration; its offset is %v", i, p, off)
		}
	}
	if err := r.dev.Halt(); err != nil {
		t.Error(err)
	}
}

// TestSimulatedFirmwares: a wrong firmware is identified.
func TestSimulatedFirmwares(t *testing.T) {
	for firmware, want := range map[string]mcu.Health{
		"extension": mcu.HealthOK, "york": mcu.HealthRegister, "standard": mcu.HealthNoAnswer,
	} {
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		w.Robots[0].Firmware = firmware
		r := newSimulatedIn(t, w, 1)
		r.clock.Sleep(time.Second)
		if d := r.dev.Probe(); d.Health != want {
			t.Errorf("%s firmware: %+v", firmware, d)
		}
	}
}
