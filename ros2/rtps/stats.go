// SPDX-License-Identifier: Apache-2.0

package rtps

// Stats counts what a participant has done since its start, and what it holds now.
type Stats struct {
	// DatagramsSent, BytesSent, DatagramsReceived and BytesReceived count UDP datagrams and their payload.
	DatagramsSent, BytesSent, DatagramsReceived, BytesReceived uint64
	// SendBusy counts how often the socket buffer was full. What it did not take waits and is tried again; SendOverflow counts datagrams
	// dropped because too many waited, SendErrors those the system refused for other reasons.
	SendBusy, SendOverflow, SendErrors uint64
	// SamplesWritten counts samples of own writers, SamplesDelivered calls of OnSample that were made due.
	SamplesWritten, SamplesDelivered uint64
	// SamplesResent and FragmentsResent count retransmissions at a reader's request.
	SamplesResent, FragmentsResent uint64
	// SamplesLost counts numbers of matched writers that never arrived: skipped by best effort, or gone from a reliable history.
	SamplesLost uint64
	// SamplesDropped counts samples dropped here: too large, no memory, or user code that does not keep up.
	SamplesDropped uint64
	// Duplicates counts samples received again.
	Duplicates uint64

	// Malformed counts datagrams that are no RTPS message or contain an invalid submessage.
	Malformed uint64
	// UnknownSource counts submessages of participants and endpoints that are not known or not matched.
	UnknownSource uint64
	// RefusedParticipants counts announcements refused: wrong domain, no usable locator, too many participants, another source address.
	RefusedParticipants uint64
	// RefusedEndpoints counts endpoint announcements refused: malformed, foreign GUID, too many.
	RefusedEndpoints uint64
	// RefusedDisposals counts disposals that did not come from the participant concerned.
	RefusedDisposals uint64
	// RefusedLocators counts locators that name a place peers may not send us to.
	RefusedLocators uint64
	// RepliesSuppressed counts directed announcements withheld by the rate limit.
	RepliesSuppressed uint64
	// FragmentsRefused counts fragments not taken: sample too large, no memory, contradiction.
	FragmentsRefused uint64
	// RepairsDeferred counts times a reader's requests had to wait for its share of the send rate.
	RepairsDeferred uint64
	// LeasesExpired counts remote participants dropped for silence.
	LeasesExpired uint64

	// Participants, Endpoints and HeldBytes are what is held now: remote participants, their endpoints, and bytes of samples in
	// assembly or out of order.
	Participants, Endpoints, HeldBytes int
}

// Stats returns the counters.
func (p *Participant) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Participants = len(p.remotes)
	for _, r := range p.remotes {
		s.Endpoints += len(r.endpoints)
	}
	s.HeldBytes = p.memory.used + p.discoveryMemory.used
	return s
}
