// SPDX-License-Identifier: Apache-2.0

// Package auth authenticates the participants of a secured domain: it runs a handshake with each one (DDS Security 1.1,
// 8.3.2.8), repeats its messages, which may be lost, and computes aside, one handshake at a time. Its state is guarded
// by its host's lock.
package auth

import (
	"bytes"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Host is the participant that authenticates others. Its methods are called with its lock held.
type Host interface {
	// SendStateless sends a message of the topic ParticipantStatelessMessage.
	SendStateless(to wire.GUIDPrefix, m *wire.GenericMessage, now time.Time)
	// Authenticated takes a new authenticated participant, or new keys of one that was authenticated before.
	Authenticated(prefix wire.GUIDPrefix, p *security.Peer, now time.Time)
	// LogRefused logs, rate limited, why a participant is not authenticated.
	LogRefused(prefix wire.GUIDPrefix, now time.Time, err error)
	// Heard returns when something that the authenticated participant protected arrived last, zero if nothing did.
	Heard(prefix wire.GUIDPrefix) time.Time
	// Ask sends something protected to an authenticated participant, which that answers unless it has lost this one.
	Ask(prefix wire.GUIDPrefix, now time.Time)
	// ShouldRepeat reports whether to send to a participant again after tries attempts, the last one at the given time:
	// its address may be forged.
	ShouldRepeat(prefix wire.GUIDPrefix, tries int, last time.Time) bool
	// Compute calls work without the lock, aside, and then done with the lock, unless the host is closed.
	Compute(work func(), done func(now time.Time))
}

// Repetition of messages that were not answered.
const (
	firstRepeat = 300 * time.Millisecond
	lastRepeat  = 3 * time.Second
	// checkSpacing is the least time between a rejected message of a handshake and the next one that is checked, since
	// any machine can send messages whose check takes milliseconds.
	checkSpacing = 20 * time.Millisecond
	// requestSpacing is the least time between two requests that are answered: those of others are not signed, and an
	// answer takes as long.
	requestSpacing = 250 * time.Millisecond
	// renewalRepeats is how often the messages of a renewal are sent, whose reason may have been forged, and
	// renewalSpacing the least time between two renewals. A peer that has lost this participant protects nothing for
	// it, so one that has done so within renewalSilence needs none. One that was silent is asked, at most once in
	// askSpacing, and has not answered within askAnswer; after askExpiry it is asked again.
	renewalRepeats = 8
	renewalSpacing = 5 * time.Second
	renewalSilence = 3 * time.Second
	askSpacing     = 200 * time.Millisecond
	askAnswer      = time.Second
	askExpiry      = 30 * time.Second
)

// Manager authenticates the remote participants of one local participant.
type Manager struct {
	local    wire.GUID
	data     []byte // of the local participant, for the handshakes
	plugin   security.Authentication
	host     Host
	alarms   *alarm.Queue
	sessions map[wire.GUIDPrefix]*session
	jobs     []job
	running  bool
	number   int64 // of the last message
}

// job is a computation and what follows it with the lock held.
type job struct {
	of   *session
	work func()
	done func(now time.Time)
}

// session is the authentication of one participant.
type session struct {
	m                     *Manager
	remote                wire.GUID
	identity, permissions wire.DataHolder
	handshake             security.Handshake // nil before Begin returned
	failed                bool               // Begin returned an error
	gone                  bool
	busy                  bool                   // a computation is pending
	waiting               []*wire.GenericMessage // that arrived meanwhile, at most one of each kind
	notBefore             time.Time              // the next message is checked
	nextRequest           time.Time              // the next request is answered
	request               *wire.GenericMessage   // dds.sec.auth_request
	last                  *wire.GenericMessage   // last message of the handshake that was sent …
	answers               []byte                 // … and the token that it answers
	done                  bool                   // this end has authenticated the other
	seen                  string                 // the last dds.sec.auth_request from it
	asked, askedAgain     time.Time              // a silent peer, first and last, because of a request for a renewal
	renewal               *session               // another authentication of a peer that has lost this one, or nil
	renews                *session               // the session that this one renews, or nil
	repeats               int
	tries                 int       // all sends, of which the last was …
	sentAt                time.Time // … then
	alarm                 alarm.Alarm
}

// New returns a manager without sessions.
func New(local wire.GUID, data []byte, plugin security.Authentication, host Host, alarms *alarm.Queue) *Manager {
	return &Manager{local: local, data: data, plugin: plugin, host: host, alarms: alarms, sessions: map[wire.GUIDPrefix]*session{}}
}

// Begin authenticates a participant with the given tokens, which any machine can announce. An authentication that runs
// or has finished continues, unless its plugin has refused other tokens, or may do so.
func (m *Manager) Begin(remote wire.GUID, identity, permissions *wire.DataHolder) {
	if s := m.sessions[remote.Prefix]; s != nil {
		same := s.identity.ClassID == identity.ClassID
		if s.failed {
			same = sameToken(&s.identity, identity) && sameToken(&s.permissions, permissions)
		}
		if s.handshake != nil || same {
			return
		}
		m.End(remote.Prefix)
	}
	m.start(remote, identity, permissions)
}

// start starts a new session.
func (m *Manager) start(remote wire.GUID, identity, permissions *wire.DataHolder) {
	s := &session{m: m, remote: remote, identity: *identity, permissions: *permissions}
	m.sessions[remote.Prefix] = s
	s.begin()
}

// begin prepares the handshake and sends its first message.
func (s *session) begin() {
	m, remote := s.m, s.remote
	s.alarm.Fire = s.repeat
	var h security.Handshake
	var request wire.DataHolder
	var err error
	s.compute(func() {
		if h, err = m.plugin.Begin(m.local, remote, m.data, s.identity, s.permissions); err != nil {
			return
		}
		if h.Initiates() {
			request, err = h.Request()
		}
	}, func(now time.Time) {
		if err != nil {
			s.failed = true
			m.host.LogRefused(remote.Prefix, now, err)
			return
		}
		s.handshake = h
		if token := h.AuthRequest(); !token.IsZero() {
			s.request = m.message(s, wire.ClassAuthRequest, wire.MessageIdentity{}, token)
		}
		if h.Initiates() {
			s.last = m.message(s, wire.ClassHandshake, wire.MessageIdentity{}, request)
		}
		s.repeat(now)
	})
}

// sameToken reports whether two tokens are equal.
func sameToken(a, b *wire.DataHolder) bool {
	return a.ClassID == b.ClassID && slices.Equal(a.Properties, b.Properties) &&
		slices.EqualFunc(a.Binary, b.Binary, func(x, y wire.BinaryProperty) bool { return x.Name == y.Name && bytes.Equal(x.Value, y.Value) })
}

// End forgets a participant.
func (m *Manager) End(prefix wire.GUIDPrefix) {
	if s := m.sessions[prefix]; s != nil {
		s.end()
		delete(m.sessions, prefix)
	}
}

// end ends a session and its renewal.
func (s *session) end() {
	s.gone = true
	s.m.alarms.Cancel(&s.alarm)
	s.m.jobs = slices.DeleteFunc(s.m.jobs, func(j job) bool { return j.of == s })
	if s.renewal != nil {
		s.renewal.end()
	}
}

// message makes a message of a session.
func (m *Manager) message(s *session, class string, related wire.MessageIdentity, token wire.DataHolder) *wire.GenericMessage {
	m.number++
	return &wire.GenericMessage{
		Identity: wire.MessageIdentity{Source: wire.GUID{Prefix: m.local.Prefix, Entity: wire.EntityStatelessWriter}, Number: m.number},
		Related:  related, DestinationParticipant: s.remote, Class: class, Data: []wire.DataHolder{token},
	}
}

// repeat sends the unanswered messages again.
func (s *session) repeat(now time.Time) {
	if s.done || s.gone {
		return
	}
	if s.renews != nil && s.repeats >= renewalRepeats {
		s.renews.renewal = nil
		s.end()
		return
	}
	if s.m.host.ShouldRepeat(s.remote.Prefix, s.tries, s.sentAt) {
		if s.request != nil {
			s.m.host.SendStateless(s.remote.Prefix, s.request, now)
		}
		if s.last != nil {
			s.m.host.SendStateless(s.remote.Prefix, s.last, now)
		}
		s.tries, s.sentAt = s.tries+1, now
	}
	s.m.alarms.Set(&s.alarm, now.Add(min(firstRepeat<<min(s.repeats, 8), lastRepeat)))
	s.repeats++
}

// compute runs a computation of the session aside.
func (s *session) compute(work func(), done func(now time.Time)) {
	s.busy = true
	s.m.jobs = append(s.m.jobs, job{of: s, work: work, done: func(now time.Time) {
		if s.gone {
			return
		}
		s.busy = false
		done(now)
		s.next(now)
	}})
	s.m.work()
}

// work starts the next computation unless one is running.
func (m *Manager) work() {
	if m.running || len(m.jobs) == 0 {
		return
	}
	m.running = true
	j := m.jobs[0]
	m.jobs = slices.Delete(m.jobs, 0, 1)
	m.host.Compute(j.work, func(now time.Time) {
		m.running = false
		j.done(now)
		m.work()
	})
}
