// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/auth"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/discovery"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shield"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// secured is what a participant of a secured domain has in addition (DDS Security 1.1): it authenticates others before
// it connects with them, exchanges keys with them, protects what it sends and checks what it receives. It is nil
// without security. Guarded by Participant.mu.
type secured struct {
	p      *Participant
	plugin *security.Config
	domain security.DomainRules
	data   wire.ParticipantSecurity // announced
	shield *shield.Shield
	auth   *auth.Manager
	number int64 // of the last message with keys
	events securityEvents
	plain  [2][]byte // the datagram being handled, without its protection: of discovery, of user traffic

	// The built-in endpoints of secured participants.
	pairs         []builtinPair
	stateless     *Writer // handshakes
	volatile      *Writer // keys
	publications  *Writer
	subscriptions *Writer
	messages      *Writer
	participants  *Writer
	exchange      *wire.EndpointData // of all remote endpoints for keys
	handshakes    *wire.EndpointData // of all remote endpoints for handshakes
}

// newSecured prepares the security of the participant, if it is configured. The error says what failed.
func (p *Participant) newSecured() (err error) {
	if p.cfg.Security == nil {
		return nil
	}
	s := &secured{p: p, plugin: p.cfg.Security, domain: p.cfg.Security.Access.Domain()}
	s.data = wire.ParticipantSecurity{
		Identity: s.plugin.Authentication.IdentityToken(), Permissions: s.plugin.Authentication.PermissionsToken(), Info: s.domain.Info(),
	}
	if s.shield, err = shield.New(p.guid.Prefix, s.domain.RTPS); err != nil {
		return fmt.Errorf("rtps: security: %w", err)
	}
	data := wire.ParticipantData{GUID: p.guid, Vendor: wire.VendorOwn, Security: &s.data}
	s.auth = auth.New(p.guid, data.AppendHandshakeData(nil), s.plugin.Authentication, s, p.alarms)
	p.tx.Protect(s.shield.Seal)
	p.secure = s
	return nil
}

// handshakeHistory is how many messages of handshakes are kept until they are sent.
const handshakeHistory = 64

// handshakeQoS returns the QoS of the endpoints for handshakes: best effort, volatile.
func handshakeQoS() wire.QoS {
	q := wire.DefaultWriterQoS()
	q.Reliability, q.Durability, q.History, q.Depth = wire.BestEffort, wire.Volatile, wire.KeepLast, handshakeHistory
	return q
}

// exchangeQoS returns the QoS of the endpoints for keys: reliable, volatile.
func exchangeQoS() wire.QoS {
	q := wire.DefaultWriterQoS()
	q.Reliability, q.Durability, q.History = wire.Reliable, wire.Volatile, wire.KeepAll
	return q
}

// exchangeHistory bounds the keys that peers have not acknowledged: a thousand endpoints that match in several peers.
const exchangeHistory = 1 << 16

// newBuiltins creates the built-in endpoints of a secured participant.
func (s *secured) newBuiltins() {
	if s == nil {
		return
	}
	p := s.p
	s.exchange, s.handshakes = &wire.EndpointData{QoS: exchangeQoS()}, &wire.EndpointData{QoS: handshakeQoS()}
	s.stateless = newWriter(p, WriterConfig{QoS: handshakeQoS()}, wire.EntityStatelessWriter)
	p.writers[wire.EntityStatelessWriter] = s.stateless
	pair := func(qos wire.QoS, history int, writer, reader wire.EntityID, has wire.BuiltinEndpoints, f func(*writerProxy, *reassembly.Info, []byte)) *Writer {
		w := newWriter(p, WriterConfig{QoS: qos, MaxSamples: history}, writer)
		r := newReader(p, ReaderConfig{QoS: qos, MaxSampleSize: wire.MaxParameterListSize}, reader)
		r.builtin = f
		p.writers[writer] = w
		p.builtins.pairs = append(p.builtins.pairs, builtinPair{w, r, has, has << 1, true})
		return w
	}
	s.volatile = pair(exchangeQoS(), exchangeHistory, wire.EntityVolatileWriter, wire.EntityVolatileReader, wire.HasVolatileWriter, s.onKeys)
	s.publications = pair(discoveryQoS(), discoveryHistory, wire.EntityPublicationsSecureWriter, wire.EntityPublicationsSecureReader,
		wire.HasPublicationsSecureWriter, p.onEndpointSample)
	s.subscriptions = pair(discoveryQoS(), discoveryHistory, wire.EntitySubscriptionsSecureWriter, wire.EntitySubscriptionsSecureReader,
		wire.HasSubscriptionsSecureWriter, p.onEndpointSample)
	s.messages = pair(discoveryQoS(), livelinessHistory, wire.EntityParticipantMessageSecureWriter, wire.EntityParticipantMessageSecureReader,
		wire.HasParticipantMessageSecureWriter, p.onLivelinessSample)
	s.participants = pair(discoveryQoS(), livelinessHistory, wire.EntityParticipantSecureWriter, wire.EntityParticipantSecureReader,
		wire.HasParticipantSecureWriter, s.onParticipant)
	for _, b := range p.builtins.pairs {
		if b.secure && b.writer != s.volatile {
			s.pairs = append(s.pairs, b)
		}
	}
}

// protection returns the protection of a built-in endpoint.
func protection(s *secured, writer *Writer) shield.Protection {
	if writer == s.messages {
		return shield.Protection{Submessage: s.domain.Liveliness}
	}
	return shield.Protection{Submessage: s.domain.Discovery}
}

// announce makes the keys of the built-in endpoints and publishes the participant by secure discovery.
func (s *secured) announce(now time.Time) {
	if s == nil {
		return
	}
	for _, b := range s.pairs {
		for _, e := range []wire.EntityID{b.writer.guid.Entity, b.reader.guid.Entity} {
			if err := s.shield.AddEndpoint(e, protection(s, b.writer), e == b.writer.guid.Entity); err != nil {
				s.p.log.Error("no keys for a built-in endpoint", "entity", e, "error", err)
			}
		}
	}
	c := s.participants.hist.Blank()
	c.Kind, c.At, c.Key = wire.PayloadData, now, wire.EntityParticipant
	c.SetPayload(s.p.directory.Announcement())
	s.participants.announce(c, now)
}

// leave disposes the participant by secure discovery.
func (s *secured) leave() {
	if s != nil {
		s.p.retire(s.participants, s.p.guid)
	}
}

// onParticipant handles a sample of a peer's secure announcements. Only its end matters: what changes is announced
// without protection, too.
func (s *secured) onParticipant(w *writerProxy, info *reassembly.Info, _ []byte) {
	if info.Kind != wire.PayloadData || info.Status.Gone() {
		s.p.directory.Remove(w.remote.Participant, "left")
	}
}

// open returns a received datagram without its protection, and without what must not be processed.
func (s *secured) open(b []byte, from netip.AddrPort, delivers bool) []byte {
	buf := &s.plain[0]
	if delivers {
		buf = &s.plain[1]
	}
	plain, err := s.shield.Open((*buf)[:0], b)
	*buf = plain
	if prefix, ok := s.shield.Opened(); ok {
		if r := s.p.remotes[prefix]; r != nil {
			r.secure.heard = s.p.in.now
		}
	}
	if err != nil {
		s.p.drop(DropSecurity)
		s.refused(&s.events.status.Messages, s.p.in.now, "message refused", "from", from, "error", err)
	}
	return plain
}

// refusesAnnouncement reports whether an announcement must be ignored: any machine can send one, so an authenticated
// participant leaves by secure discovery only, or when its lease ends.
func (s *secured) refusesAnnouncement(r *wire.Receiver, m *wire.Data) bool {
	return s != nil && s.shield.Has(r.SourcePrefix) && (m.Kind != wire.PayloadData || !m.InlineQoS.Empty())
}

// refusesLiveliness reports whether a message of a liveliness writer must be ignored.
func (s *secured) refusesLiveliness(writer wire.EntityID) bool {
	return s != nil && s.domain.Liveliness.Protected() && writer == wire.EntityParticipantMessageWriter
}

// announcer returns the writer that announces an endpoint: that of secure discovery, if the topic's governance says so.
func (s *secured) announcer(plain *Writer, topic string) *Writer {
	if s == nil || !s.plugin.Access.Topic(topic).Discovery {
		return plain
	}
	if plain == s.p.builtins.publications {
		return s.publications
	}
	return s.subscriptions
}

// acceptEndpoint checks that an endpoint is announced by secure discovery if its topic's governance says so.
func (s *secured) acceptEndpoint(_ *discovery.Participant, data *wire.EndpointData, writer wire.EntityID) error {
	secure := writer == wire.EntityPublicationsSecureWriter || writer == wire.EntitySubscriptionsSecureWriter
	if !secure && s.plugin.Access.Topic(data.Topic).Discovery {
		s.p.drop(DropSecurity)
		return shield.ErrUnprotected
	}
	return nil
}

// info returns how endpoints of a topic are protected, as it is announced; zero without security.
func (s *secured) info(topic string) wire.SecurityInfo {
	if s == nil {
		return wire.SecurityInfo{}
	}
	return s.plugin.Access.Topic(topic).Info()
}

// addEndpoint checks the local permissions for an endpoint and makes its keys. The error wraps security.ErrDenied.
func (s *secured) addEndpoint(e wire.EntityID, topic string, partitions []string) error {
	if s == nil {
		return nil
	}
	writer := isWriter(e)
	if err := s.allowed(writer, topic, partitions); err != nil {
		return err
	}
	rules := s.plugin.Access.Topic(topic)
	return s.shield.AddEndpoint(e, shield.Protection{Submessage: rules.Metadata, Payload: rules.Data}, writer)
}

// allowed returns an error that wraps security.ErrDenied if the participant must not have a writer, or a reader, of a
// topic.
func (s *secured) allowed(writer bool, topic string, partitions []string) error {
	rules, local := s.plugin.Access.Topic(topic), s.plugin.Access.Local()
	switch {
	case writer && rules.WriteControl:
		if err := local.Publish(topic, partitions); err != nil {
			return fmt.Errorf("rtps: a writer of %q: %w", topic, err)
		}
	case !writer && rules.ReadControl:
		if err := local.Subscribe(topic, partitions); err != nil {
			return fmt.Errorf("rtps: a reader of %q: %w", topic, err)
		}
	}
	return nil
}

// MayWrite returns an error that wraps security.ErrDenied if the permissions of this participant do not allow a writer of
// a topic, and nil without security: what is not allowed can be reported before a peer is waited for.
func (p *Participant) MayWrite(topic string) error {
	if p.secure == nil {
		return nil
	}
	return p.secure.allowed(true, topic, nil)
}

// isWriter reports whether an entity is a writer.
func isWriter(e wire.EntityID) bool {
	return (&wire.EndpointData{GUID: wire.GUID{Entity: e}}).IsWriter()
}

// keyOf identifies the key that protects what a remote writer sends to a local reader; zero without.
func keyOf(s *secured, reader wire.EntityID, writer wire.GUID) (k shield.KeyPrint) {
	if s != nil {
		k = s.shield.KeyOf(reader, writer)
	}
	return k
}

// forgetLocal and forgetRemote remove the keys of an endpoint that is gone.
func (s *secured) forgetLocal(e wire.EntityID) {
	if s != nil {
		s.p.tx.Flush(true) // what it wrote is protected when it is sent
		s.shield.RemoveEndpoint(e)
	}
}

func (s *secured) forgetRemote(guid wire.GUID) {
	if s != nil {
		s.shield.ForgetRemote(guid)
	}
}
