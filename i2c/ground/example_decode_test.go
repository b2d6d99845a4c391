// SPDX-License-Identifier: Apache-2.0

package ground_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/i2c/ground"
)

// A burst of the board's registers: reflected light of the left, centre and right sensor, then ambient light.
func ExampleDecode() {
	r, err := ground.Decode([]byte{0x03, 0xE8, 0x03, 0x20, 0x00, 0x2B, 0, 5, 0, 5, 0, 6})
	fmt.Println(r.Reflected[ground.Left], r.Reflected[ground.Centre], r.Reflected[ground.Right], r.Cliff, err)
	fmt.Println(r.Reflected[ground.Left] <= ground.MaxCount)
	_, err = ground.Decode([]byte{0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	fmt.Println(err)
	// Output:
	// 1000 800 43 false <nil>
	// true
	// ground: implausible reading: register 0x00 is 65535, more than 10 bits
}
