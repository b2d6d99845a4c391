// SPDX-License-Identifier: Apache-2.0

package health

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// The table is consistent: codes are unique, start with their subject, and depend on existing codes, without cycles.
func TestConditionsTable(t *testing.T) {
	table := map[string]Condition{}
	for _, c := range Conditions() {
		if _, twice := table[c.Code]; twice || c.Text == "" || c.Status == "" || c.holds == nil || !strings.Contains(c.Code, ".") {
			t.Errorf("%+v", c)
		}
		if c.Severity != severityWarning && c.Severity != severityError {
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
	if severityError.String() != "error" || severityWarning.String() != "warning" {
		t.Error("severities have the wrong names")
	}
}

func TestConditionsHold(t *testing.T) {
	part := func(p PartStatus) *vitals {
		v := &vitals{elapsed: time.Second}
		v.now.Robot.Parts = []PartStatus{p}
		return v
	}
	level := func(l battery.Level) *vitals {
		v := &vitals{}
		v.now.Level = l
		return v
	}
	errGone := errors.New("no such device")
	changed := func(change func(now, before *Snapshot)) *vitals {
		v := &vitals{elapsed: time.Second}
		change(&v.now, &v.before)
		return v
	}
	network := func(kind ros2.CounterKind, rise uint64) *vitals {
		return changed(func(now, before *Snapshot) {
			before.Network = []ros2.Counter{{Kind: kind, Value: 1000}}
			now.Network = []ros2.Counter{{Kind: kind, Value: 1000 + rise}}
		})
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
			v.now.Robot.Lost, v.now.Robot.Diagnosis.Health = true, mcu.HealthGone
			return v
		}(), codeBusGone},
		{"lost", changed(func(now, _ *Snapshot) { now.Robot.Lost = true }), CodeLost},
		{"lost, with what follows from it", changed(func(now, _ *Snapshot) {
			now.Robot.Lost, now.Robot.Overruns, now.Robot.Bus.Refused = true, 5, 3
			now.Robot.Bus.Transactions, now.Robot.Bus.Checksum = 10, 10
			now.Robot.Parts = []PartStatus{{Name: "imu", Found: 1, State: device.Absent}}
		}), CodeLost},
		{"lost, and the board's part with it", changed(func(now, _ *Snapshot) {
			now.Robot.Lost = true
			now.Robot.Parts = []PartStatus{{Name: "leds", Found: 1, State: device.Absent}}
		}), CodeLost + " leds.lost"},
		{"without a time-out", changed(func(now, _ *Snapshot) { now.Robot.NoTimeout = true }), "loop.no_timeout"},
		{"without a priority", changed(func(now, _ *Snapshot) { now.Robot.ThreadErr = errors.New("CAP_SYS_NICE") }), "loop.thread"},
		{"another node of the name", changed(func(now, _ *Snapshot) { now.Robot.SameName = 1 }), "network.same_name"},
		{"selector", changed(func(now, _ *Snapshot) { now.Robot.Diagnosis.Health = mcu.HealthSelector }), "mcu.selector"},
		{"sun", changed(func(now, _ *Snapshot) { now.Robot.Diagnosis.Health = mcu.HealthBlinded }), "mcu.sun"},
		{"impossible values", changed(func(now, before *Snapshot) { now.Robot.Bus.Refused, before.Robot.Bus.Refused = 4, 3 }), "mcu.values"},
		{"impossible values, long ago", changed(func(now, before *Snapshot) { now.Robot.Bus.Refused, before.Robot.Bus.Refused = 4, 4 }), ""},
		{"a bad bus", changed(func(now, _ *Snapshot) { now.Robot.Bus.Transactions, now.Robot.Bus.Checksum = 20, 2 }), "robot_bus.errors"},
		{"a message refused", changed(func(now, before *Snapshot) { now.Robot.Unpublished, before.Robot.Unpublished = 8, 7 }), "network.refused"},
		{"ten forged datagrams", network(ros2.CountRefused, hostileRate), "network.hostile"},
		{"nine", network(ros2.CountRefused, hostileRate-1), ""},
		{"a crowd", network(ros2.CountCrowded, 1), "network.crowded"},
		{"congestion", network(ros2.CountCongested, 1), "network.congested"},
		{"no keys", changed(func(now, _ *Snapshot) { now.Security.Requested = true }), "security.off"},
		{"a stranger", changed(func(now, before *Snapshot) {
			now.Security, before.Security = ros2.SecurityStatus{Requested: true, Active: true, Programs: 3}, ros2.SecurityStatus{Programs: 2}
		}), "security.refused"},
		{"strangers before", changed(func(now, before *Snapshot) { now.Security.Messages, before.Security.Messages = 9, 9 }), ""},
		{"losses of any network", network(ros2.CountDropped, 1000), ""},
		{"dark once", changed(func(now, before *Snapshot) {
			now.Robot.Parts = []PartStatus{{Name: "ground", Found: 1, State: device.Running}}
			now.Robot.NoFloor = true
		}), ""},
		{"dark", changed(func(now, before *Snapshot) {
			now.Robot.Parts = []PartStatus{{Name: "ground", Found: 1, State: device.Running}}
			now.Robot.NoFloor, before.Robot.NoFloor = true, true
		}), "ground.dark"},
		{"dark without the sensors", changed(func(now, before *Snapshot) { now.Robot.NoFloor, before.Robot.NoFloor = true, true }), ""},
		{"no camera", changed(func(now, _ *Snapshot) { now.Camera.Wanted, now.Camera.LastError = true, errGone }), "camera.gone"},
		{"no camera, and it is not wanted", changed(func(now, _ *Snapshot) { now.Camera.LastError = errGone }), ""},
		{"a camera that sends nothing", changed(func(now, before *Snapshot) {
			now.Camera.Wanted, now.Camera.Open, now.Camera.LastError = true, true, errGone
			now.Camera.Frames, before.Camera.Frames = 7, 7
		}), "camera.gone"},
		{"a camera that is back", changed(func(now, before *Snapshot) {
			now.Camera.Wanted, now.Camera.Open, now.Camera.LastError = true, true, errGone
			now.Camera.Frames, before.Camera.Frames = 8, 7
		}), ""},
		{"a bad cable", changed(func(now, _ *Snapshot) { now.Camera.Frames, now.Camera.Lost = 10, 2 }), "camera.damaged"},
		{"overrun", func() *vitals {
			v := &vitals{}
			v.now.Robot.Overruns = 1
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

// TestCameraConditions: a machine that is too slow is reported, judged by the frames it dropped.
func TestCameraConditions(t *testing.T) {
	v := vitals{}
	v.now.Camera.Wanted, v.now.Camera.Open, v.now.Camera.Frames = true, true, 15
	if c := raised(Conditions(), &v, nil); len(c) != 0 {
		t.Errorf("healthy: %v", c[0].Code)
	}
	v.now.Camera.Skipped = 8
	if c := raised(Conditions(), &v, nil); len(c) != 1 || c[0].Code != "camera.slow" {
		t.Errorf("%d conditions when half of the frames are skipped", len(c))
	}
	v.now.Camera = v.before.Camera
	if c := raised(Conditions(), &v, nil); len(c) != 0 {
		t.Errorf("without a camera: %v", c[0].Code)
	}
}

// No condition is raised that depends on another one that holds; one that holds alone is raised.
func TestRaisedAreCauses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := Conditions()
		holds := map[string]bool{}
		for i := range table {
			on := rapid.Bool().Draw(t, table[i].Code)
			holds[table[i].Code] = on
			table[i].holds = func(*vitals) bool { return on }
		}
		seen := map[string]bool{}
		for _, c := range raised(table, &vitals{}, nil) {
			if seen[c.Code] || !holds[c.Code] {
				t.Errorf("%s is raised, holds %v", c.Code, holds[c.Code])
			}
			seen[c.Code] = true
		}
		for _, c := range table {
			follows := slices.ContainsFunc(c.DependsOn, func(on string) bool { return holds[on] })
			if want := holds[c.Code] && !follows; seen[c.Code] != want {
				t.Errorf("%s raised: %v, holds %v, a consequence: %v", c.Code, seen[c.Code], holds[c.Code], follows)
			}
		}
	})
}

// The caller owns the table: changes do not affect other callers.
func TestConditionsAreCopies(t *testing.T) {
	a := Conditions()
	a[0].Code = "changed"
	if Conditions()[0].Code == "changed" {
		t.Error("the table is shared")
	}
}
