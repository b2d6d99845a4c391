// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

func TestVoltageOverCharge(t *testing.T) {
	for _, c := range []struct{ share, volts float64 }{
		{1, 4.138}, {0.8, 3.975}, {0.3, 3.705}, {0.05, 3.475}, {0, 3.3}, {7, 4.138}, {-1, 3.3},
	} {
		near(t, "voltage", physics.NewBattery(6480, c.share).Voltage(), c.volts, 1e-9)
	}
}

// An hour at rest takes 900 C, driving takes more, and faster driving still more.
func TestBatteryDrains(t *testing.T) {
	last := 1.0
	for _, c := range []struct{ left, right, coulombs float64 }{
		{0, 0, 900}, {0, 500, 1278}, {500, 500, 1656}, {-500, 500, 1656}, {1111.1, -1111.1, 2049.5},
	} {
		b := physics.NewBattery(6480, 1)
		for range 3600 {
			b.Advance(1000, c.left, c.right)
		}
		near(t, "charge after an hour", (1-b.Charge())*6480, c.coulombs, 10)
		if b.Charge() > last {
			t.Errorf("%v, %v steps/s take less than slower ones", c.left, c.right)
		}
		last = b.Charge()
	}
}

func TestBatteryEmptyAndFull(t *testing.T) {
	b := physics.NewBattery(10, 0.5)
	b.Advance(1e9, 0, 0)
	if b.Charge() != 0 {
		t.Errorf("charge %v after eleven days", b.Charge())
	}
	near(t, "empty", b.Voltage(), 3.3, 1e-9)
	b.SetCharger(true)
	b.Advance(5000, 0, 0)
	near(t, "charge after 5 s of 650 mA", b.Charge(), 0.325, 1e-9)
	low := b.Voltage()
	b.Advance(1e9, 0, 0)
	if b.Charge() != 1 || !b.Charging() || b.Voltage() <= low || b.Voltage() > 4.198 {
		t.Errorf("charged: %v, %v V", b.Charge(), b.Voltage())
	}
	b.SetCharger(false)
	b.Advance(1, 0, 0)
	near(t, "off the charger", b.Voltage(), 4.138, 1e-3)
}

// One long step is the same as many short ones, to the bit.
func TestStepSizeDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.Float64Range(1, 10000).Draw(t, "capacity")
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		left := rapid.Float64Range(-1111, 1111).Draw(t, "left")
		n := rapid.Int64Range(1, 5000).Draw(t, "ms")
		a, b := physics.NewBattery(capacity, share), physics.NewBattery(capacity, share)
		on := rapid.Bool().Draw(t, "charger")
		a.SetCharger(on)
		b.SetCharger(on)
		a.Advance(n, left, 0)
		for range n {
			b.Advance(1, left, 0)
		}
		if *a != *b {
			t.Fatalf("%+v and %+v", *a, *b)
		}
	})
}

// TestSupply: a cell below 3.35 V at rest gives the motors no torque, an empty one gives nothing; charging brings back
// first the processors and then the motors.
func TestSupply(t *testing.T) {
	type state struct{ weak, dead bool }
	b := physics.NewBattery(1000, 0.03)
	for _, c := range []struct {
		what    string
		charge  bool
		seconds int64
		want    state
	}{
		{"3 %", false, 0, state{}},
		{"2 %", false, 40, state{}},
		{"1.4 %", false, 24, state{weak: true}},
		{"0.25 %", false, 46, state{weak: true}},
		{"empty", false, 11, state{weak: true, dead: true}},
		{"0.65 %, charging", true, 10, state{weak: true, dead: true}},
		{"1.5 %, charging", true, 13, state{weak: true}},
		{"4.5 %, charging", true, 46, state{weak: true}},
		{"5.2 %, charging", true, 11, state{}},
		{"1.7 %", false, 140, state{}},
	} {
		b.SetDocked(c.charge)
		for range c.seconds {
			b.Advance(1000, 0, 0)
		}
		if got := (state{b.Weak(), b.Dead()}); got != c.want {
			t.Errorf("%s: %+v at %.4f, want %+v", c.what, got, b.Charge(), c.want)
		}
	}
}

// TestUndisturbedTime: within it the supply does not change, whatever the charge.
func TestUndisturbedTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := physics.NewBattery(rapid.Float64Range(1, 10000).Draw(t, "capacity"), rapid.Float64Range(0, 1).Draw(t, "share"))
		b.SetCharger(rapid.Bool().Draw(t, "charger"))
		b.SetComputer(rapid.Float64Range(0, 1).Draw(t, "computer"))
		if b.Changing() {
			return
		}
		weak, dead := b.Weak(), b.Dead()
		b.Advance(min(b.Undisturbed(), 1e9), 0, 0)
		if b.Weak() != weak || b.Dead() != dead {
			t.Fatalf("weak %v, dead %v at a charge of %g", b.Weak(), b.Dead(), b.Charge())
		}
	})
}
