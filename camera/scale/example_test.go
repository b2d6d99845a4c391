// SPDX-License-Identifier: Apache-2.0

package scale_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera/scale"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// Three pixels become two: the middle one counts half for each.
func ExampleScaler() {
	s, err := scale.New(scale.Mono, 3, 1, 2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := yuv.Picture{Data: make([]byte, 2), Width: 2, Height: 1, Stride: 2}
	err = s.Scale(dst, yuv.Picture{Data: []byte{0, 90, 240}, Width: 3, Height: 1, Stride: 3})
	fmt.Println(dst.Data, err)
	// Output: [30 190] <nil>
}
