// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// assertLiveliness publishes the message of the writer liveliness protocol (DDSI-RTPS 8.4.13) for all writers with
// automatic liveliness. It is sent once at the start, as by Cyclone DDS, and again only if some writer offers a finite
// lease.
func (p *Participant) assertLiveliness(now time.Time) {
	p.sendLiveliness(wire.LivelinessUpdateAutomatic, now)
	p.nextAssertion(now)
}

// sendLiveliness publishes the message for one liveliness kind, replacing the earlier one.
func (p *Participant) sendLiveliness(kind wire.LivelinessMessageKind, now time.Time) {
	m := wire.ParticipantMessageData{Prefix: p.guid.Prefix, Kind: kind, Data: []byte{0}}
	payload := m.AppendPayload(nil)
	publishLiveliness(p.builtins.messages, kind, payload, now)
	if p.secure != nil {
		publishLiveliness(p.secure.messages, kind, payload, now)
	}
}

// publishLiveliness publishes a message of a liveliness writer.
func publishLiveliness(w *Writer, kind wire.LivelinessMessageKind, payload []byte, now time.Time) {
	w.forget(wire.EntityID(kind))
	w.p.makeDiscoverySpace(w, now)
	c := w.hist.Blank()
	c.Kind, c.At, c.Key = wire.PayloadData, now, wire.EntityID(kind)
	c.SetPayload(payload)
	w.announce(c, now)
}

// nextAssertion sets the alarm for the next automatic message: three per shortest lease of a writer.
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

// onLivelinessSample handles a peer's liveliness message. It only concerns writers with manual-by-participant
// liveliness: any message renews the participant's lease and the liveliness of its automatic writers.
func (p *Participant) onLivelinessSample(w *writerProxy, _ *reassembly.Info, payload []byte) {
	m, err := wire.DecodeParticipantMessage(payload)
	switch {
	case p.secure.refusesLiveliness(w.guid.Entity):
		p.drop(DropSecurity)
	case err != nil || m.Prefix != w.remote.Prefix():
		p.drop(DropLivelinessMessage)
	case m.Kind == wire.LivelinessUpdateManual:
		p.manualAsserted(w.remote, p.in.now)
	}
}

// manualLiveliness is the state of a local writer with a manual liveliness kind. Guarded by Participant.mu.
type manualLiveliness struct {
	lease    time.Duration
	asserted time.Time
	lost     bool
	losses   statusCount
	alarm    alarm.Alarm
}

// AssertLiveliness asserts to the matched readers that the writer is alive although it writes nothing (DDS 1.4,
// 2.2.2.4.2.22). Writers with automatic liveliness do not need it; for manual-by-participant liveliness use
// Participant.AssertLiveliness. The error wraps ErrClosed.
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

// AssertLiveliness asserts to all peers that the participant's writers with manual-by-participant liveliness are alive
// (DDS 1.4, 2.2.2.2.1.20).
func (p *Participant) AssertLiveliness() {
	p.mu.Lock()
	defer p.unlock()
	if !p.closed {
		p.assertManual(time.Now())
	}
}

// assertManual implements AssertLiveliness. The message is sent at most three times per shortest lease.
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

// wrote asserts the liveliness of a writer after a write.
func (w *Writer) wrote(now time.Time) {
	switch {
	case w.live == nil:
	case w.cfg.QoS.Liveliness == wire.LivelinessManualByParticipant:
		w.p.assertManual(now)
	default:
		w.assert(now)
	}
}

// assert starts a new lease of a local writer.
func (w *Writer) assert(now time.Time) {
	l := w.live
	if l == nil {
		return
	}
	l.asserted = now
	if l.lost {
		l.lost = false
		w.notifyLocals(1, -1)
	}
	if !l.alarm.Pending() {
		w.p.alarms.Set(&l.alarm, now.Add(l.lease))
	}
}

// onLease is called when the lease of a local writer may have expired.
func (w *Writer) onLease(now time.Time) {
	l := w.live
	if end := l.asserted.Add(l.lease); end.After(now) {
		w.p.alarms.Set(&l.alarm, end)
		return
	}
	l.lost = true
	w.p.report(w.cfg.OnStatus, &l.losses, 1, StatusEvent{Kind: LivelinessLost, Local: w.guid}, w.cfg.Topic)
	w.notifyLocals(-1, 1)
}

// localLiveliness counts a local writer as matched or unmatched.
func (r *Reader) localLiveliness(w *Writer, change int) {
	if w.live != nil && w.live.lost {
		r.livelinessChanged(w.guid, 0, change)
	} else {
		r.livelinessChanged(w.guid, change, 0)
	}
}

// notifyLocals notifies the local readers that the writer became alive or not alive.
func (w *Writer) notifyLocals(alive, notAlive int) {
	for _, r := range w.readers {
		if r.local != nil {
			r.local.livelinessChanged(w.guid, alive, notAlive)
		}
	}
}
