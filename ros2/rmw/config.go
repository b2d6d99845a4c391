// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

var (
	// ErrEnvironment: an environment variable has a value that cannot be used.
	ErrEnvironment = errors.New("bad environment variable")
	// ErrConfig: a field of Config has a value that cannot be used.
	ErrConfig = errors.New("bad configuration")
	// ErrName: a name cannot be mapped to DDS.
	ErrName = errors.New("name cannot be mapped to DDS")
	// ErrGraphMessage: a message of ros_discovery_info is neither of the known
	// forms, or too large.
	ErrGraphMessage = errors.New("bad graph message")
)

// DiscoveryRange is the range in which other nodes are discovered.
type DiscoveryRange uint8

// Values of [DiscoveryRange], as ROS_AUTOMATIC_DISCOVERY_RANGE has them.
const (
	// Subnet discovers nodes that multicast reaches, and the static peers.
	Subnet DiscoveryRange = iota
	// Localhost discovers nodes on this machine, and the static peers.
	Localhost
	// Off discovers no other process: only nodes of the same transport see each other.
	Off
)

// String returns ROS's name of the range.
func (r DiscoveryRange) String() string {
	switch r {
	case Subnet:
		return "SUBNET"
	case Localhost:
		return "LOCALHOST"
	default:
		return "OFF"
	}
}

// Config describes a [Transport]. The zero value is domain 0 on all interfaces; [FromEnvironment] reads it from ROS's
// environment variables.
type Config struct {
	// DomainID separates groups of nodes on one network: 0 … 232. It defaults
	// to 0.
	DomainID uint32
	// Range is the discovery range. It defaults to Subnet.
	Range DiscoveryRange
	// StaticPeers are discovered by unicast, in every range but Off. It defaults to none.
	StaticPeers []netip.Addr
	// StaticHosts are static peers by name. Names are resolved periodically in the background, so a machine whose name
	// cannot be resolved yet, or whose address changes, is found later. It defaults to none.
	StaticHosts []string
	// Resolve returns the addresses of a host. It defaults to package net's default resolver.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// NoMulticast keeps discovery to the static peers, for networks that drop
	// multicast.
	NoMulticast bool
	// Interfaces are the names, addresses or subnets of the network interfaces to
	// use. It defaults to all suitable ones.
	Interfaces []string
	// MaxParticipants is the largest number of remote participants; if there are more, those that have been silent
	// longest are removed first. It defaults to 1024.
	MaxParticipants int
	// DiscoveryMemory bounds the memory of the descriptions of their publishers, subscriptions and services, bytes; the
	// names of their nodes may use another quarter of it. When it is used up, endpoints of the participants with the
	// most are removed. It defaults to 64 MiB.
	DiscoveryMemory int
	// SharedMemory is how many bytes of shared memory the transport may use for large messages to nodes of the same
	// user and machine that use this transport with shared memory, too. It should be several times the largest message.
	// It defaults to 0: none.
	SharedMemory int
	// Security are the keys of the participant, and what to do without them. It defaults to no security.
	Security security.Settings
	// Logger gets the transport's log lines. It defaults to discarding.
	Logger *slog.Logger
	// Network opens the sockets. It defaults to UDP; tests use a virtual network.
	Network udp.Network
}

// defaultDiscoveryMemory is that of [Config.DiscoveryMemory].
const defaultDiscoveryMemory = 64 << 20

// participant returns the configuration of the RTPS participant.
func (c Config) participant() (rtps.Config, error) {
	for _, host := range c.StaticHosts {
		if !isHostName(host) {
			return rtps.Config{}, fmt.Errorf("%w: StaticHosts: %q is not a host name", ErrConfig, host)
		}
	}
	if c.Range > Off {
		return rtps.Config{}, fmt.Errorf("%w: Range %d", ErrConfig, c.Range)
	}
	p := rtps.Config{
		DomainID:     c.DomainID,
		Name:         c.Security.Name(),
		UserData:     appendUserData(nil, enclaveKey, c.Security.Name()),
		Interfaces:   c.Interfaces,
		Peers:        c.StaticPeers,
		NoMulticast:  c.NoMulticast,
		Logger:       c.Logger,
		Network:      c.Network,
		SharedMemory: c.SharedMemory,
		Limits:       rtps.Limits{Participants: c.MaxParticipants, EndpointBytes: c.DiscoveryMemory},
	}
	switch c.Range {
	case Localhost:
		// Peers on other machines cannot be reached through the loopback interface: if there are any, only multicast is
		// disabled. Else it stays on that interface.
		p.LocalhostOnly = len(c.StaticPeers)+len(c.StaticHosts) == 0
		if !p.LocalhostOnly {
			p.NoMulticast = true
			p.Peers = append([]netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}, c.StaticPeers...)
		}
	case Off:
		p.Peers = nil
		p.Network = offline{}
	}
	return p, nil
}
