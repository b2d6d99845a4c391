// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/discovery"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// addReader adds a matched reader: it chooses the payload variant and sends the reader a heartbeat.
func (w *Writer) addReader(r *readerProxy, now time.Time) {
	r.w = w
	r.reliable = w.cfg.QoS.Reliability == wire.Reliable && r.data.QoS.Reliability == wire.Reliable
	if w.cfg.Variant != nil {
		r.variant = w.cfg.Variant(*r.data)
	}
	r.start()
	w.insert(r)
	w.changed(Matched, r.data)
	switch {
	case r.local != nil:
		for sn, end := r.base, r.next; sn < end; sn++ {
			if c := w.hist.Get(sn); c != nil {
				r.deliverLocal(c, now)
			}
		}
	case r.reliable:
		r.sendHeartbeat(false, w.p.alarms.Instant(now))
		w.p.alarms.SetEarlier(&w.heartbeat, now.Add(heartbeatPeriod))
		if !w.guid.Entity.IsBuiltin() {
			r.remote.fresh.addReader(r)
		}
	}
}

// insert adds a reader after those of its participant, so that they are adjacent.
func (w *Writer) insert(r *readerProxy) {
	at := len(w.readers)
	for i, e := range slices.Backward(w.readers) {
		if e.remote == r.remote {
			at = i + 1
			break
		}
	}
	w.readers = slices.Insert(w.readers, at, r)
}

// addWriter adds a matched writer; a reliable reader requests a first heartbeat.
func (r *Reader) addWriter(w *writerProxy, now time.Time) {
	r.writers = append(r.writers, w)
	r.p.sources[w.guid] = append(r.p.sources[w.guid], w)
	r.changed(Matched, w.data)
	if r.builtin == nil {
		w.beginLiveliness(now)
	}
	if w.reliable {
		w.onAckTimer(now)
		if r.builtin == nil {
			w.remote.fresh.addWriter(w)
		}
	}
}

// dropReader removes a matched reader.
func (w *Writer) dropReader(r *readerProxy) {
	r.stop()
	r.stopPiggybacking()
	w.readers = slices.DeleteFunc(w.readers, func(e *readerProxy) bool { return e == r })
	w.changed(Unmatched, r.data)
}

// dropWriter removes a matched writer.
func (r *Reader) dropWriter(w *writerProxy) {
	r.savePosition(w)
	w.close()
	r.writers = slices.DeleteFunc(r.writers, func(e *writerProxy) bool { return e == w })
	list := slices.DeleteFunc(slices.Clone(r.p.sources[w.guid]), func(e *writerProxy) bool { return e == w })
	if r.p.sources[w.guid] = list; len(list) == 0 {
		delete(r.p.sources, w.guid)
	}
	r.changed(Unmatched, w.data)
	if r.builtin == nil {
		w.endLiveliness()
	}
}

// changed stores the new number of matched readers and reports the event.
func (w *Writer) changed(kind MatchKind, remote *wire.EndpointData) {
	if w.guid.Entity.IsBuiltin() {
		return
	}
	n := len(w.readers)
	w.matched.Store(int32(n))
	w.p.log.Debug("writer "+kind.String(), "topic", w.cfg.Topic, "reader", remote.GUID, "matched", n)
	w.p.queueMatch(w.cfg.OnMatch, n, MatchEvent{Kind: kind, Local: w.guid, Remote: remote.GUID, RemoteData: remote})
}

// changed stores the new number of matched writers and reports the event.
func (r *Reader) changed(kind MatchKind, remote *wire.EndpointData) {
	if r.builtin != nil {
		return
	}
	n := len(r.writers) + len(r.locals)
	r.matched.Store(int32(n))
	r.p.log.Debug("reader "+kind.String(), "topic", r.cfg.Topic, "writer", remote.GUID, "matched", n)
	r.p.queueMatch(r.cfg.OnMatch, n, MatchEvent{Kind: kind, Local: r.guid, Remote: remote.GUID, RemoteData: remote})
}

// unmatchEndpoint removes all matches with a remote endpoint; a remote reader is looked up in the given local writers.
func (p *Participant) unmatchEndpoint(ep *discovery.Endpoint, writers []*Writer) {
	if ep.Data().IsWriter() {
		for _, w := range slices.Clone(p.sources[ep.Data().GUID]) {
			w.r.dropWriter(w)
		}
		return
	}
	for _, w := range writers {
		if r := w.reader(ep.Data().GUID); r != nil {
			w.dropReader(r)
		}
	}
}
