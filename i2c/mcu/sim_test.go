// SPDX-License-Identifier: Apache-2.0

package mcu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
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

// happened counts the events that begin with a word.
func (r *simulated) happened(word string) (n int) {
	for _, e := range r.events {
		if strings.HasPrefix(e, word) {
			n++
		}
	}
	return n
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

// TestSimulatedSoak drives with all bus failures of the simulator.
func TestSimulatedSoak(t *testing.T) {
	for seed := range uint64(2) {
		r := newSimulated(t, "empty", seed)
		r.clock.Sleep(time.Second)
		r.cycle(2, mcu.Command{})
		if err := r.robot.Faults().SetRates(vbus.Rates{
			NAK: 0.02, DataNAK: 0.02, Timeout: 0.02, ReadNAK: 0.02, ReadTimeout: 0.02, CorruptWrite: 0.02, CorruptRead: 0.02,
		}); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 3))
		for range 4000 {
			switch rng.IntN(60) {
			case 0:
				_ = r.dev.PlayMelody(1 + rng.IntN(3))
			case 1:
				r.dev.CalibrateIR()
			}
			r.cycle(1, mcu.Command{Left: mcu.Speed(rng.IntN(2200) - 1100), Right: mcu.Speed(rng.IntN(2200) - 1100)})
		}
		_ = r.robot.Faults().SetRates(vbus.Rates{})
		s := r.cycle(60, mcu.Command{})
		st := r.dev.Counters()
		if d := r.drift(s); d > float64(st.OneShots+12*st.OneShotsLost) {
			t.Errorf("seed %d: off by %v steps: %+v", seed, d, st)
		}
		if r.happened("melody") < 20 || r.happened("IR calibration done") < 20 || st.Errors() < 400 ||
			r.happened("one-shot") > 0 || r.happened("MCU") > 0 || r.happened("IR calibration s") != r.happened("IR calibration d") {
			t.Errorf("seed %d: %d melodies, %d calibrations, %d given up, %d restarts", seed, r.happened("melody"),
				r.happened("IR calibration done"), r.happened("one-shot"), r.happened("MCU"))
		}
	}
}

// TestSimulatedRestart: a power cycle while the counters have an offset.
func TestSimulatedRestart(t *testing.T) {
	r := newSimulated(t, "empty", 5)
	r.clock.Sleep(time.Second)
	r.cycle(100, mcu.Command{Left: 900, Right: 900})
	_ = r.dev.PlayMelody(1)
	r.cycle(4, mcu.Command{Left: 900, Right: 900})
	r.robot.Restart()
	s := r.cycle(60, mcu.Command{})
	if r.happened("MCU restarted") != 1 || s.LeftSteps > 20 || s.LeftSteps < -20 {
		t.Errorf("events %v, counter %d", r.events, s.LeftSteps)
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
