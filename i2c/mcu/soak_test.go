// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// TestSoak drives with random speeds, bus failures and one-shots. Each melody and calibration that the device reports
// was executed exactly once, no other was, and the counters stay correct.
//
// Short writes are left out: the firmware mixes them with the previous packet, and one mixture in 256 has a right
// checksum, which this side cannot detect.
func TestSoak(t *testing.T) {
	for seed := range uint64(10) {
		r := newRig(t)
		rng := rand.New(rand.NewPCG(seed, 1))
		r.bus = i2cfake.NewFaulty(r.f, seed, func(d time.Duration) { r.f.pass(d) })
		for _, f := range []i2cfake.Fault{i2cfake.NAK, i2cfake.Timeout, i2cfake.ReadError, i2cfake.CorruptRead, i2cfake.CorruptWrite} {
			r.bus.Rate(f, 0.02)
		}
		melodies, calibrations, lost := 0, 0, 0
		for range 3000 {
			r.flags = rng.IntN(2) == 0
			switch x := rng.IntN(100); {
			case x < 4:
				_ = r.d.PlayMelody(1 + x%3)
			case x == 5:
				r.d.CalibrateIR()
			}
			start := r.f.now
			_, err := r.d.Exchange(Command{Left: Speed(rng.IntN(2200) - 1100), Right: Speed(rng.IntN(2200) - 1100)})
			if err != nil {
				lost++
			}
			r.f.pass(max(50*time.Millisecond-r.f.now.Sub(start), 0))
			for _, e := range r.events {
				switch e.Kind {
				case EventMelody:
					melodies++
				case EventCalibrating:
					calibrations++
				case EventFailed, EventRestart:
					t.Errorf("%v: %+v", r.bus, e)
				}
			}
			r.events = nil
		}
		for range 100 { // finish what is in progress
			_, _ = r.d.Exchange(Command{})
			r.f.pass(50 * time.Millisecond)
		}
		for _, e := range r.events {
			melodies += b2i(e.Kind == EventMelody)
			calibrations += b2i(e.Kind == EventCalibrating)
		}
		r.bus.Plan(make([]i2cfake.Fault, 8)...)
		s := r.cycle(2, Command{})
		if melodies != len(r.f.melodies) || calibrations != r.f.calibrations || melodies < 50 || calibrations < 10 || r.f.movedInCal {
			t.Errorf("%v: %d melodies reported, %d executed; %d calibrations reported, %d executed; moved %v",
				r.bus, melodies, len(r.f.melodies), calibrations, r.f.calibrations, r.f.movedInCal)
		}
		st := r.d.Counters()
		if d := r.drift(s); d > float64(st.OneShots+12*st.OneShotsLost) || st.Restarts != 0 || int(st.Failed) < lost {
			t.Errorf("%v: off by %v steps, %d exchanges lost: %+v", r.bus, d, lost, st)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
