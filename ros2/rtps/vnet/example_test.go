// SPDX-License-Identifier: Apache-2.0

package vnet_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// A participant on a network that drops every tenth datagram.
func ExampleNew() {
	network := vnet.New(vnet.Config{Seed: 1, Loss: 0.1})
	p, err := rtps.NewParticipant(rtps.Config{Network: network.Host(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	fmt.Println(network.Host(1).Addr(), p.GUID().Entity)
	// Output: 10.0.0.1 00.00.01.c1
}
