// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// announcements is an index of a discovery writer's history.
type announcements struct {
	at    map[wire.EntityID]wire.SequenceNumber // the latest change about an endpoint
	swept wire.SequenceNumber                   // acknowledged disposals up to this number are removed
}

// localAnnouncement is the most recently encoded announcement of a local endpoint. Only this one is kept: a participant
// with a thousand nodes has seventy thousand endpoints, whose announcements are encoded when they are sent.
type localAnnouncement struct {
	of      wire.EntityID
	payload []byte
}

// announcedWriter and announcedReader encode the announcement of a local endpoint. Participant.mu is held.
type (
	announcedWriter Writer
	announcedReader Reader
)

// Payload implements history.Source.
func (w *announcedWriter) Payload() []byte {
	if a := &w.p.announcement; a.of != w.guid.Entity {
		a.of, a.payload = w.guid.Entity, (*Writer)(w).data().AppendPayload(a.payload[:0])
	}
	return w.p.announcement.payload
}

// Payload implements history.Source.
func (r *announcedReader) Payload() []byte {
	if a := &r.p.announcement; a.of != r.guid.Entity {
		a.of, a.payload = r.guid.Entity, (*Reader)(r).data().AppendPayload(a.payload[:0])
	}
	return r.p.announcement.payload
}

// publish announces an endpoint with a discovery writer, replacing its earlier announcement.
func (p *Participant) publish(w *Writer, endpoint wire.EntityID, announcement history.Source, now time.Time) {
	p.makeDiscoverySpace(w, now)
	w.forget(endpoint)
	c := w.hist.Blank()
	c.Kind, c.At, c.Key = wire.PayloadData, now, endpoint
	c.SetSource(announcement)
	w.announce(c, now)
}

// retire withdraws an endpoint's announcement with a disposal.
func (p *Participant) retire(w *Writer, guid wire.GUID) {
	now := time.Now()
	p.makeDiscoverySpace(w, now)
	w.forget(guid.Entity)
	c := w.hist.Blank()
	d := wire.NewDispose(w.guid.Entity, w.hist.Next(), guid)
	c.Kind, c.At, c.Key = wire.PayloadKey, now, guid.Entity
	c.SetPayload(d.Payload)
	c.Inline = append(c.Inline[:0], d.InlineQoS.Bytes...)
	w.announce(c, now)
}

// announce adds a change to a discovery writer's history, and sends it.
func (w *Writer) announce(c *history.Change, now time.Time) {
	w.hist.Push(c)
	if w.announced.at == nil {
		w.announced.at = make(map[wire.EntityID]wire.SequenceNumber)
	}
	w.announced.at[c.Key] = c.SN
	w.sendFresh(c, w.p.alarms.Instant(now))
}

// forget removes the announcement of an endpoint from a discovery writer's history.
func (w *Writer) forget(key wire.EntityID) {
	if sn, ok := w.announced.at[key]; ok {
		delete(w.announced.at, key)
		w.hist.Remove(sn)
	}
}

// makeDiscoverySpace removes disposals that every participant has acknowledged, and republishes the oldest announcement
// with a new number if the span of the history is used up.
func (p *Participant) makeDiscoverySpace(w *Writer, now time.Time) {
	acked := w.ackedByAll()
	for sn := max(w.hist.First(), w.announced.swept+1); sn <= acked; sn++ {
		if c := w.hist.Get(sn); c != nil && c.Kind == wire.PayloadKey {
			w.forget(c.Key)
		}
	}
	w.announced.swept = max(w.announced.swept, acked)
	if !w.hist.Full() {
		return
	}
	old := w.hist.Get(w.hist.First()).Use()
	w.hist.Remove(old.SN)
	c := w.hist.Blank()
	c.Kind, c.At, c.Key = old.Kind, now, old.Key
	c.SetPayloadOf(old)
	c.Inline = append(c.Inline[:0], old.Inline...)
	w.hist.Release(old)
	w.announce(c, now)
}
