// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// announcements are what a discovery writer keeps of its history, so that nothing has to look through all of it.
type announcements struct {
	at    map[wire.EntityID]wire.SequenceNumber // the latest change about an endpoint
	swept wire.SequenceNumber                   // up to there all disposals that everybody has are removed
}

// publish announces an endpoint with a discovery writer, instead of its earlier announcement.
func (p *Participant) publish(w *Writer, data *wire.EndpointData, now time.Time) {
	p.makeDiscoveryRoom(w, now)
	w.forget(data.GUID.Entity)
	c := w.hist.blank()
	c.kind, c.at, c.key = wire.PayloadData, now, data.GUID.Entity
	c.setPayload(data.AppendPayload(nil))
	w.announce(c, now)
}

// retire takes an endpoint's announcement back.
func (p *Participant) retire(w *Writer, guid wire.GUID) {
	now := time.Now()
	p.makeDiscoveryRoom(w, now)
	w.forget(guid.Entity)
	c := w.hist.blank()
	d := wire.NewDispose(w.guid.Entity, w.hist.next, guid)
	c.kind, c.at, c.key = wire.PayloadKey, now, guid.Entity
	c.setPayload(d.Payload)
	c.inline = append(c.inline[:0], d.InlineQoS.Bytes...)
	w.announce(c, now)
}

// announce puts a change into a discovery writer's history, and sends it.
func (w *Writer) announce(c *change, now time.Time) {
	w.hist.push(c)
	if w.announced.at == nil {
		w.announced.at = make(map[wire.EntityID]wire.SequenceNumber)
	}
	w.announced.at[c.key] = c.sn
	w.sendFresh(c, now)
}

// forget removes the announcement of an endpoint from a discovery writer's history.
func (w *Writer) forget(key wire.EntityID) {
	if sn, ok := w.announced.at[key]; ok {
		delete(w.announced.at, key)
		w.hist.remove(sn)
	}
}

// makeDiscoveryRoom removes disposals that every participant has, and moves the oldest announcement up if the span is
// used up.
func (p *Participant) makeDiscoveryRoom(w *Writer, now time.Time) {
	acked := w.ackedByAll()
	for sn := max(w.hist.first, w.announced.swept+1); sn <= acked; sn++ {
		if c := w.hist.get(sn); c != nil && c.kind == wire.PayloadKey {
			w.forget(c.key)
		}
	}
	w.announced.swept = max(w.announced.swept, acked)
	if !w.hist.full() {
		return
	}
	old := w.hist.get(w.hist.first).use()
	w.hist.remove(old.sn)
	c := w.hist.blank()
	c.kind, c.at, c.key = old.kind, now, old.key
	c.setPayload(old.payload(0))
	c.inline = append(c.inline[:0], old.inline...)
	w.hist.release(old)
	w.announce(c, now)
}
