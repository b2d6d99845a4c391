// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

func TestNew(t *testing.T) {
	bus := i2cfake.NewScript()
	for name, f := range map[string]func() (*Dev, error){
		"bus":      func() (*Dev, error) { return New(nil, nil) },
		"tries":    func() (*Dev, error) { return New(bus, &Opts{Tries: -1}) },
		"wait":     func() (*Dev, error) { return New(bus, &Opts{Wait: -1}) },
		"check":    func() (*Dev, error) { return New(bus, &Opts{Check: -1}) },
		"settings": func() (*Dev, error) { return New(bus, &Opts{Settings: Settings{Gain: 99}}) },
	} {
		if d, err := f(); d != nil || !errors.Is(err, device.ErrOption) && !errors.Is(err, errSettings) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := mustNew(t, bus, nil)
	if err := d.Configure(Settings{Gain: 99}); !errors.Is(err, errSettings) || d.Settings() != (Settings{}) {
		t.Error(err)
	}
	if d.Halt() != nil || !errors.Is(d.Result().Err, errAbsent) {
		t.Error(d.Result())
	}
}
