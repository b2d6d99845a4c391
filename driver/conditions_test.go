// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// The table is whole: codes are unique, begin with what they are about, and depend on codes that exist; nothing depends
// on itself, not even by way of others.
func TestConditionsTable(t *testing.T) {
	table := map[string]Condition{}
	for _, c := range Conditions() {
		if _, twice := table[c.Code]; twice || c.Text == "" || c.Status == "" || c.holds == nil || !strings.Contains(c.Code, ".") {
			t.Errorf("%+v", c)
		}
		if c.Severity != SeverityWarning && c.Severity != SeverityError {
			t.Errorf("%s: severity %d", c.Code, c.Severity)
		}
		table[c.Code] = c
	}
	var depth func(code string, n int) bool
	depth = func(code string, n int) bool {
		for _, on := range table[code].DependsOn {
			if _, ok := table[on]; !ok {
				t.Errorf("%s depends on %q, which does not exist", code, on)
			}
			if n > 10 || !depth(on, n+1) {
				return false
			}
		}
		return true
	}
	for code := range table {
		if !depth(code, 0) {
			t.Errorf("%s depends on itself", code)
		}
	}
	if SeverityError.String() != "error" || SeverityWarning.String() != "warning" {
		t.Error("severities have the wrong names")
	}
}

func TestConditionsHold(t *testing.T) {
	part := func(p PartStatus) *vitals {
		v := &vitals{elapsed: time.Second}
		v.now.robot.Parts = []PartStatus{p}
		return v
	}
	level := func(l battery.Level) *vitals {
		v := &vitals{}
		v.now.battery.level = l
		return v
	}
	for _, c := range []struct {
		name string
		v    *vitals
		want string
	}{
		{"healthy", &vitals{}, ""},
		{"absent from the start", part(PartStatus{Name: "tof", Polls: 10, Failures: 10}), ""},
		{"gone", part(PartStatus{Name: "tof", Found: 1, State: device.Absent, Polls: 10, Failures: 10}), "tof.lost"},
		{"failing", part(PartStatus{Name: "imu", Found: 1, State: device.Running, Polls: 10, Failures: 2}), "imu.failing"},
		{"a failure now and then", part(PartStatus{Name: "imu", Found: 1, State: device.Running, Polls: 20, Failures: 2}), ""},
		{"slow", part(PartStatus{Name: "ground", Found: 1, State: device.Running, Polls: 20, Took: 9 * time.Millisecond}), "ground.slow"},
		{"low", level(battery.LevelLow), "battery.low"},
		{"very low", level(battery.LevelVeryLow), "battery.very_low"},
		{"critical", level(battery.LevelCritical), "battery.critical"},
		{"bus gone", func() *vitals {
			v := part(PartStatus{Name: "tof", Found: 1, State: device.Absent})
			v.now.robot.Lost, v.now.robot.Diagnosis.Health = true, mcu.HealthGone
			return v
		}(), codeBusGone},
		{"overrun", func() *vitals {
			v := &vitals{}
			v.now.robot.Overruns = 1
			return v
		}(), "loop.overrun"},
	} {
		var got []string
		for _, r := range raised(Conditions(), c.v, nil) {
			got = append(got, r.Code)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s raises %q, want %q", c.name, s, c.want)
		}
	}
}

func TestRatesWithoutTime(t *testing.T) {
	if r := (&vitals{}).perSecond(5, 1); r != 0 {
		t.Errorf("%v", r)
	}
}
