// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// rig is a driver, a bus, a virtual chip in a robot, and a clock that advances with the bytes on the bus and per cycle.
type rig struct {
	t     testing.TB
	now   time.Duration
	cycle time.Duration
	body  vimu.Motion
	bus   *vbus.Bus
	chip  *vimu.Chip
	dev   *Dev
	most  uint64 // maximum transactions of a Poll
	errs  []error
	busy  time.Duration // of the bus in the last Poll
}

func (g *rig) Motion() vimu.Motion { return g.body }

// atRest is a robot on level ground, in the earth's field, facing north.
func atRest() vimu.Motion {
	return vimu.Motion{Accel: [3]float64{0, 0, 9.81}, Field: [3]float64{20e-6, 0, -43e-6}, Temperature: 30}
}

func newRig(t testing.TB, cfg vimu.Config, opts *Opts) *rig {
	t.Helper()
	g := &rig{t: t, body: atRest(), cycle: 10 * time.Millisecond}
	g.bus = vbus.New(vbus.Config{Sleep: func(d time.Duration) { g.now += d }})
	cfg.Now, cfg.Body = func() time.Duration { return g.now }, g
	if cfg.Noise == (noise.Source{}) {
		cfg.Noise = noise.New(1)
	}
	g.chip = vimu.New(cfg)
	err := g.bus.Attach(Addr, g.chip)
	if m := g.chip.Magnetometer(); m != nil {
		err = errors.Join(err, g.bus.Attach(vimu.AddressField, m))
	}
	dev, newErr := New(g.bus, 0, opts)
	if err = errors.Join(err, newErr); err != nil {
		t.Fatal(err)
	}
	g.dev = dev
	return g
}

func (g *rig) time() time.Time { return time.Unix(1000, 0).Add(g.now) }

// poll makes one Poll and waits for the rest of the cycle.
func (g *rig) poll() (Update, error) {
	before, start := g.dev.Stats().Transactions, g.now
	u, err := g.dev.Poll(g.time())
	g.most, g.busy = max(g.most, g.dev.Stats().Transactions-before), g.now-start
	if err != nil {
		g.errs = append(g.errs, err)
		g.errs = g.errs[max(0, len(g.errs)-5):] // enough for a message
	}
	g.now = max(g.now, start+g.cycle)
	return u, err
}

// up polls until the chip runs and has returned a sample.
func (g *rig) up() Reading {
	g.t.Helper()
	for range 3000 {
		if u, _ := g.poll(); u.Sample {
			return g.sense()
		}
	}
	g.t.Fatalf("no sample; state %v, errors %v", g.dev.State(), g.errs)
	return Reading{}
}

func (g *rig) sense() (s Reading) {
	g.t.Helper()
	if err := g.dev.Sense(&s); err != nil {
		g.t.Fatal(err)
	}
	return s
}

// field polls until there is a new magnetic field.
func (g *rig) field() (f Field) {
	g.t.Helper()
	for range 300 {
		if u, _ := g.poll(); u.Field {
			if err := g.dev.SenseField(&f); err != nil {
				g.t.Fatal(err)
			}
			return f
		}
	}
	g.t.Fatalf("no field; state %v, errors %v", g.dev.State(), g.errs)
	return f
}

// wantErr polls at most n times until an error matches.
func (g *rig) wantErr(n int, target error) {
	g.t.Helper()
	for range n {
		if _, err := g.poll(); errors.Is(err, target) {
			return
		}
	}
	g.t.Fatalf("no %v in %d polls; state %v, errors %v", target, n, g.dev.State(), g.errs)
}

func (g *rig) wantState(s device.State) {
	g.t.Helper()
	if g.dev.State() != s {
		g.t.Fatalf("state %v, want %v; errors %v", g.dev.State(), s, g.errs)
	}
}

// near checks a vector.
func near(t testing.TB, what string, got, want [3]float64, slack float64) {
	t.Helper()
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= slack) {
			t.Errorf("%s: %.6g, want %.6g ± %g", what, got, want, slack)
			return
		}
	}
}

// models are all chips, each at rest.
func models() map[Model]vimu.Config {
	return map[Model]vimu.Config{
		MPU9250: {Model: vimu.MPU9250}, MPU9255: {Model: vimu.MPU9255},
		MPU6500: {Model: vimu.MPU6500}, ICM20948: {Model: vimu.ICM20948},
	}
}
