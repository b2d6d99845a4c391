// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"reflect"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// discoveryHistory is the span of sequence numbers of a discovery writer. One announcement of each endpoint stays in it.
const discoveryHistory = 1 << 14

// discoveryQoS are those of the built-in endpoints of SEDP and WLP (DDSI-RTPS 8.5.4.2): reliable, transient-local.
func discoveryQoS() wire.QoS {
	q := wire.DefaultWriterQoS()
	q.Durability, q.History = wire.TransientLocal, wire.KeepAll
	return q
}

// builtinPair is a built-in writer with the reader it talks to, and the reader with its writer, with their bits in the announcement.
type builtinPair struct {
	writer               *Writer
	reader               *Reader
	hasWriter, hasReader wire.BuiltinEndpoints
}

// newBuiltins makes the endpoints of SEDP and WLP.
func (p *Participant) newBuiltins() {
	pair := func(writer, reader wire.EntityID, hasWriter, hasReader wire.BuiltinEndpoints, f func(*writerProxy, *sampleInfo, []byte)) *Writer {
		w := newWriter(p, WriterConfig{QoS: discoveryQoS(), MaxSamples: discoveryHistory}, writer)
		r := newReader(p, ReaderConfig{QoS: discoveryQoS(), MaxSampleSize: wire.MaxParameterListSize}, reader)
		r.builtin = f
		p.writers[writer] = w
		p.builtins = append(p.builtins, builtinPair{w, r, hasWriter, hasReader})
		return w
	}
	p.publications = pair(wire.EntityPublicationsWriter, wire.EntityPublicationsReader,
		wire.HasPublicationsWriter, wire.HasPublicationsReader, p.onEndpointSample)
	p.subscriptions = pair(wire.EntitySubscriptionsWriter, wire.EntitySubscriptionsReader,
		wire.HasSubscriptionsWriter, wire.HasSubscriptionsReader, p.onEndpointSample)
	p.messages = pair(wire.EntityParticipantMessageWriter, wire.EntityParticipantMessageReader,
		wire.HasParticipantMessageWriter, wire.HasParticipantMessageReader, p.onLivelinessSample)
}

// connectBuiltin matches the built-in endpoints with those a participant announces: no discovery needed.
func (p *Participant) connectBuiltin(r *remoteParticipant, now time.Time) {
	for _, b := range p.builtins {
		remote := func(e wire.EntityID) *wire.EndpointData {
			return &wire.EndpointData{GUID: wire.GUID{Prefix: r.prefix, Entity: e}, Vendor: r.data.Vendor, QoS: discoveryQoS()}
		}
		if r.data.BuiltinEndpoints.Has(b.hasWriter) {
			b.reader.addWriter(newWriterProxy(b.reader, r, remote(b.writer.guid.Entity), r.meta), now)
		}
		if r.data.BuiltinEndpoints.Has(b.hasReader) {
			b.writer.addReader(&readerProxy{remote: r, data: remote(b.reader.guid.Entity), dest: r.meta}, now)
		}
	}
}

// disconnectBuiltin ends these matches.
func (p *Participant) disconnectBuiltin(r *remoteParticipant) {
	for _, b := range p.builtins {
		if w := b.reader.writer(wire.GUID{Prefix: r.prefix, Entity: b.writer.guid.Entity}); w != nil {
			b.reader.dropWriter(w)
		}
		if proxy := b.writer.reader(wire.GUID{Prefix: r.prefix, Entity: b.reader.guid.Entity}); proxy != nil {
			b.writer.dropReader(proxy)
		}
	}
}

// publish announces an endpoint with a discovery writer, instead of its earlier announcement.
func (p *Participant) publish(w *Writer, data *wire.EndpointData, now time.Time) {
	p.makeDiscoveryRoom(w, now)
	w.forget(data.GUID.Entity)
	c := w.hist.blank()
	c.kind, c.at, c.key = wire.PayloadData, now, data.GUID.Entity
	c.setPayload(data.AppendPayload(nil))
	w.hist.push(c)
	w.sendFresh(c, now)
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
	w.hist.push(c)
	w.sendFresh(c, now)
}

// forget removes the announcement of an endpoint from a discovery writer's history.
func (w *Writer) forget(key wire.EntityID) {
	for sn := w.hist.first; sn < w.hist.next; sn++ {
		if c := w.hist.get(sn); c != nil && c.key == key {
			w.hist.remove(sn)
		}
	}
}

// makeDiscoveryRoom removes disposals that every participant has, and moves the oldest announcement up if the span is used up.
func (p *Participant) makeDiscoveryRoom(w *Writer, now time.Time) {
	acked := w.ackedByAll()
	for sn := w.hist.first; sn <= acked; sn++ {
		if c := w.hist.get(sn); c != nil && c.kind == wire.PayloadKey {
			w.hist.remove(sn)
		}
	}
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
	w.hist.push(c)
	w.sendFresh(c, now)
}

// onEndpointSample takes an announcement or disposal of a remote endpoint.
func (p *Participant) onEndpointSample(w *writerProxy, info *sampleInfo, payload []byte) {
	if info.kind != wire.PayloadData || info.status.Gone() {
		p.onEndpointDisposal(w, info, payload)
		return
	}
	var data wire.EndpointData
	var err error
	if w.r == p.builtins[0].reader {
		data, err = wire.DecodePublication(payload)
	} else {
		data, err = wire.DecodeSubscription(payload)
	}
	now := p.in.now
	isWriter := w.r == p.builtins[0].reader
	if err != nil || data.GUID.Prefix != w.remote.prefix || data.IsWriter() != isWriter || data.GUID.Entity.IsBuiltin() {
		p.stats.RefusedEndpoints++
		p.complain(now, "endpoint announcement refused", "participant", w.remote.prefix, "guid", data.GUID, "error", err)
		return
	}
	if data.Vendor == wire.VendorUnknown {
		data.Vendor = w.remote.data.Vendor
	}
	p.takeEndpoint(w.remote, &data, now)
}

// takeEndpoint adds or updates a remote endpoint.
func (p *Participant) takeEndpoint(r *remoteParticipant, data *wire.EndpointData, now time.Time) {
	ep := r.endpoints[data.GUID.Entity]
	switch {
	case ep == nil && len(r.endpoints) >= p.cfg.Limits.Endpoints:
		p.stats.RefusedEndpoints++
		p.complain(now, "too many endpoints", "participant", r.prefix, "limit", p.cfg.Limits.Endpoints)
	case ep == nil:
		ep = &remoteEndpoint{owner: r, data: data}
		r.endpoints[data.GUID.Entity] = ep
		p.emit(DiscoveryEvent{Kind: EndpointFound, Participant: r.data, Endpoint: data})
		p.matchEndpoint(ep, now)
	case !reflect.DeepEqual(ep.data, data):
		rematch := needsRematch(ep.data, data)
		if rematch {
			p.unmatchEndpoint(ep)
		}
		ep.data = data
		p.emit(DiscoveryEvent{Kind: EndpointChanged, Participant: r.data, Endpoint: data})
		if rematch {
			p.matchEndpoint(ep, now)
		}
	}
}

// needsRematch reports whether an update changes more than the user data.
func needsRematch(a, b *wire.EndpointData) bool {
	c := *a
	c.UserData, c.EntityName = b.UserData, b.EntityName
	return !reflect.DeepEqual(&c, b)
}

// onEndpointDisposal takes the disposal of a remote endpoint, which only its own participant may send, from an address of its own.
func (p *Participant) onEndpointDisposal(w *writerProxy, info *sampleInfo, payload []byte) {
	guid := info.key
	if guid.IsZero() {
		d := wire.Data{Writer: w.guid.Entity, Kind: info.kind, Payload: payload}
		guid, _ = wire.BuiltinKey(&d)
	}
	ep := w.remote.endpoints[guid.Entity]
	if guid.Prefix != w.remote.prefix || !w.remote.knows(p.in.from.Addr()) {
		p.stats.RefusedDisposals++
		p.complain(p.in.now, "endpoint disposal refused", "endpoint", guid, "from", p.in.from)
		return
	}
	if ep != nil {
		delete(w.remote.endpoints, guid.Entity)
		p.removeEndpoint(ep)
	}
}

// removeEndpoint ends the matches of a remote endpoint that is gone.
func (p *Participant) removeEndpoint(ep *remoteEndpoint) {
	p.unmatchEndpoint(ep)
	p.emit(DiscoveryEvent{Kind: EndpointGone, Participant: ep.owner.data, Endpoint: ep.data})
}
