// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// What a client sends to make robot v0 drive at 3 m/s, and how it is read.
func Example() {
	body := wire.TypeDouble(wire.AppendString([]byte{0x40}, "v0"), 3)
	message := wire.End(wire.AppendCommand(wire.Begin(nil), 0xC4, body, false))
	fmt.Printf("%x\n", message)
	c, _, err := wire.Next(message[4:])
	r := wire.NewReader(c.Body)
	fmt.Printf("%#x %#x %s %g %v\n", c.ID, r.Byte(), r.String(), r.TypedDouble(), err)
	// Output:
	// 0000001612c4400000000276300b4008000000000000
	// 0xc4 0x40 v0 3 <nil>
}
