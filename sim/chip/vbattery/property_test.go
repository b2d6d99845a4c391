// SPDX-License-Identifier: Apache-2.0

package vbattery_test

import (
	"io/fs"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
)

// TestEnergy: the charge never leaves 0 to 1, only the charger raises it, and never faster than its current; the
// voltage stays within what the real battery was seen to have, less what the load takes.
func TestEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w world
		b := w.battery(vbattery.Config{Charge: rapid.Float64Range(0.01, 1).Draw(t, "charge")})
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			w.speed = rapid.Float64Range(-20, 20).Draw(t, "speed")
			b.Charger(rapid.Bool().Draw(t, "charger"))
			before := b.Charge()
			step := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "step"))
			w.now += step
			b.Advance()
			after, limit := b.Charge(), 0.5*step.Hours()/1.8+1e-12
			if after < 0 || after > 1 || after > before && !b.Charging() || math.Abs(after-before) > limit {
				t.Fatalf("charge %v, then %v after %v, charging %v", before, after, step, b.Charging())
			}
			low, high := 3.3-0.5*0.12, 4.138
			if b.Charging() {
				low, high = 3.778, 4.198
			}
			if v := b.Voltage(); v < low-1e-9 || v > high+1e-9 {
				t.Fatalf("%v V at charge %v, charging %v", v, after, b.Charging())
			}
		}
	})
}

// TestFuller: more charge is never less voltage, on the wheels or on the charger.
func TestFuller(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w world
		w.speed = rapid.Float64Range(0, 7).Draw(t, "speed")
		b := w.battery(vbattery.Config{})
		b.Charger(rapid.Bool().Draw(t, "charger"))
		low, high := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
		if low > high {
			low, high = high, low
		}
		b.SetCharge(low)
		less := b.Voltage()
		b.SetCharge(high)
		if more := b.Voltage(); more < less-1e-12 {
			t.Fatalf("%v V at %v, %v V at %v", less, low, more, high)
		}
	})
}

// TestWalk: whatever is broken, the folders can be walked, and list what can be opened.
func TestWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := vbattery.New(vbattery.Config{Form: vbattery.Form(rapid.IntRange(0, 2).Draw(t, "form"))})
		for c := range vbattery.Channel(2) {
			_ = b.Break(c, vbattery.Fault(rapid.IntRange(0, int(vbattery.Denied)).Draw(t, "fault")))
		}
		b.Unplug(rapid.IntRange(0, 4).Draw(t, "out") == 0)
		if err := fs.WalkDir(b.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			f, err := b.FS().Open(name)
			if err != nil {
				t.Fatalf("%s is listed: %v", name, err)
			}
			info, err := f.Stat()
			if err != nil || info.IsDir() != d.IsDir() || info.Name() != d.Name() {
				t.Fatalf("%s: %v %v", name, info, err)
			}
			return f.Close()
		}); err != nil {
			t.Fatal(err)
		}
	})
}
