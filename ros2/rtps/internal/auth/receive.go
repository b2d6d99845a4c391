// SPDX-License-Identifier: Apache-2.0

package auth

import (
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// OnMessage handles a message of the topic ParticipantStatelessMessage from a participant. Any machine can have sent
// it.
func (m *Manager) OnMessage(from wire.GUIDPrefix, msg *wire.GenericMessage, now time.Time) {
	s := m.sessions[from]
	to := msg.DestinationParticipant
	if s == nil || len(msg.Data) != 1 || msg.Identity.Source.Prefix != from || to != m.local && !(to.IsZero() && msg.Class == wire.ClassAuthRequest) {
		return
	}
	if s.renewal != nil {
		s.renewal.handleOrKeep(msg, now)
	}
	s.handleOrKeep(msg, now)
}

// handleOrKeep handles a message, or keeps it while a computation is running.
func (s *session) handleOrKeep(msg *wire.GenericMessage, now time.Time) {
	if s.busy {
		s.keep(msg)
		return
	}
	s.handle(msg, now)
}

// keep keeps a message until the running computation has ended, replacing an earlier one of its kind.
func (s *session) keep(msg *wire.GenericMessage) {
	s.waiting = slices.DeleteFunc(s.waiting, func(e *wire.GenericMessage) bool { return kindOf(e) == kindOf(msg) })
	if kindOf(msg) != "" {
		s.waiting = append(s.waiting, msg)
	}
}

// kindOf returns the part of the token's class that names the kind of message: "Req", "Reply", "Final" or "AuthReq",
// else "".
func kindOf(msg *wire.GenericMessage) string {
	_, kind, _ := strings.Cut(msg.Data[0].ClassID, "+")
	switch kind {
	case "Req", "Reply", "Final", "AuthReq":
		return kind
	}
	return ""
}

// next handles the messages that were kept.
func (s *session) next(now time.Time) {
	for len(s.waiting) > 0 && !s.busy && !s.gone {
		msg := s.waiting[0]
		s.waiting = slices.Delete(s.waiting, 0, 1)
		s.handle(msg, now)
	}
}

// handle handles a message while no computation is running.
func (s *session) handle(msg *wire.GenericMessage, now time.Time) {
	if s.handshake == nil {
		return
	}
	token := msg.Data[0]
	sum := digest(&token)
	switch kind := kindOf(msg); {
	case msg.Class == wire.ClassAuthRequest && kind == "AuthReq":
		switch {
		case !s.done:
			s.seen = sum
			_ = s.handshake.OnAuthRequest(token) // a malformed one is as good as none
		case s.seen != sum && s.handshake.Initiates():
			s.renew(msg, now)
		}
	case msg.Class != wire.ClassHandshake:
	case string(s.answers) == sum && s.last != nil: // it was repeated: the answer was lost
		s.m.host.SendStateless(s.remote.Prefix, s.last, now)
	case s.done && kind == "Req" && !s.handshake.Initiates():
		s.renew(msg, now)
	case s.done || now.Before(s.notBefore):
	case kind == "Req" && !s.handshake.Initiates():
		if !now.Before(s.nextRequest) {
			s.nextRequest = now.Add(requestSpacing)
			s.reply(msg, sum)
		}
	case kind == "Reply" && s.handshake.Initiates():
		s.final(msg, sum)
	case kind == "Final" && !s.handshake.Initiates() && s.last != nil:
		s.finish(msg)
	}
}

// digest identifies a token.
func digest(t *wire.DataHolder) string {
	h := sha256.Sum256(wire.AppendBinaryProperties([]byte(t.ClassID), t.Binary))
	return string(h[:])
}

// reply answers a request.
func (s *session) reply(msg *wire.GenericMessage, sum string) {
	var token wire.DataHolder
	var err error
	s.compute(func() { token, err = s.handshake.Reply(msg.Data[0]) }, func(now time.Time) {
		if err != nil {
			s.refuse(now, err)
			return
		}
		s.answer(msg, sum, token, now)
	})
}

// answer sends the answer to a message, and keeps it for repetitions.
func (s *session) answer(msg *wire.GenericMessage, sum string, token wire.DataHolder, now time.Time) {
	s.last, s.answers, s.request = s.m.message(s, wire.ClassHandshake, msg.Identity, token), []byte(sum), nil
	if s.renews == nil {
		s.repeats = 0
	}
	s.repeat(now)
}

// final answers a reply, and authenticates its sender.
func (s *session) final(msg *wire.GenericMessage, sum string) {
	var token wire.DataHolder
	var peer *security.Peer
	var err error
	s.compute(func() { token, peer, err = s.handshake.Final(msg.Data[0]) }, func(now time.Time) {
		if err != nil {
			s.refuse(now, err)
			return
		}
		s.answer(msg, sum, token, now)
		s.authenticated(peer, now)
	})
}

// finish checks the last message, and authenticates its sender.
func (s *session) finish(msg *wire.GenericMessage) {
	var peer *security.Peer
	var err error
	s.compute(func() { peer, err = s.handshake.Finish(msg.Data[0]) }, func(now time.Time) {
		if err != nil {
			s.refuse(now, err)
			return
		}
		s.authenticated(peer, now)
	})
}

// renew authenticates a peer again that begins another handshake: this participant's lease ended there. Until that
// succeeds, what was agreed remains valid, because the message may be forged.
func (s *session) renew(msg *wire.GenericMessage, now time.Time) {
	if s.renewal != nil || now.Before(s.notBefore) || !s.lost(now) {
		return
	}
	s.notBefore = now.Add(renewalSpacing)
	s.renewal = &session{m: s.m, remote: s.remote, identity: s.identity, permissions: s.permissions, renews: s}
	s.renewal.begin()
	s.renewal.keep(msg)
}

// lost reports whether the peer has lost this participant: it is silent, and does not answer what is protected. A
// forged message, however often it is sent, makes an idle peer answer and no more.
func (s *session) lost(now time.Time) bool {
	heard := s.m.host.Heard(s.remote.Prefix)
	if now.Sub(heard) < renewalSilence {
		return false
	}
	if s.asked.IsZero() || !heard.Before(s.asked) || now.Sub(s.asked) > askExpiry {
		s.asked, s.askedAgain = now, now
		s.m.host.Ask(s.remote.Prefix, now)
		return false
	}
	if now.Sub(s.askedAgain) >= askSpacing {
		s.askedAgain = now
		s.m.host.Ask(s.remote.Prefix, now)
	}
	return now.Sub(s.asked) >= askAnswer
}

// authenticated ends the repetitions and reports the peer.
func (s *session) authenticated(peer *security.Peer, now time.Time) {
	s.done = true
	if s.renews != nil && !s.renews.gone {
		s.renews.renewal = nil
		s.renews.end()
		s.renews, s.m.sessions[s.remote.Prefix] = nil, s
	}
	s.m.alarms.Cancel(&s.alarm)
	s.m.host.Authenticated(s.remote.Prefix, peer, now)
}

// refuse logs a rejected message.
func (s *session) refuse(now time.Time, err error) {
	s.notBefore = now.Add(checkSpacing)
	s.m.host.LogRefused(s.remote.Prefix, now, err)
}
