// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// Config configures a Participant. The zero value of every field has a documented default.
type Config struct {
	// DomainID separates DDS domains on the same network: 0 to 232. It defaults to 0.
	DomainID uint32
	// Name is announced as the participant's entity name. It defaults to "/".
	Name string
	// UserData is announced with the participant (ROS 2 puts "enclave=/;" here). It defaults to nothing.
	UserData []byte
	// Interfaces are the names, addresses or subnets to use. It defaults to every multicast interface that is up; to
	// the loopback interface, with multicast, if there is no other.
	Interfaces []string
	// LocalhostOnly keeps all traffic on this machine: discovery by multicast on the loopback interface, and by unicast
	// to participant ids 0 to 31 on 127.0.0.1, as other implementations use one or the other there.
	LocalhostOnly bool
	// Peers are addresses that get announcements by unicast, on the ports of participant ids 0 to 31, for networks
	// without multicast.
	Peers []netip.Addr
	// NoMulticast disables multicast announcements. Those of other participants are still received.
	NoMulticast bool
	// Logger logs changes and, rate limited, rejected traffic. It defaults to discarding.
	Logger *slog.Logger
	// Network opens the sockets. It defaults to udp.System{}.
	Network udp.Network
	// ReceiveBuffer is the requested socket receive buffer, bytes. It defaults to 1 MiB; the system may grant less.
	ReceiveBuffer int
	// LeaseDuration is how long peers keep this participant without receiving anything from it. It defaults to 20 s.
	LeaseDuration time.Duration
	// AnnouncePeriod is the time between announcements, after a burst of five at 100 ms. It defaults to 3 s.
	AnnouncePeriod time.Duration
	// SendRate limits large samples and retransmissions, bytes per second. The rate to one participant starts at this
	// value and is lowered after losses that its readers report. It defaults to 40 MB/s: two raw image streams of
	// 640×480 at 15 frames/s and more than the robot's Wi-Fi carries.
	SendRate int
	// SendBurst is how much of them may be sent back to back, bytes. It defaults to 32 KiB, which a default Linux
	// socket buffer at the receiver survives.
	SendBurst int
	// RepairRate limits the retransmissions to one participant, bytes per second; SendRate limits those to all
	// together. It defaults to 4 MB/s.
	RepairRate int
	// SharedMemory is how many bytes of shared memory (/dev/shm) the participant may use to pass samples larger than a
	// datagram to participants of the same user and machine that have shared memory, too. It should be several times
	// the largest sample. It defaults to 0: everything goes over the network.
	SharedMemory int
	// Security, if set, joins the participant to a domain secured by DDS Security, without SharedMemory. It
	// defaults to none.
	Security *security.Config
	// Limits bound the memory that peers can make the participant use.
	Limits Limits
}

// Limits bound the memory that peers can make a Participant use (see "Hostile peers" in the package documentation).
type Limits struct {
	// Participants is the largest number of remote participants, which take about 10 KB each with two endpoints. When
	// it is reached, new participants replace those that have not answered yet or have been silent longest. It defaults
	// to 1024.
	Participants int
	// EndpointBytes bounds the memory of the writers and readers of all remote participants, about 1.2 KB each. When it
	// is used up, the peer that uses least gets memory at the cost of the one that uses most. It defaults to 64 MiB.
	EndpointBytes int
	// ReassemblyBytes bounds samples in assembly and samples received out of order, of all participants. When it is
	// used up, the peer that uses least gets memory at the cost of the one that uses most. It defaults to 16 MiB.
	ReassemblyBytes int
	// PeerBytes is the same bound for one remote participant. It defaults to half of ReassemblyBytes.
	PeerBytes int
	// HistoryBytes bounds the memory of the local writers' histories. When it is used up, a keep-last writer keeps
	// fewer samples than its depth; Write returns ErrFull if even that frees too little. It defaults to 64 MiB.
	HistoryBytes int
	// SampleSize is the largest received sample, for readers that set no limit of their own, bytes. It defaults to 4
	// MiB.
	SampleSize int
	// LocalEndpoints is the largest number of local writers, and of local readers. It defaults to 131072, which two
	// thousand simulated robots need.
	LocalEndpoints int
}

// withDefaults returns the configuration with every default filled in, or an error that names the field.
func (c Config) withDefaults() (Config, error) {
	if c.DomainID > udp.MaxDomainID {
		return c, fmt.Errorf("%w: DomainID %d is above %d", ErrConfig, c.DomainID, udp.MaxDomainID)
	}
	for _, f := range []struct {
		name  string
		value *int
		def   int
	}{
		{"ReceiveBuffer", &c.ReceiveBuffer, 1 << 20},
		{"SendRate", &c.SendRate, 40_000_000},
		{"SendBurst", &c.SendBurst, 32 << 10},
		{"RepairRate", &c.RepairRate, 4_000_000},
		{"SharedMemory", &c.SharedMemory, 0},
		{"Limits.Participants", &c.Limits.Participants, 1024},
		{"Limits.EndpointBytes", &c.Limits.EndpointBytes, 64 << 20},
		{"Limits.ReassemblyBytes", &c.Limits.ReassemblyBytes, 16 << 20},
		{"Limits.PeerBytes", &c.Limits.PeerBytes, 0},
		{"Limits.HistoryBytes", &c.Limits.HistoryBytes, 64 << 20},
		{"Limits.SampleSize", &c.Limits.SampleSize, 4 << 20},
		{"Limits.LocalEndpoints", &c.Limits.LocalEndpoints, 1 << 17},
	} {
		if *f.value < 0 {
			return c, fmt.Errorf("%w: %s %d is negative", ErrConfig, f.name, *f.value)
		}
		if *f.value == 0 {
			*f.value = f.def
		}
	}
	for _, f := range []struct {
		name  string
		value *time.Duration
		def   time.Duration
	}{
		{"LeaseDuration", &c.LeaseDuration, 20 * time.Second},
		{"AnnouncePeriod", &c.AnnouncePeriod, 3 * time.Second},
	} {
		if *f.value < 0 {
			return c, fmt.Errorf("%w: %s %v is negative", ErrConfig, f.name, *f.value)
		}
		if *f.value == 0 {
			*f.value = f.def
		}
	}
	if c.Limits.PeerBytes == 0 {
		c.Limits.PeerBytes = c.Limits.ReassemblyBytes / 2
	}
	if c.Name == "" {
		c.Name = "/"
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Network == nil {
		c.Network = udp.System{}
	}
	if c.Security != nil {
		c.SharedMemory = 0 // what is in it is not protected
	}
	return c, nil
}
