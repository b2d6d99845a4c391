// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// newMatches are the matches with a participant that it may not have made yet: the first HEARTBEAT or pre-emptive
// ACKNACK was sent to an endpoint that did not know ours, and was dropped there. They are sent again as soon as the
// participant shows that it knows ours, without waiting for their timers. Guarded by Participant.mu.
type newMatches struct {
	readers []*readerProxy // that had not answered when they matched
	writers []*writerProxy // that had not announced anything then
}

// becameAware is called for the first message of a participant that is addressed to this one: it has processed our
// announcement, so it has what our built-in endpoints send.
func (p *Participant) becameAware(r *remoteParticipant, now time.Time) {
	at := p.alarms.Instant(now)
	for _, b := range p.builtins.pairs {
		if w := b.reader.writer(wire.GUID{Prefix: r.Prefix(), Entity: b.writer.guid.Entity}); w != nil {
			w.requestFirst(now)
		}
		if proxy := b.writer.reader(wire.GUID{Prefix: r.Prefix(), Entity: b.reader.guid.Entity}); proxy != nil && !proxy.answered {
			proxy.sendHeartbeat(false, at)
		}
	}
}

// announcementsAcknowledged is called when a participant has acknowledged all announcements of a discovery writer: it
// knows our endpoints.
func (p *Participant) announcementsAcknowledged(w *Writer, r *remoteParticipant, now time.Time) {
	at := p.alarms.Instant(now)
	switch w {
	case p.builtins.publications:
		for _, proxy := range r.fresh.readers {
			if !proxy.answered && proxy.w.reader(proxy.guid) == proxy {
				proxy.sendHeartbeat(false, at)
			}
		}
		r.fresh.readers = nil
	case p.builtins.subscriptions:
		for _, proxy := range r.fresh.writers {
			if !proxy.closed {
				proxy.requestFirst(now)
			}
		}
		r.fresh.writers = nil
	}
}

// requestFirst requests the first heartbeat of a matched writer again, without waiting for the timer.
func (w *writerProxy) requestFirst(now time.Time) {
	if w.synced || !w.reliable {
		return
	}
	w.sendAckNack(&wire.AckNack{State: wire.SequenceNumberSet{Base: w.preemptiveBase()}})
	w.preemptiveAt = now
}

// maxNewMatches bounds the endpoints of a participant that are remembered; those beyond it wait for their timers.
const maxNewMatches = 256

// addReader notes a new match with a reader whose participant may not know our writer yet.
func (m *newMatches) addReader(r *readerProxy) {
	if len(m.readers) < maxNewMatches && !r.w.p.builtins.publications.isKnownTo(r.remote, wire.EntityPublicationsReader) {
		m.readers = append(m.readers, r)
	}
}

// addWriter notes a new match with a writer whose participant may not know our reader yet.
func (m *newMatches) addWriter(w *writerProxy) {
	if len(m.writers) < maxNewMatches && !w.r.p.builtins.subscriptions.isKnownTo(w.remote, wire.EntitySubscriptionsReader) {
		m.writers = append(m.writers, w)
	}
}

// isKnownTo reports whether a participant has acknowledged all announcements of a discovery writer.
func (w *Writer) isKnownTo(r *remoteParticipant, reader wire.EntityID) bool {
	proxy := w.reader(wire.GUID{Prefix: r.Prefix(), Entity: reader})
	return proxy != nil && proxy.acked == w.hist.Next()-1
}
