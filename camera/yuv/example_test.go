// SPDX-License-Identifier: Apache-2.0

package yuv_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

func ExampleRGB() {
	twoRedPixels := yuv.Picture{Data: []byte{76, 85, 76, 255}, Width: 2, Height: 1, Stride: 4}
	rgb := yuv.Picture{Data: make([]byte, 6), Width: 2, Height: 1, Stride: 6}
	if err := yuv.RGB(rgb, twoRedPixels, yuv.Full); err != nil {
		fmt.Println(err)
	}
	fmt.Println(rgb.Data)
	// Output: [254 0 0 254 0 0]
}
