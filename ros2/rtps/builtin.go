// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// discoveryHistory is the span of sequence numbers in a discovery writer's history, which keeps the latest announcement
// of each endpoint.
const discoveryHistory = 1 << 18

// livelinessHistory is the same for the liveliness writer, which keeps one message for each of two liveliness kinds.
const livelinessHistory = 16

// discoveryQoS returns the QoS of the built-in endpoints of SEDP and WLP (DDSI-RTPS 8.5.4.2): reliable,
// transient-local.
func discoveryQoS() wire.QoS {
	q := wire.DefaultWriterQoS()
	q.Durability, q.History = wire.TransientLocal, wire.KeepAll
	return q
}

// builtinPair is a local built-in writer and the local built-in reader of the same topic, with their bits in the
// announcement.
type builtinPair struct {
	writer               *Writer
	reader               *Reader
	hasWriter, hasReader wire.BuiltinEndpoints
	secure               bool // connected with authenticated participants, see secured
}

// builtinEndpoints are the participant's endpoints of SEDP and WLP. Guarded by Participant.mu.
type builtinEndpoints struct {
	pairs         []builtinPair
	data          *wire.EndpointData // of all remote built-in endpoints, which differ only in their GUIDs
	publications  *Writer
	subscriptions *Writer
	messages      *Writer // of WLP
}

// newBuiltins creates the built-in endpoints.
func (p *Participant) newBuiltins() {
	e := &p.builtins
	e.data = &wire.EndpointData{QoS: discoveryQoS()}
	pair := func(history int, writer, reader wire.EntityID, hasWriter, hasReader wire.BuiltinEndpoints, f func(*writerProxy, *reassembly.Info, []byte)) *Writer {
		w := newWriter(p, WriterConfig{QoS: discoveryQoS(), MaxSamples: history}, writer)
		r := newReader(p, ReaderConfig{QoS: discoveryQoS(), MaxSampleSize: wire.MaxParameterListSize}, reader)
		r.builtin = f
		p.writers[writer] = w
		e.pairs = append(e.pairs, builtinPair{w, r, hasWriter, hasReader, false})
		return w
	}
	e.publications = pair(discoveryHistory, wire.EntityPublicationsWriter, wire.EntityPublicationsReader,
		wire.HasPublicationsWriter, wire.HasPublicationsReader, p.onEndpointSample)
	e.subscriptions = pair(discoveryHistory, wire.EntitySubscriptionsWriter, wire.EntitySubscriptionsReader,
		wire.HasSubscriptionsWriter, wire.HasSubscriptionsReader, p.onEndpointSample)
	e.messages = pair(livelinessHistory, wire.EntityParticipantMessageWriter, wire.EntityParticipantMessageReader,
		wire.HasParticipantMessageWriter, wire.HasParticipantMessageReader, p.onLivelinessSample)
	p.secure.newBuiltins()
}

// connect matches the built-in endpoints with those that a participant announces, without endpoint discovery.
func (e *builtinEndpoints) connect(r *remoteParticipant, now time.Time) {
	for _, b := range e.pairs {
		if b.secure {
			continue
		}
		guid := func(id wire.EntityID) wire.GUID { return wire.GUID{Prefix: r.Prefix(), Entity: id} }
		if r.Data().BuiltinEndpoints.Has(b.hasWriter) {
			b.reader.addWriter(newWriterProxy(b.reader, r, guid(b.writer.guid.Entity), e.data, r.Metatraffic()), now)
		}
		if r.Data().BuiltinEndpoints.Has(b.hasReader) {
			b.writer.addReader(&readerProxy{remote: r, guid: guid(b.reader.guid.Entity), data: e.data, dest: r.Metatraffic()}, now)
		}
	}
}

// disconnect removes the matches that connect made.
func (e *builtinEndpoints) disconnect(r *remoteParticipant) {
	for _, b := range e.pairs {
		if w := b.reader.writer(wire.GUID{Prefix: r.Prefix(), Entity: b.writer.guid.Entity}); w != nil {
			b.reader.dropWriter(w)
		}
		if proxy := b.writer.reader(wire.GUID{Prefix: r.Prefix(), Entity: b.reader.guid.Entity}); proxy != nil {
			b.writer.dropReader(proxy)
		}
	}
}
