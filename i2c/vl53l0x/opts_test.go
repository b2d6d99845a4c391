// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"errors"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

func TestOptions(t *testing.T) {
	bus := &i2ctest.Playback{DontPanic: true}
	for _, c := range []struct {
		opts *Opts
		word string
	}{
		{nil, ""}, {&Opts{}, ""}, {&Opts{Profile: HighAccuracy, Period: 205 * time.Millisecond}, ""},
		{&Opts{Profile: 9}, "profile 9"}, {&Opts{TimingBudget: 19 * time.Millisecond}, "TimingBudget"},
		{&Opts{TimingBudget: 2 * time.Second}, "TimingBudget"}, {&Opts{Period: 30 * time.Millisecond}, "Period"},
		{&Opts{Period: time.Hour}, "Period"}, {&Opts{Opts: device.Opts{Budget: 3}}, "Budget"},
	} {
		d, err := New(bus, 0, c.opts)
		switch {
		case c.word == "" && (err != nil || d.State() != device.Absent):
			t.Errorf("%+v: %v", c.opts, err)
		case c.word != "" && (!errors.Is(err, device.ErrOption) || !strings.Contains(err.Error(), c.word)):
			t.Errorf("%+v: %v does not name %s", c.opts, err, c.word)
		}
	}
	if _, err := New(nil, 0, nil); !errors.Is(err, device.ErrOption) {
		t.Errorf("no bus: %v", err)
	}
	if _, err := New(bus, 0x80, nil); !errors.Is(err, device.ErrOption) {
		t.Errorf("address 0x80: %v", err)
	}
	d, err := New(bus, 0x30, &Opts{Period: 100 * time.Millisecond})
	if err != nil || d.String() != "VL53L0X playback(0x30)" || d.period() != 100*time.Millisecond || d.profile() != LongRange {
		t.Error(d, err)
	}
	if bus.Count != 0 {
		t.Error("New made a transaction")
	}
}

func TestProfiles(t *testing.T) {
	for p := range numProfiles {
		q, err := ParseProfile(p.String())
		if err != nil || q != p || p.maxRange() < 1 || p.Budget() < 20*time.Millisecond {
			t.Errorf("%v: %v, %v", p, q, err)
		}
	}
	if _, err := ParseProfile("long"); !errors.Is(err, device.ErrOption) {
		t.Error(err)
	}
}
