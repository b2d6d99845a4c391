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
	lease    time.Duration // 0 if it lives as long as its participant
	asserted time.Time     // by the writer itself
	silent   bool          // its lease has run out
	alarm    alarm.Alarm
}

// silentWriters counts the silent writers of a participant, as the views of own readers, so that no code looks for them
// when there are none.
type silentWriters struct{ automatic, manual int }

// count returns the counter for a kind of liveliness, or nil for writers that each speak for themselves.
func (s *silentWriters) count(kind wire.LivelinessKind) *int {
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

// endLiveliness takes a writer that is gone out of the count.
func (w *writerProxy) endLiveliness() {
	w.r.p.alarms.Cancel(&w.live.alarm)
	if !w.live.silent {
		w.r.livelinessChanged(w.guid, -1, 0)
		return
	}
	if n := w.remote.silent.count(w.live.kind); n != nil {
		*n--
	}
	w.r.livelinessChanged(w.guid, 0, -1)
}

// heard returns when the writer was last known to be alive: an automatic one with any message of its participant, the
// others with what they send themselves, or what their participant says for all of a kind.
func (w *writerProxy) heard() time.Time {
	at := w.live.asserted
	if w.live.kind == wire.LivelinessAutomatic && w.remote.Heard().After(at) {
		at = w.remote.Heard()
	}
	if w.live.kind == wire.LivelinessManualByParticipant && w.remote.heardManual.After(at) {
		at = w.remote.heardManual
	}
	return at
}

// onLease is called when the lease of the writer may have run out.
func (w *writerProxy) onLease(now time.Time) {
	if end := w.heard().Add(w.live.lease); end.After(now) {
		w.r.p.alarms.Set(&w.live.alarm, end)
		return
	}
	w.live.silent = true
	if n := w.remote.silent.count(w.live.kind); n != nil {
		*n++
	}
	w.r.livelinessChanged(w.guid, -1, 1)
}

// asserts notes that the writer showed a sign of life: a sample, or a HEARTBEAT that says so.
func (w *writerProxy) asserts(now time.Time) {
	switch {
	case w.live.lease == 0 || w.live.kind == wire.LivelinessAutomatic: // its participant's sign of life is as good
	case w.live.kind == wire.LivelinessManualByParticipant:
		w.r.p.heardManual(w.remote, now)
	default:
		w.live.asserted = now
		w.revive(now)
	}
}

// revive makes a silent writer alive again.
func (w *writerProxy) revive(now time.Time) {
	if !w.live.silent {
		return
	}
	w.live.silent = false
	if n := w.remote.silent.count(w.live.kind); n != nil {
		*n--
	}
	w.r.p.alarms.Set(&w.live.alarm, now.Add(w.live.lease))
	w.r.livelinessChanged(w.guid, 1, -1)
}

// heardManual notes that all writers of a participant that are asserted by hand together are alive.
func (p *Participant) heardManual(r *remoteParticipant, now time.Time) {
	r.heardManual = now
	if r.silent.manual > 0 {
		p.reviveAll(r, wire.LivelinessManualByParticipant, now)
	}
}

// reviveAll makes the silent writers of one kind of a participant alive again.
func (p *Participant) reviveAll(r *remoteParticipant, kind wire.LivelinessKind, now time.Time) {
	for _, list := range p.sources {
		for _, w := range list {
			if w.remote == r && w.live.kind == kind {
				w.revive(now)
			}
		}
	}
}

// livelinessChanged counts matched writers that become alive or not, and tells.
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
