// SPDX-License-Identifier: Apache-2.0

package battery_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
)

// TestAnyHistory: with files that fail and recover at any moment, a fresh reading is the battery's voltage, an old one
// is kept, the events alternate and every error has its kind; when all files work, readings arrive again.
func TestAnyHistory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, vbattery.Config{Form: vbattery.Form(rapid.IntRange(0, 2).Draw(rt, "form")), Charge: 0.7})
		present := false
		var truth []float64 // at the polls since the last reading: the file was read in one of them
		poll := func() bool {
			truth = append(truth, r.bat.Voltage())
			was, next := r.dev.Reading(), r.dev.Next()
			fresh, e, err := r.poll()
			switch {
			case err != nil && !errors.Is(err, battery.ErrAbsent) && !errors.Is(err, battery.ErrRead) && !errors.Is(err, battery.ErrFormat) &&
				!errors.Is(err, battery.ErrImplausible):
				rt.Fatal(err)
			case fresh && (err != nil || start.Add(r.now).Before(next)):
				rt.Fatalf("fresh before %v, with %v", next, err)
			case fresh && !slices.ContainsFunc(truth, func(v float64) bool { return math.Abs(r.dev.Reading().Robot.Voltage-v) < 0.02 }):
				rt.Fatalf("%v V, the battery had %v", r.dev.Reading().Robot.Voltage, truth)
			case !fresh && e != "lost" && r.dev.Reading().Robot.Connected != was.Robot.Connected:
				rt.Fatal("a reading changed without being fresh")
			case (e == "found") && present || (e == "lost") && !present:
				rt.Fatalf("%v while present is %v", e, present)
			}
			if fresh {
				truth = truth[:0]
			}
			present = r.dev.Present()
			if !present && r.dev.Reading().Robot.Connected {
				rt.Fatal("an absent converter has a reading")
			}
			return fresh
		}
		for range rapid.IntRange(1, 20).Draw(rt, "n") {
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				fault := vbattery.Fault(rapid.IntRange(0, int(vbattery.Denied)).Draw(rt, "fault"))
				_ = r.bat.Break(vbattery.Channel(rapid.IntRange(0, 1).Draw(rt, "channel")), fault)
			case 1:
				r.bat.Unplug(rapid.Bool().Draw(rt, "out"))
			case 2:
				r.bat.Charger(rapid.Bool().Draw(rt, "charger"))
			}
			for range rapid.IntRange(1, 30).Draw(rt, "polls") {
				poll()
				r.now += time.Duration(rapid.IntRange(1, 700).Draw(rt, "ms")) * time.Millisecond
			}
		}
		r.bat.Unplug(false)
		_ = r.bat.Break(vbattery.Robot, vbattery.Working)
		_ = r.bat.Break(vbattery.Aux, vbattery.Working)
		fresh := 0
		for range 100 {
			if poll() {
				fresh++
			}
			r.now += 200 * time.Millisecond
		}
		if fresh < 10 || !r.dev.Reading().Robot.Connected {
			rt.Fatalf("%d readings after everything was mended", fresh)
		}
	})
}
