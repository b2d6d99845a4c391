// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"errors"
	"math"
	"strings"
	"testing"

	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

func TestOptions(t *testing.T) {
	bus := &i2ctest.Playback{DontPanic: true}
	for _, c := range []struct {
		opts *Opts
		word string
	}{
		{nil, ""}, {&Opts{}, ""}, {&Opts{AccelRange: 16, GyroRange: 2000, Rate: 5, Bandwidth: 200}, ""},
		{&Opts{AccelRange: 3}, "AccelRange 3"}, {&Opts{GyroRange: 300}, "GyroRange 300"},
		{&Opts{Rate: 4}, "Rate 4"}, {&Opts{Rate: 501}, "Rate"}, {&Opts{Rate: math.NaN()}, "Rate"},
		{&Opts{Bandwidth: 1}, "Bandwidth"}, {&Opts{MagRate: 101}, "MagRate"}, {&Opts{CheckInterval: -1}, "CheckInterval"},
		{&Opts{Rotation: axes.Rotation{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}}, "Rotation"},
		{&Opts{Opts: device.Opts{Tries: -1}}, "Tries"},
	} {
		_, err := New(bus, 0, c.opts)
		switch {
		case c.word == "" && err != nil:
			t.Errorf("%+v: %v", c.opts, err)
		case c.word != "" && (!errors.Is(err, device.ErrOption) || !strings.Contains(err.Error(), c.word)):
			t.Errorf("%+v: %v does not name %s", c.opts, err, c.word)
		}
	}
	if _, err := New(nil, 0, nil); !errors.Is(err, device.ErrOption) {
		t.Error(err)
	}
	d, err := New(bus, 0x69, nil)
	if err != nil || d.String() != "unknown IMU playback(0x69)" || d.State() != device.Absent || bus.Count != 0 {
		t.Error(d, err, bus.Count)
	}
	if a, g := d.ranges(); math.Abs(a-19.6) > 0.1 || math.Abs(g-8.73) > 0.01 {
		t.Error(a, g)
	}
	if !d.Next().IsZero() || d.HasMagnetometer() {
		t.Error(d.Next())
	}
	if err := d.SenseField(&Field{}); !errors.Is(err, device.ErrNoReading) {
		t.Error(err)
	}
}

// TestFilters: the nearest by ratio, never one with which the divider has no effect.
func TestFilters(t *testing.T) {
	for _, c := range []struct {
		model       Model
		hz          float64
		accel, gyro byte
	}{
		{MPU9250, 45, 3, 3}, {MPU9250, 5, 6, 6}, {MPU9250, 200, 1, 1}, {MPU6500, 20, 4, 4},
		{ICM20948, 45, 3, 3}, {ICM20948, 5, 6, 6}, {ICM20948, 200, 1, 0}, {ICM20948, 100, 2, 2},
	} {
		af, gf := c.model.filters()
		if a, g := af.nearest(c.hz), gf.nearest(c.hz); a != c.accel || g != c.gyro {
			t.Errorf("%v at %g Hz: %d and %d, want %d and %d", c.model, c.hz, a, g, c.accel, c.gyro)
		}
	}
	if MPU9250.divider(100) != 9 || MPU9250.divider(1e6) != 0 || ICM20948.divider(100) != 10 || ICM20948.divider(0.1) != 255 {
		t.Error("dividers")
	}
}

func TestDefaultRotation(t *testing.T) {
	r := DefaultRotation()
	near(t, "default", r.Apply([3]float64{1, 2, 3}), [3]float64{-2, 1, 3}, 0)
	if err := r.Check(); err != nil {
		t.Error(err)
	}
}

func TestModelNames(t *testing.T) {
	if Model(9).String() != "model 9" || ICM20948.String() != "ICM-20948" {
		t.Error(Model(9), ICM20948)
	}
	for id, want := range map[byte]Model{0x70: MPU6500, 0x71: MPU9250, 0x73: MPU9255, 0x68: ModelUnknown, 0: ModelUnknown} {
		if got := mpuModel(id); got != want {
			t.Errorf("%#02x: %v", id, got)
		}
	}
}
