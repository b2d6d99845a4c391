// SPDX-License-Identifier: Apache-2.0

package udp_test

import (
	"fmt"
	"net/netip"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// The ports of the fourth participant of domain 7 on a machine.
func Example() {
	const domain, id = 7, 3
	fmt.Println("discovery of all:", udp.MulticastGroup(), udp.MulticastPort(domain))
	meta := udp.Place(domain, false, netip.MustParseAddr("192.0.2.1"), id)
	fmt.Println("discovery:", meta, "which is id", udp.IDAt(domain, meta))
	fmt.Println("topics:", udp.UnicastPort(domain, id, udp.UserTraffic))
	fmt.Println("on localhost the 121st:", udp.Place(domain, true, netip.Addr{}, 120))
	// Output:
	// discovery of all: 239.255.0.1 9150
	// discovery: 192.0.2.1:9166 which is id 3
	// topics: 9167
	// on localhost the 121st: 127.0.0.2:9160
}
