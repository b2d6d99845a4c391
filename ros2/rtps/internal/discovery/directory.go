// SPDX-License-Identifier: Apache-2.0

// Package discovery discovers the remote participants of a domain and their endpoints (SPDP, SEDP), bounds their
// memory, and announces the local participant. It owns their discovery data and reports changes to its Host, which
// matches endpoints and transports the samples of SEDP. It is not safe for concurrent use.
package discovery

import (
	"iter"
	"log/slog"
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/intern"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Config configures the announcements and the memory limits of a directory.
type Config struct {
	// GUID, Name, UserData and Properties are announced for the local participant of domain DomainID; LeaseDuration is
	// how long peers keep it without receiving anything from it.
	GUID          wire.GUID
	Name          string
	UserData      []byte
	Properties    []wire.Property
	DomainID      uint32
	LeaseDuration time.Duration
	// AnnouncePeriod is the time between announcements, after a burst.
	AnnouncePeriod time.Duration
	// LocalhostOnly keeps discovery on this machine: by multicast on its loopback interface, and by probes. NoMulticast
	// disables announcements to the group.
	LocalhostOnly, NoMulticast bool
	// Peers are probed by unicast.
	Peers []netip.Addr
	// MaxParticipants is the largest number of remote participants, EndpointBytes the limit for the memory of their
	// endpoints, bytes.
	MaxParticipants, EndpointBytes int
	// Texts interns the texts that many endpoints announce.
	Texts *intern.Table
	// Security is announced by a secured participant; else it is nil. Accept, unless it is nil, checks whether an
	// endpoint may be announced or disposed of by the given writer of a participant.
	Security *wire.ParticipantSecurity
	Accept   func(r *Participant, data *wire.EndpointData, writer wire.EntityID) error
}

// Host is the participant that a directory reports to. It is called with the lock held that guards the directory, and
// must not call methods that modify the directory.
type Host interface {
	// ParticipantFound, ParticipantChanged and ParticipantGone report a remote participant; EndpointGone is called for
	// its endpoints before ParticipantGone.
	ParticipantFound(r *Participant, now time.Time)
	ParticipantChanged(r *Participant)
	ParticipantGone(r *Participant)
	// EndpointFound, EndpointChanged and EndpointGone report a remote endpoint; rematch means that more than its user
	// data changed.
	EndpointFound(e *Endpoint, now time.Time)
	EndpointChanged(e *Endpoint, rematch bool, now time.Time)
	EndpointGone(e *Endpoint)
	// Announced is called each time the local participant was announced to all.
	Announced(now time.Time)
	// LogRejected logs rejected traffic, rate limited.
	LogRejected(now time.Time, msg string, args ...any)
	// Locked calls f with the lock and the time, unless the participant is closed. It is called without the lock.
	Locked(f func(now time.Time))
}

// Refused counts discovery data that were rejected or not kept, by reason, and participants whose lease expired.
type Refused struct {
	Malformed, Foreign, ParticipantLimit, Unanswered, Unreachable, Source         uint64
	EndpointMalformed, EndpointLimit, Disposal, Locator, Reply, InlineQoS, Leases uint64
}

// Arrival describes the datagram that is being handled.
type Arrival struct {
	// From is its source address, Size its length in bytes, Now when it arrived.
	From netip.AddrPort
	Size int
	Now  time.Time
}

// Directory discovers and stores the remote participants and their endpoints, and announces the local participant.
type Directory struct {
	cfg    Config
	host   Host
	socks  udp.Sockets
	tx     *send.Sender
	alarms *alarm.Queue
	log    *slog.Logger

	spdp          announcer
	refreshing    chan struct{} // not nil while the interfaces are being refreshed; closed afterwards
	peers         []netip.Addr  // probed by unicast
	remotes       map[wire.GUIDPrefix]*Participant
	topics        map[string]*Endpoint // head of the list of remote endpoints on each topic
	unanswered    unanswered
	endpointBytes memory.Budget // of the endpoints of all remotes
	drops         Refused
}

// New returns an empty directory, which does nothing before Begin.
func New(cfg Config, h Host, socks udp.Sockets, tx *send.Sender, alarms *alarm.Queue, log *slog.Logger) *Directory {
	d := &Directory{
		cfg: cfg, host: h, socks: socks, tx: tx, alarms: alarms, log: log,
		spdp:    announcer{replies: map[netip.Addr]int{}, buf: wire.NewBuilder(wire.MaxMessageSize)},
		remotes: map[wire.GUIDPrefix]*Participant{}, topics: map[string]*Endpoint{}, unanswered: unanswered{sources: map[netip.Addr]int{}},
		endpointBytes: memory.Budget{Limit: cfg.EndpointBytes},
	}
	d.spdp.alarm.Fire, d.spdp.rest.Fire = d.announce, d.announceToSome
	d.peers = d.probed(cfg.Peers)
	return d
}

// Begin announces the local participant now, and then periodically.
func (d *Directory) Begin(now time.Time) { d.announce(now) }

// Leave disposes the local participant (DDSI-RTPS 8.5.3.3.2, 9.6.3.9).
func (d *Directory) Leave(now time.Time) {
	m := wire.NewDispose(wire.EntitySPDPWriter, d.spdp.sn+1, d.cfg.GUID)
	m.Reader = wire.EntitySPDPReader
	d.spdp.leaving = &m
	d.announceToAll(now)
}

// Refreshing returns a channel that is closed when the running refresh of the interfaces has ended; nil if none is
// running.
func (d *Directory) Refreshing() <-chan struct{} { return d.refreshing }

// Participants yields the known remote participants.
func (d *Directory) Participants() iter.Seq[*Participant] {
	return func(yield func(*Participant) bool) {
		for _, r := range d.remotes {
			if !yield(r) {
				return
			}
		}
	}
}

// Endpoints yields the endpoints of all known remote participants.
func (d *Directory) Endpoints() iter.Seq[*Endpoint] {
	return func(yield func(*Endpoint) bool) {
		for _, r := range d.remotes {
			for _, e := range r.endpoints {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// Refusals returns the counters of rejected data since the start.
func (d *Directory) Refusals() Refused { return d.drops }

// Size returns how many participants and endpoints are known.
func (d *Directory) Size() (participants, endpoints int) {
	for _, r := range d.remotes {
		endpoints += len(r.endpoints)
	}
	return len(d.remotes), endpoints
}
