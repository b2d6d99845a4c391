// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/v4l2"
)

func Example() {
	device := v4l2.New(v4l2.Config{Device: "/dev/null"}) // "auto" for the robot's own
	source, err := device.Open(context.Background(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15})
	switch {
	case errors.Is(err, camera.ErrNoDevice), errors.Is(err, camera.ErrNotBuiltIn):
		fmt.Println("no camera")
		return
	case err != nil:
		fmt.Println(err)
		return
	}
	defer source.Close()
	frame, release, err := source.Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frame.Width, frame.Height, frame.Stamp)
	release()
	// Output: no camera
}
