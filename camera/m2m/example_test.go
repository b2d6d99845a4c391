// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/m2m"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

func Example() {
	enc, err := m2m.NewJPEGEncoder(camera.EncoderConfig{
		Width: 640, Height: 480, Stride: 1280, Format: camera.YUYV, Range: yuv.Full, Quality: 80,
	})
	if errors.Is(err, m2m.ErrNoDevice) {
		fmt.Println("no GPU here: the CPU does it")
		return
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	defer enc.Close()
	frame := camera.Frame{Data: make([]byte, 1280*480), Format: camera.YUYV, Width: 640, Height: 480, Stride: 1280}
	file, err := enc.Encode(nil, &frame)
	fmt.Println(len(file), err)
	// Output: no GPU here: the CPU does it
}
