// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// A leader grants a member what is due at 0.1 s, after one delivery.
func Example() {
	m, err := wire.Decode(`{"version":1,"kind":"grant","member":"brain","session":"s","leader":"l","number":4,"at":[100000000,1],` +
		`"deliveries":[{"number":7,"endpoint":1,"sum":"00c3a1b2d4e5f607"}]}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Kind, m.Member, m.Number, *m.At, m.Deliveries[0].Sum)
	fmt.Println(wire.Encode(&wire.Message{Kind: wire.End, Leader: "l"}))
	// Output:
	// grant brain 4 [100000000 1] 00c3a1b2d4e5f607
	// {"version":1,"kind":"end","leader":"l"}
}

// A message is identified by its sum, independent of a middleware's header and padding.
func ExampleSumOf() {
	fmt.Println(wire.SumOf(cdr.Append(nil, &wire.Text{Data: "5 cm"})))
	fmt.Println(wire.SumOf(append(cdr.Append(nil, &wire.Text{Data: "5 cm"}), 0, 0, 0)))
	// Output:
	// 0d06b62425b0a50a
	// 0d06b62425b0a50a
}
