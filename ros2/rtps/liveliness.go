// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// assertLiveliness publishes the message of the writer liveliness protocol (DDSI-RTPS 8.4.13) for all writers of
// automatic liveliness. It is sent once at the start, as Cyclone DDS does, and again only if some writer promised a
// finite lease.
func (p *Participant) assertLiveliness(now time.Time) {
	p.sendLiveliness(wire.LivelinessUpdateAutomatic, now)
	p.nextAssertion(now)
}

// sendLiveliness publishes the message for one kind of liveliness, instead of the earlier one.
func (p *Participant) sendLiveliness(kind wire.LivelinessMessageKind, now time.Time) {
	m := wire.ParticipantMessageData{Prefix: p.guid.Prefix, Kind: kind, Data: []byte{0}}
	w := p.messages
	w.forget(wire.EntityID(kind))
	p.makeDiscoveryRoom(w, now)
	c := w.hist.Blank()
	c.Kind, c.At, c.Key = wire.PayloadData, now, wire.EntityID(kind)
	c.SetPayload(m.AppendPayload(nil))
	w.announce(c, now)
}

// nextAssertion sets the alarm for the next automatic message: three in the shortest lease of a writer.
func (p *Participant) nextAssertion(now time.Time) {
	if lease := p.shortestLease(wire.LivelinessAutomatic); lease > 0 {
		p.alarms.SetEarlier(&p.assertAlarm, now.Add(max(lease/3, 10*time.Millisecond)))
	}
}

// shortestLease returns the shortest of the finite leases that writers of a kind of liveliness offer, or 0.
func (p *Participant) shortestLease(kind wire.LivelinessKind) (shortest time.Duration) {
	for _, w := range p.userWriters {
		if lease := leaseOf(w.cfg.QoS); lease > 0 && w.cfg.QoS.Liveliness == kind && (shortest == 0 || lease < shortest) {
			shortest = lease
		}
	}
	return shortest
}

// leaseOf returns a finite liveliness lease, or 0.
func leaseOf(q *wire.QoS) time.Duration {
	if q.LivelinessLease <= 0 || q.LivelinessLease.IsInfinite() {
		return 0
	}
	return q.LivelinessLease.Duration()
}

// onLivelinessSample takes such a message of a peer. Hearing anything of it renews its participant's lease and the
// liveliness of its automatic writers already; what is left are those asserted by hand for the whole participant.
func (p *Participant) onLivelinessSample(w *writerProxy, _ *reassembly.Info, payload []byte) {
	m, err := wire.DecodeParticipantMessage(payload)
	switch {
	case err != nil || m.Prefix != w.remote.Prefix():
		p.drop(DropLivelinessMessage)
	case m.Kind == wire.LivelinessUpdateManual:
		p.heardManual(w.remote, p.in.now)
	}
}

// ownLiveliness is the liveliness of an own writer that asserts it by hand. Guarded by Participant.mu.
type ownLiveliness struct {
	lease    time.Duration
	asserted time.Time
	lost     bool
	losses   tally
	alarm    alarm.Alarm
}

// AssertLiveliness tells the matched readers that the writer is alive though it writes nothing (DDS 1.4, 2.2.2.4.2.22).
// Writers of automatic liveliness need it not; for those by participant it is Participant.AssertLiveliness. The error
// wraps ErrClosed.
func (w *Writer) AssertLiveliness() error {
	w.p.mu.Lock()
	defer w.p.unlock()
	if w.closed {
		return fmt.Errorf("%w: writer of %q", ErrClosed, w.cfg.Topic)
	}
	now := time.Now()
	switch w.cfg.QoS.Liveliness {
	case wire.LivelinessManualByParticipant:
		w.p.assertManual(now)
	case wire.LivelinessManualByTopic:
		w.assert(now)
		for _, r := range w.readers {
			if r.local == nil {
				r.sendAlive(w.p.alarms.Instant(now))
			}
		}
	}
	return nil
}

// AssertLiveliness tells all peers that the writers whose liveliness is asserted by hand for the whole participant are
// alive (DDS 1.4, 2.2.2.2.1.20).
func (p *Participant) AssertLiveliness() {
	p.mu.Lock()
	defer p.unlock()
	if !p.closed {
		p.assertManual(time.Now())
	}
}

// assertManual does. The message is sent as often as the shortest lease needs it, three times in that.
func (p *Participant) assertManual(now time.Time) {
	for _, w := range p.userWriters {
		if w.cfg.QoS.Liveliness == wire.LivelinessManualByParticipant {
			w.assert(now)
		}
	}
	lease := p.shortestLease(wire.LivelinessManualByParticipant)
	if lease > 0 && now.Sub(p.manualSent) >= lease/3 {
		p.manualSent = now
		p.sendLiveliness(wire.LivelinessUpdateManual, now)
	}
}

// wrote asserts the liveliness of a writer that has written.
func (w *Writer) wrote(now time.Time) {
	switch {
	case w.live == nil:
	case w.cfg.QoS.Liveliness == wire.LivelinessManualByParticipant:
		w.p.assertManual(now)
	default:
		w.assert(now)
	}
}

// assert begins a new lease of an own writer.
func (w *Writer) assert(now time.Time) {
	l := w.live
	if l == nil {
		return
	}
	l.asserted = now
	if l.lost {
		l.lost = false
		w.tellLocals(1, -1)
	}
	if !l.alarm.Pending() {
		w.p.alarms.Set(&l.alarm, now.Add(l.lease))
	}
}

// onLease is called when the lease of an own writer may have run out.
func (w *Writer) onLease(now time.Time) {
	l := w.live
	if end := l.asserted.Add(l.lease); end.After(now) {
		w.p.alarms.Set(&l.alarm, end)
		return
	}
	l.lost = true
	w.p.report(w.cfg.OnStatus, &l.losses, 1, StatusEvent{Kind: LivelinessLost, Local: w.guid}, w.cfg.Topic)
	w.tellLocals(-1, 1)
}

// localLiveliness counts a writer of this participant that comes or goes.
func (r *Reader) localLiveliness(w *Writer, change int) {
	if w.live != nil && w.live.lost {
		r.livelinessChanged(w.guid, 0, change)
	} else {
		r.livelinessChanged(w.guid, change, 0)
	}
}

// tellLocals tells the readers of this participant that the writer became alive or not.
func (w *Writer) tellLocals(alive, notAlive int) {
	for _, r := range w.readers {
		if r.local != nil {
			r.local.livelinessChanged(w.guid, alive, notAlive)
		}
	}
}
