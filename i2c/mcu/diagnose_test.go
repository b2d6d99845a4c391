// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// TestProbe has every failure of a bus that a user can meet, and words of its message.
func TestProbe(t *testing.T) {
	for _, c := range []struct {
		name   string
		bend   func(r *rig)
		health Health
		is     error
		says   string
	}{
		{"a robot", func(*rig) {}, HealthOK, nil, ""},
		{"a robot, after errors", func(r *rig) { r.bus.Plan(i2cfake.NAK, i2cfake.Timeout, i2cfake.CorruptRead) }, HealthOK, nil, ""},
		{"selector at 3", func(r *rig) { r.f.sensors.Selector = 3 }, HealthSelector, nil, "is at 3, not at 10 (A)"},
		{"switched off", func(r *rig) { r.bus.Unplug(true) }, HealthNoAnswer, i2c.ErrBus, "selector at 10 (A) and the extension firmware"},
		{"bus held", func(r *rig) { r.bus.Rate(i2cfake.Timeout, 1) }, healthTimeout, i2c.ErrBus, "time out"},
		{"I/O errors", func(r *rig) { r.bus.Rate(i2cfake.ReadError, 1) }, healthBus, i2c.ErrBus, "transfers to the e-puck2 fail"},
		{"bus gone", func(r *rig) { r.bus.Rate(i2cfake.Gone, 1) }, HealthGone, syscall.ENODEV, "group i2c"},
		{"always all zero", func(r *rig) { r.f.silent = true }, healthStarting, ErrAllZero, "just been switched on"},
		{"full light", func(r *rig) { r.f.sensors.Ambient = [8]uint16{} }, HealthBlinded, nil, "direct sun"},
		{"bad checksums", func(r *rig) { r.bus.Rate(i2cfake.CorruptRead, 1) }, healthChecksum, ErrChecksum, "every checksum is wrong"},
		{"an impossible value", func(r *rig) { r.f.sensors.Ambient[3] = 5000 }, HealthValues, nil, "can't measure: ambient 3."},
		{"impossible values", func(r *rig) {
			for i := range 8 {
				r.f.sensors.Ambient[i], r.f.sensors.Proximity[i] = 0xA5A5, 0xA5A5
			}
		}, healthGarbage, errImplausible, "impossible values"},
		{"York firmware", func(r *rig) { r.f.york, r.f.replyFirst = true, 9 }, HealthRegister, errRegisterFirmware, "York register firmware"},
		{"York firmware, register 0", func(r *rig) { r.f.york = true }, HealthRegister, errRegisterFirmware, "York register firmware"},
		{"York firmware, register 255", func(r *rig) { r.f.york, r.f.replyFirst = true, 255 }, HealthRegister, errRegisterFirmware, "York register firmware"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			if d := r.d.Diagnosis(); d != (Diagnosis{}) {
				t.Errorf("before anything: %+v", d)
			}
			c.bend(r)
			got := r.d.Probe()
			if got.Health != c.health || !errors.Is(got.Err, c.is) || !strings.Contains(got.Text, c.says) || strings.Contains(got.Text, "%") {
				t.Errorf("%+v, want health %d", got, c.health)
			}
			if got.Measures() != (c.is == nil) {
				t.Errorf("%+v measures: %v", got, got.Measures())
			}
			if again := r.d.Diagnosis(); again.Health != got.Health || again.Text != got.Text {
				t.Errorf("Diagnosis says %+v, Probe said %+v", again, got)
			}
		})
	}
}

// TestProbeIsHarmless: the check for the York firmware neither moves the robot nor loses a later command.
func TestProbeIsHarmless(t *testing.T) {
	r := newRig(t)
	r.f.silent = true
	r.d.Probe()
	r.f.silent = false
	r.cycle(1, Command{Left: 100})
	if r.f.speed != [2]float64{100, 0} || len(r.f.melodies) != 0 || r.f.calibrations != 0 {
		t.Errorf("%+v", r.f)
	}
}

// TestSelectorTurned: measurements continue, with one event for each turn and a diagnosis that is cleared.
func TestSelectorTurned(t *testing.T) {
	r := newRig(t)
	r.cycle(3, Command{})
	for _, sel := range []uint8{4, 4, 10, 10} {
		r.f.sensors.Selector = sel
		if s := r.cycle(1, Command{}); s.Selector != sel {
			t.Errorf("selector %d, want %d", s.Selector, sel)
		}
		if d := r.d.Diagnosis(); (d.Health == HealthOK) != (sel == 10) {
			t.Errorf("selector %d: %+v", sel, d)
		}
	}
	if h := r.happened(); h != "selector turned/0, selector turned/0" {
		t.Error(h)
	}
	r = newRig(t)
	r.f.sensors.Selector = 2
	r.cycle(2, Command{})
	if h := r.happened(); h != "selector turned/0" {
		t.Errorf("a wrong selector from the start: %q", h)
	}
}

func TestEventNames(t *testing.T) {
	for k := EventMelody; k <= EventSelector; k++ {
		if s := k.String(); s == "" || strings.HasPrefix(s, "event") {
			t.Errorf("%d is called %q", k, s)
		}
	}
	if EventKind(0).String() != "event 0" || EventKind(99).String() != "event 99" {
		t.Error(EventKind(99))
	}
}
