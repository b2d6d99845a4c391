// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// drift is the difference between the caller's counters and the actual steps.
func (r *rig) drift(s Sensors) float64 {
	off := func(seen int16, truth float64) float64 {
		return math.Abs(float64(int16(int64(seen) - int64(math.Round(truth)))))
	}
	return max(off(s.LeftSteps, r.f.truth[0]), off(s.RightSteps, r.f.truth[1]))
}

func TestMelodyOnce(t *testing.T) {
	const ok, nak, rerr, sw, cw, cr = i2cfake.None, i2cfake.NAK, i2cfake.ReadError, i2cfake.ShortWrite, i2cfake.CorruptWrite, i2cfake.CorruptRead
	for _, c := range []struct {
		name   string
		faults []i2cfake.Fault
		flags  bool // the firmware detected the errors too
		events string
	}{
		{"no faults", nil, true, "melody accepted/1"},
		{"lost on the way", []i2cfake.Fault{ok, nak}, true, "melody accepted/2"},
		{"lost, and the firmware heard nothing", []i2cfake.Fault{ok, nak}, false, "melody accepted/2"},
		{"executed, the reply lost", []i2cfake.Fault{ok, rerr}, false, "melody accepted/1"},
		{"executed, the reply lost, flagged", []i2cfake.Fault{ok, rerr}, true, "melody accepted/1"},
		{"executed, the reply corrupt", []i2cfake.Fault{ok, cr}, true, "melody accepted/1"},
		{"corrupt, answered well, dropped", []i2cfake.Fault{ok, cw}, true, "melody accepted/2"},
		{"short", []i2cfake.Fault{ok, sw}, true, "melody accepted/2"},
		{"executed, the proof late", []i2cfake.Fault{ok, ok, nak, nak, rerr}, true, "melody accepted/1"},
		{"thrice lost", []i2cfake.Fault{ok, cw, ok, cw, ok, nak}, true, "melody accepted/4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.cycle(20, Command{Left: 1100, Right: -700})
			r.bus.Plan(c.faults...)
			r.flags = c.flags
			if err := r.d.PlayMelody(2); err != nil {
				t.Fatal(err)
			}
			if p := r.d.Pending(); p != (Pending{Melody: 2}) {
				t.Errorf("pending %+v", p)
			}
			for range 12 {
				start := r.f.now
				_, _ = r.d.Exchange(Command{Left: 1100, Right: -700}) // some fail on purpose
				r.f.pass(50*time.Millisecond - r.f.now.Sub(start))
			}
			if string(r.f.melodies) != "\x02" || r.happened() != c.events || r.d.Pending() != (Pending{}) {
				t.Errorf("melodies %v, events %q, pending %+v", r.f.melodies, r.happened(), r.d.Pending())
			}
			r.cycle(1, Command{}) // stopped: the last reply is not older than the wheels
			s := r.cycle(1, Command{})
			if d := r.drift(s); d > 12 { // a lost reply hides up to 10 ms at 1111 steps/s
				t.Errorf("the counters are off by %v steps", d)
			}
		})
	}
}

// TestMelodyKeepsCounters plays many melodies at many speeds; the caller's counters stay exact to a step each.
func TestMelodyKeepsCounters(t *testing.T) {
	r := newRig(t)
	for i := range 200 {
		if err := r.d.PlayMelody(1 + i%3); err != nil {
			t.Fatal(err)
		}
		r.cycle(4, Command{Left: Speed(i*37%2200 - 1100), Right: Speed(i*91%2200 - 1100)})
	}
	r.cycle(1, Command{})
	if d := r.drift(r.cycle(1, Command{})); len(r.f.melodies) != 200 || d > 200 {
		t.Errorf("%d melodies, off by %v steps", len(r.f.melodies), d)
	}
	if st := r.d.Counters(); st.Restarts != 0 || st.OneShots != 200 || st.OneShotsLost != 0 {
		t.Errorf("%+v", st)
	}
}

func TestMelodyNumbers(t *testing.T) {
	r := newRig(t)
	for _, n := range []int{-1, 0, 4, 257} {
		if err := r.d.PlayMelody(n); !errors.Is(err, ErrCommand) {
			t.Errorf("melody %d: %v", n, err)
		}
	}
	_ = r.d.PlayMelody(1)
	_ = r.d.PlayMelody(3) // replaces the queued one
	r.cycle(4, Command{})
	if string(r.f.melodies) != "\x03" || r.happened() != "melody accepted/1" {
		t.Errorf("melodies %v", r.f.melodies)
	}
}

func TestSetSteps(t *testing.T) {
	for _, c := range []struct {
		name        string
		at          [2]float64
		left, right int16
		packets     uint64
	}{
		{"far", [2]float64{100, 200}, 30000, -30000, 1},
		{"one wheel far", [2]float64{100, 200}, 100, -30000, 1},
		{"near: away first", [2]float64{100, 200}, 0, 0, 2},
		{"the same", [2]float64{5, 5}, 5, 5, 2},
		{"over the wrap", [2]float64{32760, -32760}, -32760, 32760, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.f.count, r.f.truth = c.at, c.at
			r.cycle(2, Command{})
			r.d.SetSteps(c.left, c.right)
			if !r.d.Pending().Steps {
				t.Error("nothing pending")
			}
			s := r.cycle(5, Command{})
			if r.f.count != [2]float64{float64(c.left), float64(c.right)} || s.LeftSteps != c.left || s.RightSteps != c.right {
				t.Errorf("MCU has %v, seen %d and %d", r.f.count, s.LeftSteps, s.RightSteps)
			}
			if st := r.d.Counters(); st.OneShots != c.packets || st.Restarts != 0 || r.d.Pending() != (Pending{}) {
				t.Errorf("%+v", st)
			}
			if h := r.happened(); !strings.HasPrefix(h, "step counters set/") || strings.Contains(h, ",") {
				t.Error(h)
			}
		})
	}
}

// TestOneShotGivenUp: attempts end if the firmware never executes it.
func TestOneShotGivenUp(t *testing.T) {
	r := newRig(t)
	r.cycle(1, Command{})
	r.f.ignore = math.MaxInt
	_ = r.d.PlayMelody(1)
	r.d.SetSteps(10000, 10000)
	r.cycle(120, Command{})
	if len(r.events) != 2 {
		t.Fatal(r.happened())
	}
	for _, e := range r.events {
		if e.Kind != EventFailed || !errors.Is(e.Err, errNotAccepted) || e.Attempts < 20 {
			t.Errorf("%+v", e)
		}
	}
	if p := r.d.Pending(); p != (Pending{}) {
		t.Errorf("still pending: %+v", p)
	}
}

// TestStopBeforeOneShot: the speeds are sent first, in the same call.
func TestStopBeforeOneShot(t *testing.T) {
	r := newRig(t)
	r.cycle(3, Command{Left: 500, Right: 500})
	_ = r.d.PlayMelody(1)
	if _, err := r.d.Exchange(Command{}); err != nil || r.f.speed != [2]float64{} || len(r.f.melodies) != 1 {
		t.Errorf("speeds %v, melodies %v, %v", r.f.speed, r.f.melodies, err)
	}
}

func TestLightsKeptByOneShot(t *testing.T) {
	r := newRig(t)
	_ = r.d.PlayMelody(1)
	r.cycle(1, Command{LEDs: LED1 | LED7})
	if len(r.f.melodies) != 1 || r.f.leds != byte(LED1|LED7) {
		t.Errorf("melodies %v, LEDs %#x", r.f.melodies, r.f.leds)
	}
}

func TestReceiptNumbers(t *testing.T) {
	for n := range 1 << 16 {
		cur := counts{int16(n), int16(-n * 7)}
		set := far(cur)
		if !provable(cur, set) || dist(cur.right, set.right) < quarter || dist(set.left, 0) < quarter || set.within(cur, window) {
			t.Fatalf("%v: set to %v", cur, set)
		}
		target := cur.plus(counts{int16(n % 0x3FFF), int16(-n % 0x3FFF)})
		if away := between(cur, target); !provable(cur, away) || !provable(away, target) {
			t.Fatalf("%v to %v by %v", cur, target, away)
		}
	}
}
