// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// TestModels: each model is identified, measures the robot's motion in the robot's axes with all scales, and has its
// magnetometer.
func TestModels(t *testing.T) {
	for model, cfg := range models() {
		for _, o := range []Opts{
			{}, {AccelRange: 4, GyroRange: 250}, {AccelRange: 16, GyroRange: 2000, Rate: 200}, {Rate: 20, Bandwidth: 5},
			{Opts: device.Opts{Budget: 4}}, {AccelRange: 8, GyroRange: 1000, Bandwidth: 180},
		} {
			cfg.Perfect = true
			g := newRig(t, cfg, &o)
			g.body = vimu.Motion{Accel: [3]float64{1, -2, 9}, Gyro: [3]float64{0.1, 0.2, -1.5}, Field: [3]float64{20e-6, -10e-6, 40e-6}, Temperature: 33}
			s := g.up()
			if g.dev.model() != model || len(g.errs) != 0 {
				t.Errorf("%v, want %v; %v", g.dev.model(), model, g.errs)
			}
			near(t, "acceleration", s.Accel, g.body.Accel, 0.01)
			near(t, "rate", s.Gyro, g.body.Gyro, 0.002)
			if math.Abs(s.Temperature-33) > 0.1 || s.Clipped {
				t.Errorf("%+v", s)
			}
			if g.dev.HasMagnetometer() != (model != MPU6500) {
				t.Errorf("%v: magnetometer %v", model, g.dev.HasMagnetometer())
			}
			if g.dev.HasMagnetometer() {
				near(t, "field", g.field().Field, g.body.Field, 0.16e-6)
			} else if err := g.dev.SenseField(&Field{}); !errors.Is(err, errNoMagnetometer) {
				t.Error(err)
			}
			if budget := max(uint64(o.Budget), 8*uint64(1-min(o.Budget, 1))); g.most > budget {
				t.Errorf("%v %+v: %d transactions in a Poll", model, o, g.most)
			}
		}
	}
}

// TestSecondAddress: the chip is found at 0x69, even if another device is at 0x68.
func TestSecondAddress(t *testing.T) {
	for model, cfg := range models() {
		g := newRig(t, cfg, nil)
		stranger := vimu.New(vimu.Config{Now: func() time.Duration { return g.now }, Body: g})
		stranger.Inject(vimu.Faults{ID: 0x99})
		for _, at68 := range []vbus.Chip{nil, stranger} {
			if err := errors.Join(g.bus.Attach(0x68, at68), g.bus.Attach(0x69, g.chip)); err != nil {
				t.Fatal(err)
			}
			dev, err := New(g.bus, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			g.dev = dev
			g.up()
			if g.dev.model() != model || g.dev.chip.Addr() != 0x69 {
				t.Errorf("%v at %#02x", g.dev.model(), g.dev.chip.Addr())
			}
		}
	}
}

func TestWrongIdentity(t *testing.T) {
	for _, cfg := range models() {
		g := newRig(t, cfg, nil)
		g.chip.Inject(vimu.Faults{ID: 0x68}) // an MPU-6050's
		g.wantErr(5, device.ErrIdentity)
		g.wantState(device.Absent)
	}
}

// TestAbsentChipCost: an absent chip costs one or two failed transactions a second.
func TestAbsentChipCost(t *testing.T) {
	g := newRig(t, vimu.Config{}, nil)
	g.chip.Inject(vimu.Faults{Unplugged: true})
	for range 1000 {
		g.poll()
	}
	if s := g.dev.Stats(); s.Transactions > 22 || s.FailedStarts < 9 || g.most > 1 {
		t.Errorf("%+v, %d in a Poll", s, g.most)
	}
	g.chip.Inject(vimu.Faults{})
	g.up()
}

// TestAuxBroken: no magnetometer is not an error; the auxiliary bus is never connected to the robot's, and not used
// afterwards.
func TestAuxBroken(t *testing.T) {
	for _, model := range []vimu.Model{vimu.MPU9250, vimu.ICM20948} {
		g := newRig(t, vimu.Config{Model: model, AuxBroken: true}, nil)
		g.up()
		if g.dev.HasMagnetometer() || g.dev.Stats().FailedStarts != 0 {
			t.Errorf("%v: %+v", model, g.dev.Stats())
		}
		user, pins := []byte{mpuUserCtrl}, []byte{mpuBypass}
		if model == vimu.ICM20948 {
			user, pins = []byte{icmUserCtrl}, []byte{icmBypass}
		}
		for _, reg := range [][]byte{user, pins} {
			r := make([]byte, 1)
			if err := g.bus.Tx(Addr, reg, r); err != nil || r[0] != 0 {
				t.Errorf("%v: register %#02x is %#02x, %v", model, reg[0], r[0], err)
			}
		}
		for range 200 {
			if u, _ := g.poll(); u.Field {
				t.Fatal("a field from nowhere")
			}
		}
		g = newRig(t, vimu.Config{Model: model}, &Opts{NoMagnetometer: true})
		if g.up(); g.dev.HasMagnetometer() {
			t.Errorf("%v: a magnetometer despite NoMagnetometer", model)
		}
	}
}

// TestFaultsDuringBringUp: each transaction of the bring-up fails once; the chip runs nevertheless, with its
// magnetometer.
func TestFaultsDuringBringUp(t *testing.T) {
	for model, cfg := range models() {
		clean := newRig(t, cfg, nil)
		clean.up()
		for _, kind := range []vbus.Kind{vbus.NAK, vbus.Timeout, vbus.ReadTimeout, vbus.ReadNAK} {
			for n := uint64(0); n < clean.bus.Faults().Transfers(); n += 3 {
				g := newRig(t, cfg, nil)
				if err := g.bus.Faults().At(n, vbus.Fault{Kind: kind}); err != nil {
					t.Fatal(err)
				}
				g.up()
				if g.dev.model() != model || g.dev.HasMagnetometer() != clean.dev.HasMagnetometer() {
					t.Errorf("%v of transfer %d: %v, magnetometer %v", kind, n, g.dev, g.dev.HasMagnetometer())
				}
				for _, err := range g.errs {
					if !errors.Is(err, i2c.ErrBus) {
						t.Errorf("%v of transfer %d: %v", kind, n, err)
					}
				}
			}
		}
	}
}

// TestReset: a reset is detected within the check interval, and the chip brought up again.
func TestReset(t *testing.T) {
	for model, cfg := range models() {
		g := newRig(t, cfg, &Opts{AccelRange: 4})
		g.up()
		for range 37 {
			g.poll()
		}
		g.chip.Restart()
		g.wantErr(101, device.ErrReset)
		if err := g.dev.Sense(&Reading{}); !errors.Is(err, device.ErrNoReading) {
			t.Errorf("%v: a sample of a chip that was reset: %v", model, err)
		}
		near(t, "acceleration", g.up().Accel, g.body.Accel, 0.8)
		if s := g.dev.Stats(); s.Starts != 2 || s.Losses != 1 {
			t.Errorf("%v: %+v", model, s)
		}
	}
}

func TestFrozen(t *testing.T) {
	for _, cfg := range models() {
		g := newRig(t, cfg, nil)
		g.up()
		g.chip.Inject(vimu.Faults{Frozen: true})
		g.wantErr(frozenLimit+2, device.ErrFrozen)
		g.chip.Inject(vimu.Faults{})
		g.up()
	}
}

// TestMagnetometerLost: the IMU continues without it, and searches it again later.
func TestMagnetometerLost(t *testing.T) {
	for _, model := range []vimu.Model{vimu.MPU9250, vimu.ICM20948} {
		g := newRig(t, vimu.Config{Model: model}, nil)
		g.up()
		g.field()
		g.chip.Inject(vimu.Faults{FieldFrozen: true})
		g.wantErr(400, errMagnetometerLost)
		g.wantState(device.Running)
		if err := g.dev.SenseField(&Field{}); !errors.Is(err, device.ErrNoReading) {
			t.Errorf("%v: %v", model, err)
		}
		g.chip.Inject(vimu.Faults{})
		g.cycle = 100 * time.Millisecond
		g.wantErr(320, errMagnetometerLost)
		near(t, "field", g.field().Field, g.body.Field, 5e-6)
	}
}

func TestOverflow(t *testing.T) {
	for _, model := range []vimu.Model{vimu.MPU9250, vimu.ICM20948} {
		g := newRig(t, vimu.Config{Model: model}, nil)
		g.body.Field = [3]float64{4e-3, 4e-3, 0}
		g.wantErr(300, errOverflow)
		for range 1000 { // a magnet near the robot does not mean a broken magnetometer
			if _, err := g.poll(); err != nil && !errors.Is(err, errOverflow) {
				t.Fatal(err)
			}
		}
		g.body = atRest()
		near(t, "field", g.field().Field, g.body.Field, 4e-6)
	}
}

func TestClipped(t *testing.T) {
	g := newRig(t, vimu.Config{}, nil)
	g.body.Accel = [3]float64{40, 0, 9.81}
	if s := g.up(); !s.Clipped {
		t.Errorf("%+v", s)
	}
}

func TestHalt(t *testing.T) {
	for _, cfg := range models() {
		g := newRig(t, cfg, nil)
		if err := g.dev.Halt(); err != nil {
			t.Error(err)
		}
		g.up()
		if err := g.dev.Halt(); err != nil {
			t.Error(err)
		}
		if err := g.dev.Sense(&Reading{}); !errors.Is(err, device.ErrHalted) {
			t.Error(err)
		}
		g.up()
	}
}

// TestSteadyStateDoesNotAllocate: samples, fields and checks.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	for _, cfg := range models() {
		g := newRig(t, cfg, &Opts{CheckInterval: 50 * time.Millisecond})
		g.up()
		var s Reading
		var f Field
		if n := testing.AllocsPerRun(300, func() {
			u, err := g.dev.Poll(g.time())
			if err != nil || u.Sample && g.dev.Sense(&s) != nil || u.Field && g.dev.SenseField(&f) != nil {
				t.Fatal(err)
			}
			g.now += 10 * time.Millisecond
		}); n != 0 {
			t.Errorf("%v: %v allocations", g.dev, n)
		}
	}
}
