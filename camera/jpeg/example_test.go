// SPDX-License-Identifier: Apache-2.0

package jpeg_test

import (
	"bytes"
	"fmt"
	stdjpeg "image/jpeg"

	"github.com/epuck-ros2/epuck-driver/camera/jpeg"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// One buffer serves for all frames.
func ExampleEncoder() {
	enc, err := jpeg.New(80)
	if err != nil {
		fmt.Println(err)
		return
	}
	frame := yuv.Picture{Data: bytes.Repeat([]byte{200, 128}, 320*240), Width: 320, Height: 240, Stride: 640}
	var file []byte
	for range 3 {
		if file, err = enc.Encode(file[:0], frame, jpeg.YUYV, yuv.Full); err != nil {
			fmt.Println(err)
			return
		}
	}
	cfg, err := stdjpeg.DecodeConfig(bytes.NewReader(file))
	fmt.Println(cfg.Width, cfg.Height, err)
	// Output: 320 240 <nil>
}
