// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"net/netip"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// offline is the network of [Off], on which nothing is sent or received. It implements udp.Network and udp.Sockets.
type offline struct{}

var (
	_ udp.Network = offline{}
	_ udp.Sockets = offline{}
)

func (offline) Listen(udp.Config) (udp.Sockets, error) { return offline{}, nil }

func (offline) ParticipantID() int { return 0 }

func (offline) Locators(udp.Traffic) []netip.AddrPort { return nil }

func (offline) Interface(netip.Addr) int { return -1 }

func (offline) Reachable(netip.Addr) bool { return false }

func (offline) Refresh() bool { return false }

func (offline) Serve(func([]byte, netip.AddrPort, udp.Traffic), func(error)) {}

func (offline) Send([]byte, netip.AddrPort, udp.Traffic) error { return nil }

func (offline) Multicast([]byte, int) error { return nil }

func (offline) Close() error { return nil }
