// SPDX-License-Identifier: Apache-2.0

package camsensor_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// sensor is a virtual one of either manufacturer.
type sensor interface {
	vbus.Chip
	Output() vcamsensor.Output
	Power(on bool)
	Restart()
}

// rig is the device on a bus with a virtual sensor, which is implemented from the data sheets independently of this
// package.
type rig struct {
	testing.TB
	now    time.Duration
	bus    *vbus.Bus
	sensor sensor
	dev    *camsensor.Dev
	seen   map[string]int
	silent bool // errors are expected
}

func newRig(t testing.TB, model camsensor.Model, s camsensor.Settings) *rig {
	t.Helper()
	r := &rig{TB: t, seen: map[string]int{}, bus: vbus.New(vbus.Config{Seed: 5})}
	addr := uint16(vcamsensor.AddressOV)
	if model == camsensor.OV7670 {
		r.sensor = vcamsensor.NewOV7670(func() time.Duration { return r.now })
	} else {
		r.sensor, addr = vcamsensor.NewPO(vcamsensor.PO8030), vcamsensor.AddressPO
	}
	if err := r.bus.Attach(addr, r.sensor); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.dev, err = camsensor.New(r.bus, &camsensor.Opts{Settings: s}); err != nil {
		t.Fatal(err)
	}
	return r
}

// run polls every 10 ms.
func (r *rig) run(d time.Duration) *rig {
	r.Helper()
	for end := r.now + d; r.now < end; r.now += 10 * time.Millisecond {
		e, err := i2cfake.Event(r.dev, func() error { return r.dev.Poll(time.Unix(0, int64(r.now))) })
		r.seen[e]++
		if err != nil && !r.silent && r.dev.State() != device.Absent {
			r.Fatalf("at %v: %v", r.now, err)
		}
	}
	return r
}

var both = []camsensor.Model{camsensor.OV7670, camsensor.PO8030}

// TestPicture: both sensors deliver what the FT903 accepts, within a second.
func TestPicture(t *testing.T) {
	for _, m := range both {
		r := newRig(t, m, camsensor.Settings{})
		if r.sensor.Output().Usable() {
			t.Fatalf("%v needs no configuration", m)
		}
		r.run(time.Second)
		o, got := r.sensor.Output(), r.dev.Result()
		if !o.Usable() || o.Exposure != 0 || o.Gain != 0 || o.Red != 0 || o.Mirror || o.Flip || o.Bars {
			t.Errorf("%v: %+v", m, o)
		}
		if got.Model != m || !got.Verified || got.Err != nil || !r.dev.Present() || r.seen["found"] != 1 {
			t.Errorf("%v: %+v", m, got)
		}
		if want := fmt.Sprintf("%v vbus(%#02x)", m, got.Addr); r.dev.String() != want {
			t.Error(r.dev)
		}
	}
}

// TestSettings: each setting takes effect, alone and with all others, and is undone by the next configuration.
func TestSettings(t *testing.T) {
	balance := camsensor.Balance{Red: 1.5, Green: 1, Blue: 0.75}
	for _, m := range both {
		po := m == camsensor.PO8030
		r := newRig(t, m, camsensor.Settings{})
		for _, s := range []camsensor.Settings{
			{Mirror: true}, {Flip: true}, {Exposure: 10 * time.Millisecond}, {Exposure: camsensor.MaxExposure}, {Gain: 6},
			{Balance: balance}, {TestPattern: true}, {},
			{Mirror: true, Flip: true, Exposure: 20 * time.Millisecond, Gain: 2.5, Balance: balance, TestPattern: true}, {},
		} {
			if err := r.dev.Configure(s); err != nil {
				t.Fatal(err)
			}
			r.run(1500 * time.Millisecond)
			o := r.sensor.Output()
			if !o.Usable() || o.Mirror != s.Mirror || o.Flip != s.Flip || o.Bars != (s.TestPattern && !po) {
				t.Errorf("%v %+v: %+v", m, s, o)
			}
			if d := o.Exposure - s.Exposure; d > 42*time.Microsecond || d < -42*time.Microsecond {
				t.Errorf("%v: exposure %v, want %v", m, o.Exposure, s.Exposure)
			}
			if want := s.Gain; !po && math.Abs(o.Gain-want) > want/32 || po && o.Gain != 0 {
				t.Errorf("%v: gain %v, want %v", m, o.Gain, want)
			}
			if o.Red != s.Balance.Red || o.Green != s.Balance.Green || o.Blue != s.Balance.Blue {
				t.Errorf("%v: balance %v %v %v, want %v", m, o.Red, o.Green, o.Blue, s.Balance)
			}
			ignored := camsensor.Option(0)
			if po && s.Gain != 0 {
				ignored |= camsensor.OptionGain
			}
			if po && s.TestPattern {
				ignored |= camsensor.OptionTestPattern
			}
			if got := r.dev.Result(); got.Ignored != ignored || got.Err != nil {
				t.Errorf("%v %+v: %+v", m, s, got)
			}
		}
	}
}

// TestPowerCycle: the robot is switched off for a while and on; then off and on between two checks.
func TestPowerCycle(t *testing.T) {
	for _, m := range both {
		r := newRig(t, m, camsensor.Settings{Flip: true}).run(2 * time.Second)
		r.silent = true
		r.sensor.Power(false)
		r.run(10 * time.Second)
		if r.dev.Present() || r.seen["lost"] != 1 || !errors.Is(r.dev.Result().Err, camsensor.ErrAbsent) {
			t.Errorf("%v: %v %+v", m, r.seen, r.dev.Result())
		}
		r.sensor.Power(true)
		r.run(3 * time.Second)
		if !r.dev.Present() || !r.sensor.Output().Usable() || r.seen["found"] != 2 {
			t.Errorf("%v: %v %+v", m, r.seen, r.sensor.Output())
		}
		r.sensor.Restart()
		r.run(7 * time.Second)
		if o := r.sensor.Output(); !o.Usable() || !o.Flip || r.seen["lost"] != 2 || r.seen["found"] != 3 {
			t.Errorf("%v: %v %+v", m, r.seen, o)
		}
	}
}

// TestGoneInTheMiddle: the sensor disappears at each transaction of the sequence in turn, and recovers.
func TestGoneInTheMiddle(t *testing.T) {
	for _, m := range both {
		for n := 1; n < 64; n += 3 {
			r := newRig(t, m, camsensor.Settings{})
			r.silent = true
			for i := 0; i < n; {
				if r.bus.Faults().Transfers() > uint64(i) {
					i++
				}
				r.run(10 * time.Millisecond)
			}
			r.sensor.Power(false)
			r.run(4 * time.Second)
			r.sensor.Power(true)
			r.run(9 * time.Second)
			if !r.sensor.Output().Usable() || !r.dev.Present() {
				t.Fatalf("%v, gone after %d transactions: %+v %+v", m, n, r.dev.Result(), r.sensor.Output())
			}
		}
	}
}

// TestBadBus: with frequent failures of every kind the picture is right in the end; a corrupted byte does not remain.
func TestBadBus(t *testing.T) {
	for _, m := range both {
		r := newRig(t, m, camsensor.Settings{})
		r.silent = true
		if err := r.bus.Faults().SetRates(vbus.Rates{NAK: .03, DataNAK: .03, Timeout: .03, ReadNAK: .03, ReadTimeout: .03, CorruptRead: .01, Restart: .01}); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if err := r.dev.Configure(camsensor.Settings{}); err != nil {
				t.Fatal(err)
			}
			r.run(20 * time.Second)
		}
		_ = r.bus.Faults().SetRates(vbus.Rates{})
		_ = r.dev.Configure(camsensor.Settings{})
		if r.run(5 * time.Second); !r.sensor.Output().Usable() || !r.dev.Result().Verified {
			t.Errorf("%v: %+v %+v", m, r.dev.Result(), r.sensor.Output())
		}
	}
}

// TestNoAllocation: waiting, and checks.
func TestNoAllocation(t *testing.T) {
	for _, m := range both {
		r := newRig(t, m, camsensor.Settings{}).run(2 * time.Second)
		now := time.Unix(0, int64(r.now))
		if n := testing.AllocsPerRun(200, func() {
			now = now.Add(time.Second)
			if err := r.dev.Poll(now); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations", m, n)
		}
	}
}

// A robot's sensor of either model, configured with the picture turned upside down. On a robot the bus is that of
// i2c.Open, and its owner polls it together with the other devices.
func ExampleDev_Poll() {
	bus := vbus.New(vbus.Config{})
	chip := vcamsensor.NewPO(vcamsensor.PO8030)
	_ = bus.Attach(vcamsensor.AddressPO, chip)
	dev, err := camsensor.New(bus, &camsensor.Opts{Settings: camsensor.Settings{Mirror: true, Flip: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for now := time.Now(); !dev.Present(); now = now.Add(50 * time.Millisecond) {
		if err := dev.Poll(now); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(dev, chip.Output().Usable())
	// Output:
	// PO8030 vbus(0x6e) true
}
