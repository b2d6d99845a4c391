// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/auth"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// securedPeer is what a secured participant knows of a remote one.
type securedPeer struct {
	connected   bool                 // its built-in endpoints are
	permissions security.Permissions // nil before it is authenticated
	heard       time.Time            // when something that it protected arrived last
	refused     error                // why it is not authenticated, by the last refusal
	messages    reassembly.Assembler // of the fragments of handshakes
}

var _ auth.Host = (*secured)(nil)

// errUnauthenticated means that a participant announces no identity.
var errUnauthenticated = errors.New("it announces no identity")

// found begins the authentication of a new participant. One without identity may use topics that are not protected, if
// the governance allows that.
func (s *secured) found(r *remoteParticipant, now time.Time) {
	r.secure = &securedPeer{messages: reassembly.New(&r.discoveryMemory, &s.p.assembly, wire.MaxParameterListSize, &s.p.datagrams, nil)}
	reader := wire.GUID{Prefix: r.Prefix(), Entity: wire.EntityStatelessReader}
	s.stateless.addReader(&readerProxy{remote: r, guid: reader, data: s.handshakes, dest: r.Metatraffic()}, now)
	s.authenticate(r, now)
}

// authenticate begins or continues the authentication of a participant after an announcement.
func (s *secured) authenticate(r *remoteParticipant, now time.Time) {
	switch d := r.Data().Security; {
	case d != nil && !d.Identity.IsZero(): // also if an announcement without, which may be forged, came first
		s.auth.Begin(r.Data().GUID, &d.Identity, &d.Permissions)
	case r.secure.connected:
	case s.domain.AllowUnauthenticated:
		r.secure.connected = true
		s.p.connect(r, now)
	default:
		s.LogRefused(r.Prefix(), now, errUnauthenticated)
	}
}

// changed handles a changed announcement: the first one may have been forged.
func (s *secured) changed(r *remoteParticipant) {
	if s == nil {
		return
	}
	for _, proxy := range s.stateless.readers {
		if proxy.remote == r {
			proxy.dest = r.Metatraffic()
		}
	}
	s.authenticate(r, s.p.in.now)
}

// gone forgets a participant.
func (s *secured) gone(prefix wire.GUIDPrefix) {
	if s == nil {
		return
	}
	s.auth.End(prefix)
	s.shield.RemovePeer(prefix)
	s.p.remotes[prefix].secure.messages.Close()
	if r := s.stateless.reader(wire.GUID{Prefix: prefix, Entity: wire.EntityStatelessReader}); r != nil {
		s.stateless.dropReader(r)
	}
}

// onStateless handles a message of a handshake.
func (s *secured) onStateless(r *remoteParticipant, payload []byte) {
	if r == nil {
		return
	}
	m, err := wire.DecodeGenericMessage(payload)
	if err != nil {
		s.p.drop(DropSecurity)
		s.LogRefused(r.Prefix(), s.p.in.now, err)
		return
	}
	s.auth.OnMessage(r.Prefix(), &m, s.p.in.now)
}

// onStatelessFragments handles fragments of such a message.
func (s *secured) onStatelessFragments(r *remoteParticipant, m *wire.DataFrag) {
	if r == nil {
		return
	}
	done, _ := r.secure.messages.Add(m, reassembly.Info{}, false, s.p.in.now)
	if done == nil {
		return
	}
	s.onStateless(r, done.Data)
	r.secure.messages.Recycle(done)
}

// SendStateless implements auth.Host.
func (s *secured) SendStateless(to wire.GUIDPrefix, m *wire.GenericMessage, _ time.Time) {
	s.send(s.stateless, wire.GUID{Prefix: to, Entity: wire.EntityStatelessReader}, m)
}

// send writes a message for one reader.
func (s *secured) send(w *Writer, reader wire.GUID, m *wire.GenericMessage) {
	if w.reader(reader) == nil {
		return
	}
	payload := m.AppendPayload(nil)
	err := w.writeLocked(func(c *history.Change) {
		c.SetPayload(payload)
		c.Direct(reader)
	}, len(payload))
	if err != nil {
		s.p.log.Error("a message of DDS Security is not sent", "class", m.Class, "to", reader, "error", err)
	}
}

// LogRefused implements auth.Host.
func (s *secured) LogRefused(prefix wire.GUIDPrefix, now time.Time, err error) {
	name := ""
	if r := s.p.remotes[prefix]; r != nil {
		name, r.secure.refused = r.Data().EntityName, err
	}
	s.refused(&s.events.status.Participants, now, "participant not authenticated", "participant", prefix, "name", name, "error", err)
}

// Heard implements auth.Host. What was recorded and is sent again counts, too: it can delay a renewal, as jamming can.
func (s *secured) Heard(prefix wire.GUIDPrefix) time.Time {
	if r := s.p.remotes[prefix]; r != nil {
		return r.secure.heard
	}
	return time.Time{}
}

// Ask implements auth.Host by a heartbeat, which the reader of keys answers.
func (s *secured) Ask(prefix wire.GUIDPrefix, now time.Time) {
	if r := s.volatile.reader(wire.GUID{Prefix: prefix, Entity: wire.EntityVolatileReader}); r != nil {
		r.sendHeartbeat(false, s.p.alarms.Instant(now))
	}
}

// ShouldRepeat implements auth.Host.
func (s *secured) ShouldRepeat(prefix wire.GUIDPrefix, tries int, last time.Time) bool {
	r := s.p.remotes[prefix]
	return r != nil && r.ShouldRetry(tries, last)
}

// Compute implements auth.Host.
func (s *secured) Compute(work func(), done func(now time.Time)) {
	s.p.loop.Go("handshakes", func() {
		work()
		s.p.mu.Lock()
		defer s.p.unlock()
		if !s.p.closed {
			done(time.Now())
		}
	})
}

// Authenticated implements auth.Host: it connects the built-in endpoints and exchanges the keys.
func (s *secured) Authenticated(prefix wire.GUIDPrefix, peer *security.Peer, now time.Time) {
	r := s.p.remotes[prefix]
	if r == nil {
		return
	}
	again := r.secure.connected
	if again {
		s.disconnect(r)
	}
	vendor, ok := wire.HandshakeVendor(peer.Data) // what it has signed counts
	if !ok {
		vendor = r.Data().Vendor
	}
	if err := s.shield.AddPeer(prefix, &peer.Secret, vendor == wire.VendorCyclone); err != nil {
		s.LogRefused(prefix, now, err)
		return
	}
	s.p.log.Info("participant authenticated", "participant", prefix, "name", r.Data().EntityName, "subject", peer.Name)
	r.secure.permissions, r.secure.connected = peer.Permissions, true
	guid := func(id wire.EntityID) wire.GUID { return wire.GUID{Prefix: prefix, Entity: id} }
	volatile := s.p.builtins.find(s.volatile)
	volatile.reader.addWriter(newWriterProxy(volatile.reader, r, guid(wire.EntityVolatileWriter), s.exchange, r.Metatraffic()), now)
	s.volatile.addReader(&readerProxy{remote: r, guid: guid(wire.EntityVolatileReader), data: s.exchange, dest: r.Metatraffic()}, now)
	s.sendKeys(wire.ClassParticipantTokens, s.p.guid, r.Data().GUID, s.shield.ParticipantTokens(prefix))
	s.p.connect(r, now)
	for _, b := range s.pairs {
		if r.Data().BuiltinEndpoints.Has(b.hasWriter) {
			s.connectBuiltin(b.reader.guid.Entity, guid(b.writer.guid.Entity), now)
		}
		if r.Data().BuiltinEndpoints.Has(b.hasReader) {
			s.connectBuiltin(b.writer.guid.Entity, guid(b.reader.guid.Entity), now)
		}
	}
	if again {
		for e := range s.p.directory.Endpoints() {
			if e.Participant() == r.Participant {
				s.p.matchEndpoint(e, now)
			}
		}
	}
}

// disconnect ends all matches with a participant, which is authenticated again because it has lost its state of this
// one.
func (s *secured) disconnect(r *remoteParticipant) {
	for e := range s.p.directory.Endpoints() {
		if e.Participant() == r.Participant {
			s.p.unmatchEndpoint(e, s.p.topics.on(e.Data().Topic).writers)
		}
	}
	s.p.builtins.disconnect(r)
	s.p.tx.Discard(r.Prefix())
}

// connectBuiltin sends the keys of a built-in endpoint for a remote one, and connects the two if the keys of the remote
// one have arrived.
func (s *secured) connectBuiltin(local wire.EntityID, remote wire.GUID, now time.Time) {
	r := s.p.remotes[remote.Prefix]
	if !s.exchangeKeys(local, remote) {
		return
	}
	for _, b := range s.pairs {
		switch {
		case b.writer.guid.Entity == local && b.writer.reader(remote) == nil:
			b.writer.addReader(&readerProxy{remote: r, guid: remote, data: s.p.builtins.data, dest: r.Metatraffic()}, now)
		case b.reader.guid.Entity == local && b.reader.writer(remote) == nil:
			b.reader.addWriter(newWriterProxy(b.reader, r, remote, s.p.builtins.data, r.Metatraffic()), now)
		}
	}
}

// find returns the pair of a local writer.
func (e *builtinEndpoints) find(w *Writer) builtinPair {
	for _, b := range e.pairs {
		if b.writer == w {
			return b
		}
	}
	return builtinPair{}
}
