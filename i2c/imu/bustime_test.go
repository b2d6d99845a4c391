// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// busTime polls n times and returns the maximum and mean bus time of a Poll at 100 kHz.
func (g *rig) busTime(n int) (worst, mean time.Duration) {
	for range n {
		begin := g.now
		g.poll()
		busy := g.busy
		worst, mean = max(worst, busy), mean+busy/time.Duration(n)
		g.now = max(g.now, begin+g.cycle)
	}
	return worst, mean
}

// TestBusTime checks the figures of the package documentation, in simulated time.
func TestBusTime(t *testing.T) {
	for model, limits := range map[vimu.Model][3]time.Duration{ // bring-up, worst, mean
		vimu.MPU9250:  {3100e3, 3500e3, 1700e3},
		vimu.MPU6500:  {3100e3, 2400e3, 1600e3},
		vimu.ICM20948: {3100e3, 3000e3, 1700e3},
	} {
		g := newRig(t, vimu.Config{Model: model}, nil)
		up, _ := g.busTime(50)
		if g.dev.State() != device.Running {
			t.Fatal("50 polls do not bring the chip up", g.errs)
		}
		worst, mean := g.busTime(500)
		for i, got := range []time.Duration{up, worst, mean} {
			if got > limits[i] {
				t.Errorf("%v: bus times %v, %v, %v, more than %v", model, up, worst, mean, limits)
				break
			}
		}
		if testing.Verbose() {
			t.Logf("%v: bring-up %v, worst %v, mean %v", model, up, worst, mean)
		}
		if err := g.bus.Faults().Hold(vbus.Fault{Kind: vbus.Timeout}); err != nil {
			t.Fatal(err)
		}
		if worst, _ = g.busTime(400); worst > 20*time.Millisecond {
			t.Errorf("%v that holds the clock: %v", model, worst)
		}
	}
}

// TestSoak: after random faults, restarts and disconnections the chip always recovers, no Poll makes more transactions
// than allowed, and a lost chip returns no sample.
func TestSoak(t *testing.T) {
	for _, cfg := range models() {
		g := newRig(t, cfg, nil)
		for range 5 {
			if err := g.bus.Faults().SetRates(vbus.Rates{
				NAK: 0.02, DataNAK: 0.01, Timeout: 0.01, ReadNAK: 0.01, ReadTimeout: 0.01, CorruptRead: 0.005, Restart: 0.002,
			}); err != nil {
				t.Fatal(err)
			}
			for i := range 500 {
				g.chip.Inject(vimu.Faults{Unplugged: i%250 > 240})
				u, _ := g.poll()
				if err := g.dev.Sense(&Reading{}); u.Sample && err != nil || err == nil && g.dev.State() != device.Running {
					t.Fatalf("%v: %+v, %v, %v", g.dev, u, err, g.dev.State())
				}
			}
			if err := g.bus.Faults().SetRates(vbus.Rates{}); err != nil {
				t.Fatal(err)
			}
			g.chip.Inject(vimu.Faults{})
			for range 150 {
				g.poll()
			}
			near(t, "acceleration", g.up().Accel, g.body.Accel, 0.8)
			if g.dev.HasMagnetometer() {
				g.field() // it may have been configured wrongly during the faults
				near(t, "field", g.field().Field, g.body.Field, 4e-6)
			}
		}
		if g.most > 8 {
			t.Errorf("%v: %d transactions in a Poll", g.dev, g.most)
		}
	}
}
