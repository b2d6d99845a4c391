// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// remoteLiveliness is the liveliness of a matched remote writer (DDS 1.4, 2.2.3.11). Guarded by Participant.mu.
type remoteLiveliness struct {
	kind     wire.LivelinessKind
	lease    time.Duration // 0 if it is alive as long as its participant
	asserted time.Time     // by the writer itself
	expired  bool          // the lease has expired: the writer is not alive
	alarm    alarm.Alarm
}

// expiredWriters counts a participant's writer proxies whose lease has expired, so that they are searched only if there
// are any.
type expiredWriters struct{ automatic, manual int }

// count returns the counter for a kind of liveliness, or nil for manual-by-topic.
func (s *expiredWriters) count(kind wire.LivelinessKind) *int {
	switch kind {
	case wire.LivelinessAutomatic:
		return &s.automatic
	case wire.LivelinessManualByParticipant:
		return &s.manual
	}
	return nil
}

// beginLiveliness counts a new writer as alive.
func (w *writerProxy) beginLiveliness(now time.Time) {
	w.live = remoteLiveliness{kind: w.data.QoS.Liveliness, lease: leaseOf(&w.data.QoS), asserted: now}
	w.live.alarm.Fire = w.onLease
	if w.live.lease > 0 {
		w.r.p.alarms.Set(&w.live.alarm, now.Add(w.live.lease))
	}
	w.r.livelinessChanged(w.guid, 1, 0)
}

// endLiveliness removes an unmatched writer from the counts.
func (w *writerProxy) endLiveliness() {
	w.r.p.alarms.Cancel(&w.live.alarm)
	if !w.live.expired {
		w.r.livelinessChanged(w.guid, -1, 0)
		return
	}
	if n := w.remote.expired.count(w.live.kind); n != nil {
		*n--
	}
	w.r.livelinessChanged(w.guid, 0, -1)
}

// lastAlive returns when the writer was last known to be alive: with automatic liveliness, the last message of its
// participant; else what the writer itself sent, or its participant's assertion.
func (w *writerProxy) lastAlive() time.Time {
	at := w.live.asserted
	if w.live.kind == wire.LivelinessAutomatic && w.remote.LastReceived().After(at) {
		at = w.remote.LastReceived()
	}
	if w.live.kind == wire.LivelinessManualByParticipant && w.remote.manualAssertedAt.After(at) {
		at = w.remote.manualAssertedAt
	}
	return at
}

// onLease is called when the lease of the writer may have expired.
func (w *writerProxy) onLease(now time.Time) {
	if end := w.lastAlive().Add(w.live.lease); end.After(now) {
		w.r.p.alarms.Set(&w.live.alarm, end)
		return
	}
	w.live.expired = true
	if n := w.remote.expired.count(w.live.kind); n != nil {
		*n++
	}
	w.r.livelinessChanged(w.guid, -1, 1)
}

// asserts records that the writer asserted its liveliness, by a sample or by a HEARTBEAT with the liveliness flag.
func (w *writerProxy) asserts(now time.Time) {
	switch {
	case w.live.lease == 0 || w.live.kind == wire.LivelinessAutomatic: // any message of its participant does the same
	case w.live.kind == wire.LivelinessManualByParticipant:
		w.r.p.manualAsserted(w.remote, now)
	default:
		w.live.asserted = now
		w.setAlive(now)
	}
}

// setAlive marks a writer that was not alive as alive.
func (w *writerProxy) setAlive(now time.Time) {
	if !w.live.expired {
		return
	}
	w.live.expired = false
	if n := w.remote.expired.count(w.live.kind); n != nil {
		*n--
	}
	w.r.p.alarms.Set(&w.live.alarm, now.Add(w.live.lease))
	w.r.livelinessChanged(w.guid, 1, -1)
}

// manualAsserted records that a participant asserted its writers with manual-by-participant liveliness.
func (p *Participant) manualAsserted(r *remoteParticipant, now time.Time) {
	r.manualAssertedAt = now
	if r.expired.manual > 0 {
		p.setAllAlive(r, wire.LivelinessManualByParticipant, now)
	}
}

// setAllAlive marks a participant's writers of one liveliness kind as alive.
func (p *Participant) setAllAlive(r *remoteParticipant, kind wire.LivelinessKind, now time.Time) {
	for _, list := range p.sources {
		for _, w := range list {
			if w.remote == r && w.live.kind == kind {
				w.setAlive(now)
			}
		}
	}
}

// livelinessChanged counts matched writers that become alive or not alive, and reports the change.
func (r *Reader) livelinessChanged(writer wire.GUID, alive, notAlive int) {
	if r.builtin != nil || r.closed.Load() {
		return
	}
	r.alive += alive
	r.notAlive += notAlive
	r.p.report(r.cfg.OnStatus, &r.changes, 1, StatusEvent{
		Kind: LivelinessChanged, Local: r.guid, Remote: writer,
		Alive: r.alive, NotAlive: r.notAlive, AliveChange: alive, NotAliveChange: notAlive,
	}, r.cfg.Topic)
}
