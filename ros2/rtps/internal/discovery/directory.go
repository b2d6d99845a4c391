// SPDX-License-Identifier: Apache-2.0

// Package discovery finds the remote participants of a domain and their endpoints (SPDP, SEDP), bounds what they can
// make us hold, and announces the own participant. It owns what is known of them, and reports what changes to its Host,
// which matches endpoints and carries the samples of SEDP. It has no lock: its owner has one.
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

// Config says what is announced, how often, and how much peers may make a directory hold.
type Config struct {
	// GUID, Name and UserData are announced of the own participant of domain DomainID, LeaseDuration how long peers are
	// to keep it without hearing from it.
	GUID          wire.GUID
	Name          string
	UserData      []byte
	DomainID      uint32
	LeaseDuration time.Duration
	// AnnouncePeriod is the time between announcements, after a burst.
	AnnouncePeriod time.Duration
	// LocalhostOnly looks for peers on this machine alone, NoMulticast sends no announcement to the group.
	LocalhostOnly, NoMulticast bool
	// Peers are looked for by unicast.
	Peers []netip.Addr
	// MaxParticipants is the largest number of remote participants, EndpointBytes what their endpoints may take.
	MaxParticipants, EndpointBytes int
	// Texts has the texts that many endpoints announce.
	Texts *intern.Table
}

// Host is what a directory reports to: the participant. It is called with the lock held that guards the directory, and
// calls nothing of the directory that changes it.
type Host interface {
	// ParticipantFound, ParticipantChanged and ParticipantGone tell of a remote participant; before it goes, so do its
	// endpoints.
	ParticipantFound(r *Participant, now time.Time)
	ParticipantChanged(r *Participant)
	ParticipantGone(r *Participant)
	// EndpointFound, EndpointChanged and EndpointGone tell of a remote endpoint; rematch says that more changed than
	// its user data.
	EndpointFound(e *Endpoint, now time.Time)
	EndpointChanged(e *Endpoint, rematch bool, now time.Time)
	EndpointGone(e *Endpoint)
	// Announced is called each time the own participant was announced to all.
	Announced(now time.Time)
	// Complain logs refused traffic, rarely.
	Complain(now time.Time, msg string, args ...any)
	// Locked calls f with the lock and the time, unless the participant is closed. It is called without the lock.
	Locked(f func(now time.Time))
}

// Refused counts what of discovery was not believed or not kept, by reason, and participants whose lease ran out.
type Refused struct {
	Malformed, Foreign, ParticipantLimit, Unanswered, Unreachable, Source         uint64
	EndpointMalformed, EndpointLimit, Disposal, Locator, Reply, InlineQoS, Leases uint64
}

// Arrival is what is known of the datagram that is being handled.
type Arrival struct {
	// From is where it came from, Size its length in bytes, Now when it came.
	From netip.AddrPort
	Size int
	Now  time.Time
}

// Directory finds the remote participants and their endpoints, remembers them, and announces the own participant.
type Directory struct {
	cfg    Config
	host   Host
	socks  udp.Sockets
	tx     *send.Sender
	alarms *alarm.Queue
	log    *slog.Logger

	spdp          announcer
	looking       chan struct{} // not nil while the network is asked for its interfaces; closed with the answer
	peers         []netip.Addr  // looked for by unicast
	remotes       map[wire.GUIDPrefix]*Participant
	topics        map[string]*Endpoint // the first of the remote endpoints on each topic
	crowd         crowd
	endpointBytes memory.Budget // of the endpoints of all remotes
	drops         Refused
}

// New returns a directory that knows no one yet, and does nothing before Begin.
func New(cfg Config, h Host, socks udp.Sockets, tx *send.Sender, alarms *alarm.Queue, log *slog.Logger) *Directory {
	d := &Directory{
		cfg: cfg, host: h, socks: socks, tx: tx, alarms: alarms, log: log,
		spdp:    announcer{replies: map[netip.Addr]int{}, buf: wire.NewBuilder(wire.MaxMessageSize)},
		remotes: map[wire.GUIDPrefix]*Participant{}, topics: map[string]*Endpoint{}, crowd: crowd{sources: map[netip.Addr]int{}},
		endpointBytes: memory.Budget{Limit: cfg.EndpointBytes},
	}
	d.spdp.alarm.Fire, d.spdp.rest.Fire = d.announce, d.announceToSome
	d.peers = d.probed(cfg.Peers)
	return d
}

// Begin announces the own participant, now and then again and again.
func (d *Directory) Begin(now time.Time) { d.announce(now) }

// Leave tells everyone that the own participant is gone (DDSI-RTPS 8.5.3.3.2, 9.6.3.9).
func (d *Directory) Leave(now time.Time) {
	m := wire.NewDispose(wire.EntitySPDPWriter, d.spdp.sn+1, d.cfg.GUID)
	m.Reader = wire.EntitySPDPReader
	d.spdp.leaving = &m
	d.announceToAll(now)
}

// Looking returns a channel that is closed when the network has answered a question for its interfaces; nil if none is
// open.
func (d *Directory) Looking() <-chan struct{} { return d.looking }

// Participants yields the remote participants known now.
func (d *Directory) Participants() iter.Seq[*Participant] {
	return func(yield func(*Participant) bool) {
		for _, r := range d.remotes {
			if !yield(r) {
				return
			}
		}
	}
}

// Endpoints yields the endpoints of all remote participants known now.
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

// Refusals returns what was refused since the start.
func (d *Directory) Refusals() Refused { return d.drops }

// Size returns how many participants and endpoints are known.
func (d *Directory) Size() (participants, endpoints int) {
	for _, r := range d.remotes {
		endpoints += len(r.endpoints)
	}
	return len(d.remotes), endpoints
}
