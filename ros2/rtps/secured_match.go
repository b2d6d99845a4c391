// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// errRules means that the governance of a peer protects a topic in another way.
var errRules = errors.New("the governance of the peer protects the topic in another way")

// mayMatch reports whether a local endpoint may match a remote one now: it is permitted, and the keys of both have been
// exchanged. Otherwise the match follows when the keys arrive.
func (s *secured) mayMatch(local wire.EntityID, own, remote *wire.EndpointData, now time.Time) bool {
	rules := s.plugin.Access.Topic(own.Topic)
	if err := permits(s.p.remotes[remote.GUID.Prefix], &rules, own, remote); err != nil {
		s.p.drop(DropSecurity)
		s.refused(&s.events.status.Endpoints, now, "endpoint refused", "topic", own.Topic, "endpoint", remote.GUID, "writer", remote.IsWriter(), "error", err)
		return false
	}
	return s.exchangeKeys(local, remote.GUID)
}

// permits checks the permissions of r, the participant of a remote endpoint. The error wraps security.ErrDenied, or
// says what else does not fit.
func permits(r *remoteParticipant, rules *security.TopicRules, own, remote *wire.EndpointData) error {
	if r.secure.permissions == nil {
		if *rules == (security.TopicRules{}) {
			return nil
		}
		return fmt.Errorf("%w: the topic is protected, and the participant is not authenticated", security.ErrDenied)
	}
	if remote.Security.Attributes&wire.SecurityValid != 0 && remote.Security != own.Security {
		return fmt.Errorf("%w: %x instead of %x", errRules, remote.Security, own.Security)
	}
	switch {
	case remote.IsWriter() && rules.WriteControl:
		return r.secure.permissions.Publish(remote.Topic, remote.QoS.Partition)
	case !remote.IsWriter() && rules.ReadControl:
		return r.secure.permissions.Subscribe(remote.Topic, remote.QoS.Partition)
	}
	return nil
}

// exchangeKeys sends the keys of a local endpoint for a remote one, once, and reports whether those of the remote one
// have arrived.
func (s *secured) exchangeKeys(local wire.EntityID, remote wire.GUID) bool {
	class := wire.ClassReaderTokens
	if isWriter(local) {
		class = wire.ClassWriterTokens
	}
	if tokens := s.shield.EndpointTokens(local, remote); len(tokens) > 0 {
		s.sendKeys(class, wire.GUID{Prefix: s.p.guid.Prefix, Entity: local}, remote, tokens)
	}
	ready, err := s.shield.Ready(local, remote, class == wire.ClassReaderTokens)
	if err != nil {
		s.refused(&s.events.status.Endpoints, s.p.in.now, "endpoint refused", "endpoint", remote, "error", err)
	}
	return ready
}

// sendKeys sends tokens with keys of a local participant or endpoint.
func (s *secured) sendKeys(class string, from, to wire.GUID, tokens []wire.DataHolder) {
	if len(tokens) == 0 {
		return
	}
	s.number++
	m := wire.GenericMessage{
		Identity: wire.MessageIdentity{Source: s.volatile.guid, Number: s.number}, Class: class, Data: tokens,
		DestinationParticipant: wire.GUID{Prefix: to.Prefix, Entity: wire.EntityParticipant},
	}
	if class != wire.ClassParticipantTokens {
		m.DestinationEndpoint, m.SourceEndpoint = to, from
	}
	s.send(s.volatile, wire.GUID{Prefix: to.Prefix, Entity: wire.EntityVolatileReader}, &m)
}

// onKeys handles keys from a peer.
func (s *secured) onKeys(w *writerProxy, info *reassembly.Info, payload []byte) {
	if info.Kind != wire.PayloadData {
		return
	}
	m, err := wire.DecodeGenericMessage(payload)
	if err == nil && (m.DestinationParticipant.Prefix == s.p.guid.Prefix) {
		err = s.takeKeys(w.remote, &m)
	}
	if err != nil {
		s.p.drop(DropSecurity)
		s.refused(&s.events.status.Participants, s.p.in.now, "keys refused", "participant", w.remote.Prefix(), "class", m.Class, "error", err)
	}
}

// takeKeys stores keys, and matches the endpoints that waited for them. The error is that of package shield.
func (s *secured) takeKeys(r *remoteParticipant, m *wire.GenericMessage) error {
	switch m.Class {
	case wire.ClassParticipantTokens:
		return s.shield.SetParticipantTokens(r.Prefix(), m.Data)
	case wire.ClassWriterTokens, wire.ClassReaderTokens:
	default:
		return nil
	}
	local, remote := m.DestinationEndpoint, m.SourceEndpoint
	if remote.Prefix != r.Prefix() || local.Prefix != s.p.guid.Prefix || isWriter(remote.Entity) != (m.Class == wire.ClassWriterTokens) {
		return nil
	}
	if err := s.shield.SetEndpointTokens(remote, local.Entity, m.Data); err != nil {
		return err
	}
	if remote.Entity.IsBuiltin() {
		s.connectBuiltin(local.Entity, remote, s.p.in.now)
	} else if ep := r.Endpoint(remote.Entity); ep != nil {
		s.p.matchEndpoint(ep, s.p.in.now)
	}
	return nil
}

// The least time between two log lines about refusals: about another one than before, and about the same.
const (
	refusalLogPeriod = time.Second
	sameRefusalAgain = time.Minute
)

// securityEvents counts refusals and logs them: any machine can cause as many as it likes.
type securityEvents struct {
	status SecurityStatus
	logged time.Time
}

// refused counts a refusal, and logs it unless one was logged just before, or the same one not long ago. Names in args
// come from the network: those are quoted.
func (s *secured) refused(count *uint64, now time.Time, msg string, args ...any) {
	e := &s.events
	*count++
	since := now.Sub(e.logged)
	if since < refusalLogPeriod {
		return
	}
	text := msg
	for i := 0; i+1 < len(args); i += 2 {
		text += fmt.Sprintf(", %s %s", args[i], quoted(args[i+1]))
	}
	if text == e.status.Last && since < sameRefusalAgain {
		return
	}
	e.status.Last, e.logged = text, now
	s.p.log.Warn(msg, args...)
}

// quoted returns a value as text: strings and errors quoted, whose characters may be a stranger's.
func quoted(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case error:
		return fmt.Sprintf("%q", v.Error())
	}
	return fmt.Sprint(v)
}
