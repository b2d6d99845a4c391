// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"cmp"
	"errors"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Stats are the counters of a participant since its start, and its current memory use.
type Stats struct {
	// DatagramsSent, BytesSent, DatagramsReceived and BytesReceived count UDP datagrams and their payload.
	DatagramsSent, BytesSent, DatagramsReceived, BytesReceived uint64
	// SendBusy counts how often the socket buffer was full. The datagrams are kept and sent again later.
	SendBusy uint64
	// SamplesWritten counts samples of local writers, SamplesDelivered queued calls of OnSample.
	SamplesWritten, SamplesDelivered uint64
	// SamplesResent and FragmentsResent count retransmissions at a reader's request.
	SamplesResent, FragmentsResent uint64
	// SamplesShared counts samples written to the shared memory, SamplesReadShared those read from that of others, and
	// SamplesLent those of them that were read without a copy.
	SamplesShared, SamplesReadShared, SamplesLent uint64
	// SamplesLost counts samples of matched writers that did not arrive: skipped by best effort, or removed from a
	// reliable writer's history.
	SamplesLost uint64
	// SamplesAbandoned counts samples dropped from a keep-all history although a slow reader had not acknowledged them.
	SamplesAbandoned uint64
	// RepairsDeferred counts how often retransmissions waited for their participant's share of the send rate.
	RepairsDeferred uint64
	// LeasesExpired counts remote participants removed because their lease expired.
	LeasesExpired uint64

	// Dropped counts everything dropped, by reason. The fields below, up to SendErrors, are sums of it.
	Dropped Drops
	// SamplesDropped counts received samples that were dropped: too large, no memory, expired, abandoned, or user code
	// too slow.
	SamplesDropped uint64
	// Duplicates counts samples and fragments received again.
	Duplicates uint64
	// Malformed counts datagrams that are not RTPS messages or contain invalid parts.
	Malformed uint64
	// UnknownSource counts submessages of participants and endpoints that are not known or not matched.
	UnknownSource uint64
	// RefusedParticipants, RefusedEndpoints, RefusedDisposals and RefusedLocators count rejected discovery data.
	RefusedParticipants, RefusedEndpoints, RefusedDisposals, RefusedLocators uint64
	// RepliesSuppressed counts directed announcements withheld by the rate limit.
	RepliesSuppressed uint64
	// FragmentsRefused counts rejected fragments: sample too large, no memory, contradiction.
	FragmentsRefused uint64
	// SendErrors counts datagrams that the system failed to send, other than for a full buffer.
	SendErrors uint64

	// Participants, Endpoints, HeldBytes and HistoryBytes are the current state: remote participants, their endpoints,
	// bytes of samples in assembly or out of order, and bytes of the local writers' histories.
	Participants, Endpoints, HeldBytes, HistoryBytes int
}

// Stats returns the counters.
func (p *Participant) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Dropped[DropNotOurs], s.Dropped[DropLooped] = p.parser.NotOurs, p.parser.Looped
	sent := p.tx.Counted()
	s.DatagramsSent, s.BytesSent, s.SendBusy = sent.Datagrams, sent.Bytes, sent.Busy
	s.Dropped[DropSendOverflow], s.Dropped[DropSendError] = sent.Overflow, sent.Errors
	found := p.directory.Refusals()
	s.LeasesExpired = found.Leases
	s.Dropped[DropParticipantMalformed] = found.Malformed
	s.Dropped[DropParticipantForeign] = found.Foreign
	s.Dropped[DropParticipantLimit] = found.ParticipantLimit
	s.Dropped[DropParticipantUnanswered] = found.Unanswered
	s.Dropped[DropParticipantUnreachable] = found.Unreachable
	s.Dropped[DropParticipantSource] = found.Source
	s.Dropped[DropEndpointMalformed] = found.EndpointMalformed
	s.Dropped[DropEndpointLimit] = found.EndpointLimit
	s.Dropped[DropDisposal] = found.Disposal
	s.Dropped[DropLocator] = found.Locator
	s.Dropped[DropReply] = found.Reply
	s.Dropped[DropInlineQoS] += found.InlineQoS
	parts := &p.assembly
	s.Dropped[DropFragmentSize] += parts.Size
	s.Dropped[DropFragmentWindow] += parts.Window
	s.Dropped[DropFragmentMemory] += parts.Memory
	s.Dropped[DropFragmentContradiction] += parts.Contradiction
	s.Dropped[DropDuplicate] += parts.Duplicate
	s.Dropped[DropPartial] += parts.Partial
	s.sumUp()
	s.Participants, s.Endpoints = p.directory.Size()
	s.HeldBytes = p.budgets.samples.Used + p.budgets.discovery.Used
	s.HistoryBytes = p.budgets.histories.Used
	s.RepairsDeferred = p.bulk.deferred
	return s
}

// sumUp computes the sums.
func (s *Stats) sumUp() {
	d := &s.Dropped
	s.SamplesDropped = d.sum(DropSampleSize, DropSampleWindow, DropSampleMemory, DropSampleExpired, DropSampleQueue, DropPartial)
	s.Duplicates = d[DropDuplicate]
	s.Malformed = d.sum(DropMalformed, DropInlineQoS, DropLivelinessMessage)
	s.UnknownSource = d.sum(DropUnknownParticipant, DropUnknownEndpoint)
	s.RefusedParticipants = d.sum(DropParticipantMalformed, DropParticipantForeign, DropParticipantLimit,
		DropParticipantUnanswered, DropParticipantUnreachable, DropParticipantSource)
	s.RefusedEndpoints = d.sum(DropEndpointMalformed, DropEndpointLimit)
	s.RefusedDisposals, s.RefusedLocators = d[DropDisposal], d[DropLocator]
	s.RepliesSuppressed = d[DropReply]
	s.FragmentsRefused = d.sum(DropFragmentSize, DropFragmentWindow, DropFragmentMemory, DropFragmentContradiction)
	s.SendErrors = d[DropSendError]
}

// SecurityStatus is what a secured participant has accepted and refused.
type SecurityStatus struct {
	// Authenticated is the number of authenticated participants at present.
	Authenticated int
	// Participants, Endpoints and Messages count refusals: of handshakes and keys, of endpoints without permission or
	// with another governance, and of messages without the protection that is demanded or with a wrong code.
	Participants, Endpoints, Messages uint64
	// Last is the last refusal that was logged, with its reason; empty if there was none.
	Last string
}

// Security returns the state of the participant's security, zero without.
func (p *Participant) Security() SecurityStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.secure == nil {
		return SecurityStatus{}
	}
	s := p.secure.events.status
	for _, r := range p.remotes {
		if r.secure.permissions != nil {
			s.Authenticated++
		}
	}
	return s
}

// Refusal is a participant that is known and not authenticated, or an endpoint of one that is and lacks the permission.
type Refusal struct {
	// Participant is whose, Name what it calls itself: before it is authenticated, any machine can.
	Participant wire.GUID
	Name        string
	// Topic is the DDS name of the endpoint's topic, empty for a participant, and Writer reports that it is a writer.
	Topic  string
	Writer bool
	// Err is the reason. It wraps [ErrNoAnswer] if there is none yet.
	Err error
}

// ErrNoAnswer means that a participant does not answer in the handshake: one that refuses another sends nothing.
var ErrNoAnswer = errors.New("rtps: no answer in the handshake: its keys are of another authority, or it refuses these; its log says why")

// Refusals returns what DDS Security refuses at present: each known participant that is not authenticated, and each
// endpoint without the permission that its topic's governance demands, whether or not there is a local one to match.
func (p *Participant) Refusals() (all []Refusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.secure == nil {
		return nil
	}
	for _, r := range p.remotes {
		if one := (Refusal{Participant: r.Data().GUID, Name: r.Data().EntityName}); !r.secure.connected {
			one.Err = cmp.Or(r.secure.refused, ErrNoAnswer)
			all = append(all, one)
		}
	}
	for e := range p.directory.Endpoints() {
		r, data := p.remotes[e.Participant().Prefix()], e.Data()
		rules := p.secure.plugin.Access.Topic(data.Topic)
		if err := permits(r, &rules, &wire.EndpointData{Security: data.Security}, data); err != nil {
			all = append(all, Refusal{Participant: r.Data().GUID, Name: r.Data().EntityName, Topic: data.Topic, Writer: data.IsWriter(), Err: err})
		}
	}
	return all
}
