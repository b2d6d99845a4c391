// SPDX-License-Identifier: Apache-2.0

//go:build linux && !nolive

package live_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/m2m"
)

// noCamera is a machine without one.
type noCamera struct{}

func (noCamera) Name() string                                 { return "none" }
func (noCamera) Modes(context.Context) ([]camera.Mode, error) { return nil, camera.ErrNoDevice }
func (noCamera) Open(context.Context, camera.Mode) (camera.Source, error) {
	return nil, camera.ErrNoDevice
}

// Live video by the GPU's encoder: Answer answers what a browser offers.
func Example() {
	s, err := live.New(live.Config{Device: noCamera{}, Encoder: func(c camera.EncoderConfig) (live.Encoder, error) {
		return m2m.NewH264Encoder(m2m.H264Config{Encoder: c})
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = s.Answer(context.Background(), "v=0")
	fmt.Println(errors.Is(err, camera.ErrNoDevice))
	// Output: true
}
