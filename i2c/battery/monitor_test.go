// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

func volts(v float64) Reading {
	return Reading{Robot: Cell{Connected: true, Voltage: v, Charge: chargeOf(v, Discharging)}, Aux: absent(), Charging: Discharging}
}

var (
	charger = Reading{Robot: Cell{Connected: true, Voltage: 3.2}, Charging: Recharging}
	nothing = Reading{Robot: absent(), Aux: absent()}
)

// TestMonitor plays readings, one a second, and checks the changes of level; "!" marks where the wheels must stop.
func TestMonitor(t *testing.T) {
	repeat := func(n int, r ...Reading) (all []Reading) {
		for range n {
			all = append(all, r...)
		}
		return all
	}
	join := func(parts ...[]Reading) (all []Reading) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	for _, c := range []struct {
		name     string
		cfg      MonitorConfig
		readings []Reading
		want     string
	}{
		{"full", MonitorConfig{}, repeat(5, volts(4.1)), "ok@0"},
		{"draining", MonitorConfig{}, join(repeat(4, volts(3.61)), repeat(4, volts(3.6)), repeat(4, volts(3.5)), repeat(4, volts(3.35))),
			"ok@0 low@6 very low@10 critical@14!"},
		{"starts critical", MonitorConfig{}, repeat(9, volts(3.2)), "critical@2!"},
		{"a dip", MonitorConfig{}, join(repeat(4, volts(4)), repeat(2, volts(3.3)), repeat(4, volts(4)), repeat(2, volts(3.3)), repeat(4, volts(4))), "ok@0"},
		{"falls through the levels", MonitorConfig{}, join(repeat(4, volts(4)), []Reading{volts(3.55), volts(3.4), volts(3.3), volts(3.3), volts(3.3)}),
			"ok@0 low@6"},
		{"falls and stays", MonitorConfig{}, join(repeat(4, volts(4)), []Reading{volts(3.55)}, repeat(6, volts(3.3))), "ok@0 low@6 critical@9!"},
		{"hysteresis", MonitorConfig{}, join(repeat(4, volts(3.6)), repeat(9, volts(3.65)), repeat(4, volts(3.66))), "low@2 ok@15"},
		{"recovers and falls again", MonitorConfig{}, join(repeat(4, volts(3.3)), repeat(4, volts(3.8)), repeat(4, volts(3.3))),
			"critical@2! ok@6 critical@10!"},
		{"charger", MonitorConfig{}, join(repeat(4, volts(3.3)), repeat(2, charger), repeat(4, volts(3.3))), "critical@2! ok@4 critical@8!"},
		{"charger at once", MonitorConfig{}, repeat(9, charger), "ok@0"},
		{"nothing connected", MonitorConfig{}, join(repeat(3, nothing), repeat(3, volts(4)), repeat(3, nothing)), "ok@3 unknown@6"},
		{"critical, then an open input", MonitorConfig{}, join(repeat(4, volts(3.3)), repeat(30, nothing)), "critical@2!"},
		{"no confirmation", MonitorConfig{Confirm: 1}, []Reading{volts(4), volts(3.3), volts(4)}, "ok@0 critical@1! ok@2"},
		{"own thresholds", MonitorConfig{Confirm: 1, Thresholds: Thresholds{Low: 3.9, VeryLow: 3.8, Critical: 3.7, Hysteresis: 0.01}},
			[]Reading{volts(3.85), volts(3.75), volts(3.8), volts(3.82), volts(3.7)}, "low@0 very low@1 low@3 critical@4!"},
	} {
		m, err := NewMonitor(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, r := range c.readings {
			ch := m.Update(at(1000*i), r)
			if ch.From != ch.To {
				got += fmt.Sprintf(" %v@%d", ch.To, i)
			}
			if ch.Critical {
				got += "!"
			}
			if ch.To != m.Level() || ch.PowerOff || ch.Err != nil {
				t.Errorf("%s: %+v at %v", c.name, ch, m.Level())
			}
		}
		if got = strings.TrimPrefix(got, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPowerOff: called once after the grace period, again after a failure, and not if a charger was connected in time.
func TestPowerOff(t *testing.T) {
	refuse := errors.New("not allowed")
	var calls []int
	var answer error
	second := 0
	m, err := NewMonitor(MonitorConfig{Confirm: 1, Grace: 10 * time.Second, PowerOff: func() error {
		calls = append(calls, second)
		return answer
	}})
	if err != nil {
		t.Fatal(err)
	}
	run := func(until int, r Reading) (last Change) {
		for ; second < until; second++ {
			if c := m.Update(at(1000*second), r); c.PowerOff {
				last = c
			}
		}
		return last
	}
	run(5, volts(3.3))
	run(20, charger)
	answer = refuse
	if c := run(45, volts(3.3)); !errors.Is(c.Err, refuse) {
		t.Errorf("%+v", c)
	}
	answer = nil
	if c := run(100, nothing); c.Err != nil || !c.PowerOff {
		t.Errorf("%+v", c)
	}
	if fmt.Sprint(calls) != "[30 40 50]" {
		t.Error(calls)
	}
}

// TestMonitorProperties: a critical battery is reported exactly once, and a good one never.
func TestMonitorProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		confirm := rapid.IntRange(1, 5).Draw(t, "confirm")
		m, err := NewMonitor(MonitorConfig{Confirm: confirm})
		if err != nil {
			t.Fatal(err)
		}
		inRow, said := 0, false
		for i := range rapid.IntRange(0, 80).Draw(t, "n") {
			v := rapid.Float64Range(3.2, 3.8).Draw(t, "v")
			c := m.Update(at(1000*i), volts(v))
			inRow++
			if v > 3.35 {
				inRow = 0
			}
			if c.Critical {
				if said || inRow < confirm {
					t.Fatalf("critical after %d low readings, said before: %v", inRow, said)
				}
				said = true
			}
			if c.To != LevelCritical {
				said = false
			}
			if (c.To == LevelCritical) != said || inRow >= 2*confirm && c.To != LevelCritical {
				t.Fatalf("%+v after %d low readings", c, inRow)
			}
		}
	})
}

func TestNewMonitor(t *testing.T) {
	for _, cfg := range []MonitorConfig{
		{Confirm: -1}, {Grace: -1}, {Thresholds: Thresholds{Low: 3.4}}, {Thresholds: Thresholds{Critical: 3.55}},
		{Thresholds: Thresholds{Hysteresis: -0.1}}, {Thresholds: Thresholds{Critical: -3}}, {Thresholds: Thresholds{Low: math.NaN()}},
	} {
		if m, err := NewMonitor(cfg); !errors.Is(err, device.ErrOption) || m != nil {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	if fmt.Sprint(levelUnknown, LevelOK, LevelLow, LevelVeryLow, LevelCritical, Level(9)) != "unknown ok low very low critical level 9" {
		t.Error("names")
	}
}

func TestChargeOf(t *testing.T) {
	for _, c := range []struct {
		v    float64
		c    Charging
		want float64
	}{
		{3.3, Discharging, 0}, {4.138, ChargingUnknown, 1}, {3.719, Discharging, 0.5}, {3, Discharging, 0}, {5, Discharging, 1},
		{3.778, Recharging, 0}, {4.198, Recharging, 1}, {3.988, Recharging, 0.5},
	} {
		if got := chargeOf(c.v, c.c); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v V %v: %v", c.v, c.c, got)
		}
	}
}
