// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// calibrate drives, requests a calibration and continues for a while; failed exchanges are allowed.
func (r *rig) calibrate(n int) (s Sensors) {
	drive := Command{Left: 800, Right: 400, LEDs: LED3}
	s = r.cycle(10, drive)
	r.d.CalibrateIR()
	for range n {
		start := r.f.now
		if now, err := r.d.Exchange(drive); err == nil {
			s = now
		}
		r.f.pass(max(50*time.Millisecond-r.f.now.Sub(start), 0))
	}
	return s
}

func TestCalibrate(t *testing.T) {
	r := newRig(t)
	r.calibrate(15)
	if h := r.happened(); h != "IR calibration started/1" || !r.d.Pending().Calibrate || r.f.speed != [2]float64{} {
		t.Errorf("after 0.75 s: events %q, pending %+v, speeds %v", h, r.d.Pending(), r.f.speed)
	}
	drive := Command{Left: 800, Right: 400}
	r.cycle(15, drive)
	if h := r.happened(); h != "IR calibration done/1" || r.d.Pending() != (Pending{}) || r.f.speed[0] < 800 {
		t.Errorf("after 1.5 s: events %q, pending %+v, speeds %v", h, r.d.Pending(), r.f.speed)
	}
	if r.f.calibrations != 1 || r.f.movedInCal {
		t.Errorf("%d calibrations, moved %v", r.f.calibrations, r.f.movedInCal)
	}
	r.cycle(1, Command{})
	if d := r.drift(r.cycle(1, Command{})); d > 2 {
		t.Errorf("the counters are off by %v steps", d)
	}
}

// TestCalibrateFaults: whichever packets are lost, one calibration is made, and it starts with stopped wheels.
func TestCalibrateFaults(t *testing.T) {
	const ok, nak, rerr, cw, cr = i2cfake.None, i2cfake.NAK, i2cfake.ReadError, i2cfake.CorruptWrite, i2cfake.CorruptRead
	still := []i2cfake.Fault{ok, ok, ok} // calStill zero speeds, then the bit
	for _, c := range []struct {
		name   string
		faults []i2cfake.Fault
		flags  bool
		events string
	}{
		{"the bit lost", []i2cfake.Fault{nak}, true, "IR calibration started/2, IR calibration done/2"},
		{"the bit corrupt", []i2cfake.Fault{cw}, true, "IR calibration started/2, IR calibration done/2"},
		{"the bit executed, reply lost", []i2cfake.Fault{rerr}, true, "IR calibration started/1, IR calibration done/1"},
		{"the bit executed, not flagged", []i2cfake.Fault{rerr}, false, "IR calibration started/1, IR calibration done/1"},
		{"the bit executed, reply corrupt", []i2cfake.Fault{cr}, true, "IR calibration started/1, IR calibration done/1"},
		{"a receipt lost", []i2cfake.Fault{ok, nak, rerr}, true, "IR calibration started/1, IR calibration done/1"},
		{"bit and receipt lost", []i2cfake.Fault{nak, ok, cw}, true, "IR calibration started/2, IR calibration done/2"},
		{"a burst", []i2cfake.Fault{ok, nak, nak, nak, nak, nak, nak, nak, nak}, true, "IR calibration started/1, IR calibration done/1"},
		{"many corrupt replies", []i2cfake.Fault{cr, cr, cr, cr, cr, cr, cr}, false, "IR calibration started/1, IR calibration done/1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.cycle(10, Command{})
			r.flags = c.flags
			r.bus.Plan(make([]i2cfake.Fault, 10)...).Plan(still...).Plan(c.faults...)
			r.calibrate(60)
			if h := r.happened(); h != c.events || r.f.movedInCal {
				t.Errorf("events %q, want %q; moved %v", h, c.events, r.f.movedInCal)
			}
			if r.f.calibrations != 1 || r.d.Pending() != (Pending{}) {
				t.Errorf("%d calibrations, pending %+v", r.f.calibrations, r.d.Pending())
			}
			r.cycle(1, Command{})
			s := r.cycle(1, Command{})
			if d := r.drift(s); d > 2 {
				t.Errorf("the counters are off by %v steps", d)
			}
		})
	}
}

// TestCalibrateHoldsCounters: the caller sees neither the receipts nor the zero that the firmware sets for an instant.
func TestCalibrateHoldsCounters(t *testing.T) {
	r := newRig(t)
	r.f.count = [2]float64{12345, -12345}
	r.cycle(2, Command{})
	r.d.CalibrateIR()
	for i := range 40 {
		if s := r.cycle(1, Command{}); s.LeftSteps != 12345 || s.RightSteps != -12345 {
			t.Fatalf("cycle %d: %d, %d", i, s.LeftSteps, s.RightSteps)
		}
	}
	if h := r.happened(); h != "IR calibration started/1, IR calibration done/1" {
		t.Error(h)
	}
}

func TestCalibrateGivenUp(t *testing.T) {
	for name, prepare := range map[string]func(*rig){
		"never accepted": func(r *rig) { r.f.ignore = math.MaxInt },
		"switched off":   func(r *rig) { r.bus.Unplug(true) },
	} {
		r := newRig(t)
		r.cycle(1, Command{})
		r.d.CalibrateIR()
		prepare(r)
		for range 300 {
			_, _ = r.d.Exchange(Command{})
			r.f.pass(40 * time.Millisecond)
		}
		if n := len(r.events); n == 0 || r.events[n-1].Kind != EventFailed || !errors.Is(r.events[n-1].Err, errNotAccepted) {
			t.Errorf("%s: events %v", name, r.events)
		}
		if r.d.Pending() != (Pending{}) {
			t.Errorf("%s: still pending", name)
		}
		r.f.ignore = 0
		r.bus.Unplug(false)
		r.cycle(10, Command{Left: 300, Right: 300})
		if r.f.speed[0] < 300 {
			t.Errorf("%s: the wheels are not given back: %v", name, r.f.speed)
		}
	}
}
