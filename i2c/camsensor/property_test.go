// SPDX-License-Identifier: Apache-2.0

package camsensor_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// drawFault chooses the fault of the next transactions.
func drawFault(t *rapid.T) vbus.Fault {
	return vbus.Fault{
		Kind: vbus.Kind(rapid.IntRange(0, int(vbus.Stuck)).Draw(t, "kind")),
		Byte: rapid.IntRange(0, 3).Draw(t, "byte"), Mask: rapid.Byte().Draw(t, "mask"),
	}
}

// drawSettings chooses valid settings.
func drawSettings(t *rapid.T) (s camsensor.Settings) {
	s.Mirror, s.Flip = rapid.Bool().Draw(t, "mirror"), rapid.Bool().Draw(t, "flip")
	if rapid.Bool().Draw(t, "manual") {
		s.Exposure = time.Duration(rapid.Int64Range(int64(camsensor.MinExposure), int64(camsensor.MaxExposure)).Draw(t, "exposure"))
		s.Gain = rapid.Float64Range(1, camsensor.MaxGain).Draw(t, "gain")
		s.Balance = camsensor.Balance{Red: 1, Green: rapid.Float64Range(0.5, 2).Draw(t, "green"), Blue: 1}
	}
	return s
}

// TestAnyHistory: with faults, power cuts and changed settings at any moment, a call makes at most one transaction,
// none before its time, events alternate and errors have their kind; afterwards the picture is as chosen.
func TestAnyHistory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		model := rapid.SampledFrom(both).Draw(rt, "model")
		r := newRig(t, model, camsensor.Settings{})
		present := false
		poll := func() {
			before, next, now := r.bus.Faults().Transfers(), r.dev.Next(), time.Unix(0, int64(r.now))
			e, err := i2cfake.Event(r.dev, func() error { return r.dev.Poll(now) })
			made := r.bus.Faults().Transfers() - before
			switch {
			case made > 1 || made > 0 && now.Before(next):
				rt.Fatalf("at %v, not before %v: %d transactions", r.now, next, made)
			case err != nil && !errors.Is(err, i2c.ErrBus) && !errors.Is(err, camsensor.ErrIdentity):
				rt.Fatal(err)
			}
			switch e {
			case "found":
				present = true
			case "lost":
				present = false
			}
			if present != r.dev.Present() {
				rt.Fatalf("present %v after %v", r.dev.Present(), e)
			}
		}
		settings := camsensor.Settings{}
		for range rapid.IntRange(1, 12).Draw(rt, "n") {
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				settings = drawSettings(rt)
				if err := r.dev.Configure(settings); err != nil {
					rt.Fatal(err)
				}
				present = false // it is searched again
			case 1:
				r.sensor.Power(rapid.Bool().Draw(rt, "on"))
			case 2:
				_ = r.bus.Faults().Next(drawFault(rt), drawFault(rt))
			case 3:
				r.sensor.Restart()
			}
			for range rapid.IntRange(1, 60).Draw(rt, "polls") {
				poll()
				r.now += time.Duration(rapid.IntRange(1, 300).Draw(rt, "ms")) * time.Millisecond
			}
		}
		r.sensor.Power(true)
		if err := r.dev.Configure(settings); err != nil {
			rt.Fatal(err)
		}
		present = false
		for range 600 {
			poll()
			r.now += 20 * time.Millisecond
		}
		o := r.sensor.Output()
		if !o.Usable() || o.Mirror != settings.Mirror || o.Flip != settings.Flip || (o.Exposure != 0) != (settings.Exposure != 0) || !present {
			rt.Fatalf("%v with %+v: %+v %+v", model, settings, o, r.dev.Result())
		}
	})
}

// BenchmarkSequence reports how long a configuration occupies the bus at 100 kHz.
func BenchmarkSequence(b *testing.B) {
	for _, m := range both {
		b.Run(m.String(), func(b *testing.B) {
			var busy time.Duration
			polls := 0
			for b.Loop() {
				r := newRig(b, m, camsensor.Settings{})
				meter := i2c.NewMeter(r.bus, nil)
				dev, err := camsensor.New(meter, nil)
				if err != nil {
					b.Fatal(err)
				}
				for !dev.Present() {
					_ = dev.Poll(time.Unix(0, int64(r.now)))
					r.now += 50 * time.Millisecond
					polls++
				}
				s := meter.Stats()
				busy += time.Duration(s.Written+s.Read+s.Transactions) * 90 * time.Microsecond
			}
			b.ReportMetric(float64(busy.Microseconds())/float64(b.N), "bus-µs/set-up")
			b.ReportMetric(float64(polls)/float64(b.N), "polls/set-up")
		})
	}
}
