// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"net/netip"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// offline is the network of [Off]: nothing leaves and nothing arrives. It is
// rtps.Network and rtps.Sockets.
type offline struct{}

var (
	_ rtps.Network = offline{}
	_ rtps.Sockets = offline{}
)

func (offline) Listen(rtps.NetworkConfig) (rtps.Sockets, error) { return offline{}, nil }

func (offline) ParticipantID() int { return 0 }

func (offline) Locators(rtps.Traffic) []netip.AddrPort { return nil }

func (offline) Interface(netip.Addr) int { return -1 }

func (offline) Reachable(netip.Addr) bool { return false }

func (offline) Refresh() bool { return false }

func (offline) Serve(func([]byte, netip.AddrPort, rtps.Traffic), func(error)) {}

func (offline) Send([]byte, netip.AddrPort, rtps.Traffic) error { return nil }

func (offline) Multicast([]byte, int) error { return nil }

func (offline) Close() error { return nil }
