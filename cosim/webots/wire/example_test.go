// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// A controller wants its left motor to turn with 2 rad/s, and 32 ms to pass.
func Example() {
	bytes := []byte{24, 0, 0, 0, 32, 0, 0, 0, 1, 0, 10, 0, 0, 0, wire.MotorVelocity, 0, 0, 0, 0, 0, 0, 0, 0, 0x40}
	q, err := wire.ParseRequest(bytes[4:])
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range q.Parts {
		list, err := wire.Latest().Commands(wire.Motor, p.Body)
		fmt.Println(q.Step, p.Tag, list[0].Code, list[0].Value[0], err)
	}
	// Output: 32ms 1 2 2 <nil>
}
