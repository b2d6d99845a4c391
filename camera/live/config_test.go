// SPDX-License-Identifier: Apache-2.0

//go:build !nolive

package live_test

import (
	"context"
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
)

// noDevice is a machine without a camera.
type noDevice struct{}

func (noDevice) Name() string                                 { return "none" }
func (noDevice) Modes(context.Context) ([]camera.Mode, error) { return nil, camera.ErrNoDevice }
func (noDevice) Open(context.Context, camera.Mode) (camera.Source, error) {
	return nil, camera.ErrNoDevice
}

// TestConfigs: what is required.
func TestConfigs(t *testing.T) {
	encoder := func(camera.EncoderConfig) (live.Encoder, error) { return nil, camera.ErrNoDevice }
	for name, c := range map[string]live.Config{"nothing": {}, "no encoder": {Device: noDevice{}}, "no camera": {Encoder: encoder}} {
		if s, err := live.New(c); !errors.Is(err, live.ErrConfig) || s != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
