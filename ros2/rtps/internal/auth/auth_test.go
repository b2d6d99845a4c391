// SPDX-License-Identifier: Apache-2.0

package auth

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// network has the participants of a test, and the messages and computations that are under way.
type network struct {
	t     *testing.T
	now   time.Time
	ends  map[wire.GUIDPrefix]*end
	mail  []mail
	work  []func()
	loses func() bool // whether the next message is lost
}

type mail struct {
	to wire.GUIDPrefix
	m  *wire.GenericMessage
}

// end is one participant: the Host of its Manager.
type end struct {
	n       *network
	guid    wire.GUID
	m       *Manager
	alarms  *alarm.Queue
	secret  string
	peers   map[wire.GUIDPrefix]*security.Peer
	refused []error
	sent    int
	heard   time.Time
	asks    int
	answers bool // what is asked is answered at once
	tries   int  // after which it repeats nothing; 0 for no limit
	begun   int  // handshakes …
	replies int  // … and their answered requests
}

// SendStateless implements Host. Messages are copied by their encoding, as on a network.
func (e *end) SendStateless(to wire.GUIDPrefix, m *wire.GenericMessage, _ time.Time) {
	e.sent++
	if e.n.loses != nil && e.n.loses() {
		return
	}
	c, err := wire.DecodeGenericMessage(m.AppendPayload(nil))
	if err != nil {
		e.n.t.Fatal(err)
	}
	e.n.mail = append(e.n.mail, mail{to, &c})
}

// Authenticated implements Host.
func (e *end) Authenticated(prefix wire.GUIDPrefix, p *security.Peer, _ time.Time) {
	e.peers[prefix] = p
}

// LogRefused implements Host.
func (e *end) LogRefused(_ wire.GUIDPrefix, _ time.Time, err error) {
	e.refused = append(e.refused, err)
}

// Heard implements Host.
func (e *end) Heard(wire.GUIDPrefix) time.Time { return e.heard }

// Ask implements Host.
func (e *end) Ask(_ wire.GUIDPrefix, now time.Time) {
	if e.asks++; e.answers {
		e.heard = now
	}
}

// ShouldRepeat implements Host.
func (e *end) ShouldRepeat(_ wire.GUIDPrefix, tries int, _ time.Time) bool {
	return e.tries == 0 || tries < e.tries
}

// Compute implements Host.
func (e *end) Compute(work func(), done func(now time.Time)) {
	e.n.work = append(e.n.work, func() {
		work()
		done(e.n.now)
	})
}

// add adds a participant.
func (n *network) add(number byte, secret string) *end {
	e := &end{n: n, guid: wire.GUID{Prefix: wire.GUIDPrefix{number}, Entity: wire.EntityParticipant}, secret: secret,
		alarms: alarm.NewQueue(), peers: map[wire.GUIDPrefix]*security.Peer{}}
	e.m = New(e.guid, []byte{number}, e, e, e.alarms)
	n.ends[e.guid.Prefix] = e
	return e
}

// newNetwork returns two participants that know the given secrets and have found each other.
func newNetwork(t *testing.T, first, second string) (n *network, a, b *end) {
	n = &network{t: t, now: begin, ends: map[wire.GUIDPrefix]*end{}}
	a, b = n.add(1, first), n.add(2, second)
	a.find(b)
	b.find(a)
	return n, a, b
}

// find begins the authentication of another participant.
func (e *end) find(o *end) {
	identity, permissions := o.IdentityToken(), o.PermissionsToken()
	e.m.Begin(o.guid, &identity, &permissions)
}

// step makes all computations that are pending and delivers all messages, then advances the time.
func (n *network) step(pass time.Duration) {
	for len(n.work)+len(n.mail) > 0 {
		if len(n.work) > 0 {
			f := n.work[0]
			n.work = n.work[1:]
			f()
			continue
		}
		m := n.mail[0]
		n.mail = n.mail[1:]
		if e := n.ends[m.to]; e != nil {
			e.m.OnMessage(m.m.Identity.Source.Prefix, m.m, n.now)
		}
	}
	n.now = n.now.Add(pass)
	for _, e := range n.ends {
		e.alarms.Run(n.now)
	}
}

// run advances the time until both have authenticated each other, at most for a minute.
func (n *network) run(a, b *end) bool {
	for range 600 {
		n.step(100 * time.Millisecond)
		if a.peers[b.guid.Prefix] != nil && b.peers[a.guid.Prefix] != nil {
			return true
		}
	}
	return false
}

// The plugin: ends prove that they know the same secret.

func (e *end) Prefix(c wire.GUIDPrefix) wire.GUIDPrefix { return c }
func (e *end) IdentityToken() wire.DataHolder           { return wire.DataHolder{ClassID: "Auth"} }
func (e *end) PermissionsToken() wire.DataHolder        { return wire.DataHolder{ClassID: "Access"} }

func (e *end) Begin(local, remote wire.GUID, data []byte, identity, _ wire.DataHolder) (security.Handshake, error) {
	if identity.ClassID != "Auth" {
		return nil, errPlugin
	}
	e.begun++
	return &handshake{end: e, secret: e.secret, initiates: local.Compare(remote) < 0, data: data, nonce: newNonce()}, nil
}

var (
	errPlugin = errors.New("another plugin")
	errSecret = errors.New("another secret")
)

// newNonce makes the messages of each handshake differ.
// nonces counts the nonces of newNonce.
var nonces atomic.Uint64

func newNonce() []byte { return binary.BigEndian.AppendUint64(nil, nonces.Add(1)) }

type handshake struct {
	end       *end
	nonce     []byte
	secret    string
	initiates bool
	data      []byte
	requests  int
}

func (h *handshake) token(kind string) wire.DataHolder {
	return wire.DataHolder{ClassID: "Auth+" + kind, Binary: []wire.BinaryProperty{{Name: "secret", Value: []byte(h.secret)}, {Name: "data", Value: h.data},
		{Name: "nonce", Value: h.nonce}}}
}

func (h *handshake) peer(t wire.DataHolder) (*security.Peer, error) {
	if string(t.Value("secret")) != h.secret {
		return nil, errSecret
	}
	return &security.Peer{Name: "peer", Data: t.Value("data")}, nil
}

func (h *handshake) Initiates() bool                     { return h.initiates }
func (h *handshake) AuthRequest() wire.DataHolder        { return h.token("AuthReq") }
func (h *handshake) OnAuthRequest(wire.DataHolder) error { h.requests++; return nil }
func (h *handshake) Request() (wire.DataHolder, error)   { return h.token("Req"), nil }
func (h *handshake) Reply(t wire.DataHolder) (wire.DataHolder, error) {
	h.end.replies++
	_, err := h.peer(t)
	return h.token("Reply"), err
}
func (h *handshake) Final(t wire.DataHolder) (wire.DataHolder, *security.Peer, error) {
	p, err := h.peer(t)
	return h.token("Final"), p, err
}
func (h *handshake) Finish(t wire.DataHolder) (*security.Peer, error) { return h.peer(t) }

func TestHandshake(t *testing.T) {
	n, a, b := newNetwork(t, "s", "s")
	if !n.run(a, b) {
		t.Fatalf("not authenticated: %v, %v", a.refused, b.refused)
	}
	if got := a.peers[b.guid.Prefix].Data; !bytes.Equal(got, []byte{2}) {
		t.Errorf("data %v", got)
	}
	if len(a.refused)+len(b.refused) > 0 {
		t.Errorf("refused: %v, %v", a.refused, b.refused)
	}
	sent := a.sent + b.sent
	for range 100 {
		n.step(time.Second)
	}
	if a.sent+b.sent != sent {
		t.Errorf("%d messages after the handshake", a.sent+b.sent-sent)
	}
	if h := b.m.sessions[a.guid.Prefix].handshake.(*handshake); h.requests == 0 {
		t.Error("the challenge of dds.sec.auth_request did not arrive")
	}
}

// TestLostMessages: whatever is lost, it is repeated.
func TestLostMessages(t *testing.T) {
	for seed := range uint64(200) {
		n, a, b := newNetwork(t, "s", "s")
		rng := rand.New(rand.NewPCG(seed, 1))
		n.loses = func() bool { return rng.IntN(3) == 0 }
		if !n.run(a, b) {
			t.Errorf("seed %d: not authenticated", seed)
		}
	}
}

func TestAnotherSecret(t *testing.T) {
	n, a, b := newNetwork(t, "s", "other")
	if n.run(a, b) {
		t.Error("authenticated")
	}
	if len(b.refused) == 0 || !errors.Is(b.refused[0], errSecret) {
		t.Errorf("refused: %v", b.refused)
	}
	if a.sent > 100 || b.sent > 100 {
		t.Errorf("%d and %d messages in a minute", a.sent, b.sent)
	}
}

// TestForgedMessages: wrong messages of every kind, whenever they arrive, do not prevent the authentication.
func TestForgedMessages(t *testing.T) {
	n, a, b := newNetwork(t, "s", "s")
	forged := handshake{secret: "guessed"}
	forge := func() {
		for _, pair := range [][2]*end{{a, b}, {b, a}} {
			for _, kind := range []string{"Req", "Reply", "Final", "AuthReq", "Unknown"} {
				for _, class := range []string{wire.ClassHandshake, wire.ClassAuthRequest, "another"} {
					for _, to := range []wire.GUID{pair[1].guid, {}} {
						m := &wire.GenericMessage{Identity: wire.MessageIdentity{Source: pair[0].guid, Number: 1 << 60}, DestinationParticipant: to,
							Class: class, Data: []wire.DataHolder{forged.token(kind)}}
						pair[1].m.OnMessage(pair[0].guid.Prefix, m, n.now)
					}
				}
			}
		}
	}
	done := false
	for range 300 {
		forge()
		n.step(100 * time.Millisecond)
		forge()
		if done = a.peers[b.guid.Prefix] != nil && b.peers[a.guid.Prefix] != nil; done {
			break
		}
	}
	if !done {
		t.Errorf("not authenticated: %d and %d refused", len(a.refused), len(b.refused))
	}
	for _, e := range []*end{a, b} {
		for _, s := range e.m.sessions {
			if len(s.waiting) > 4 {
				t.Errorf("%d messages are kept", len(s.waiting))
			}
		}
	}
}

// TestForgedAnnouncement: the right tokens replace those of a forged first announcement.
func TestForgedAnnouncement(t *testing.T) {
	n := &network{t: t, now: begin, ends: map[wire.GUIDPrefix]*end{}}
	a, b := n.add(1, "s"), n.add(2, "s")
	wrong := wire.DataHolder{ClassID: "Forged"}
	a.m.Begin(b.guid, &wrong, &wrong)
	n.step(time.Second)
	if len(a.refused) != 1 || !errors.Is(a.refused[0], errPlugin) {
		t.Errorf("refused: %v", a.refused)
	}
	a.find(b)
	b.find(a)
	if !n.run(a, b) {
		t.Error("not authenticated")
	}
	session := a.m.sessions[b.guid.Prefix]
	a.find(b)
	a.m.Begin(b.guid, &wrong, &wrong) // too late
	if a.m.sessions[b.guid.Prefix] != session {
		t.Error("an authenticated session was replaced")
	}
}

// TestRenewal: an end that alone has lost the other is authenticated again, and forged reasons for that change nothing.
func TestRenewal(t *testing.T) {
	for _, loser := range []int{0, 1} {
		n, a, b := newNetwork(t, "s", "s")
		if !n.run(a, b) {
			t.Fatal("not authenticated")
		}
		for range 10 {
			n.step(time.Second)
		}
		ends := []*end{a, b}
		lost, other := ends[loser], ends[1-loser]
		lost.m.End(other.guid.Prefix)
		clear(lost.peers)
		before := other.peers[lost.guid.Prefix]
		lost.find(other)
		if !n.run(a, b) {
			t.Errorf("end %d lost: not authenticated again", loser)
		}
		n.step(time.Second)
		if other.peers[lost.guid.Prefix] == before {
			t.Errorf("end %d lost: the other kept the old keys", loser)
		}
		forged := handshake{secret: "guessed", nonce: newNonce()}
		session := other.m.sessions[lost.guid.Prefix]
		for _, kind := range []string{"Req", "AuthReq"} {
			class := map[string]string{"Req": wire.ClassHandshake, "AuthReq": wire.ClassAuthRequest}[kind]
			m := &wire.GenericMessage{Identity: wire.MessageIdentity{Source: lost.guid}, DestinationParticipant: other.guid, Class: class,
				Data: []wire.DataHolder{forged.token(kind)}}
			for range 100 {
				lost.heard, other.heard = n.now, n.now
				other.m.OnMessage(lost.guid.Prefix, m, n.now)
				n.step(time.Second)
			}
		}
		if s := other.m.sessions[lost.guid.Prefix]; s != session || !s.done {
			t.Error("a forged message ended the session")
		}
	}
}

// TestEnd: a participant that leaves during its authentication is forgotten, and can come back.
func TestEnd(t *testing.T) {
	n, a, b := newNetwork(t, "s", "s")
	a.m.End(b.guid.Prefix)
	a.m.End(b.guid.Prefix)
	n.step(time.Second)
	n.step(time.Second)
	if len(a.peers) > 0 || len(a.m.sessions) > 0 {
		t.Errorf("%d peers, %d sessions", len(a.peers), len(a.m.sessions))
	}
	a.find(b)
	if !n.run(a, b) {
		t.Error("not authenticated")
	}
}

// TestForgedTokens: announcements that any machine can send neither restart an authentication that the plugin accepts,
// nor make work without bounds.
func TestForgedTokens(t *testing.T) {
	n, a, b := newNetwork(t, "s", "s")
	identity, permissions := b.IdentityToken(), b.PermissionsToken()
	session := a.m.sessions[b.guid.Prefix]
	forge := func() {
		identity.Binary = []wire.BinaryProperty{{Name: "forged", Value: newNonce()}}
		a.m.Begin(b.guid, &identity, &permissions)
	}
	for range 100 {
		forge()
		n.step(10 * time.Millisecond)
		forge()
	}
	if a.begun != 1 || a.m.sessions[b.guid.Prefix] != session || !n.run(a, b) {
		t.Errorf("%d handshakes, %d peers", a.begun, len(a.peers))
	}
	for range 100 {
		a.m.End(b.guid.Prefix)
		a.find(b)
	}
	if len(a.m.jobs) > 1 {
		t.Errorf("%d computations are pending", len(a.m.jobs))
	}
}

// TestNoRenewalWithoutSilence: who sends what it has protected for this end has not lost it.
func TestNoRenewalWithoutSilence(t *testing.T) {
	n, a, b := newNetwork(t, "s", "s")
	if !n.run(a, b) {
		t.Fatal("not authenticated")
	}
	before := [2]*security.Peer{a.peers[b.guid.Prefix], b.peers[a.guid.Prefix]}
	request, authRequest := forged(b, a, "Req"), forged(a, b, "AuthReq")
	for range 200 {
		a.heard, b.heard = n.now, n.now
		a.m.OnMessage(b.guid.Prefix, authRequest, n.now)
		b.m.OnMessage(a.guid.Prefix, request, n.now)
		n.step(100 * time.Millisecond)
	}
	if a.begun+b.begun != 2 || before != [2]*security.Peer{a.peers[b.guid.Prefix], b.peers[a.guid.Prefix]} {
		t.Errorf("%d and %d handshakes", a.begun, b.begun)
	}
	n.step(renewalSilence)
	a.m.OnMessage(b.guid.Prefix, authRequest, n.now)
	if n.step(askAnswer); a.begun != 1 || a.asks != 1 {
		t.Errorf("%d handshakes before the peer has had time to answer %d questions", a.begun, a.asks)
	}
	a.m.OnMessage(b.guid.Prefix, authRequest, n.now)
	if n.step(0); a.begun != 2 {
		t.Errorf("%d handshakes after a silence", a.begun)
	}
}

// TestNoRenewalOfIdlePeers: a peer that is silent because it has nothing to send is asked, and its answer ends what
// forged messages began, however many there are.
func TestNoRenewalOfIdlePeers(t *testing.T) {
	n, a, b := newNetwork(t, "s", "s")
	if !n.run(a, b) {
		t.Fatal("not authenticated")
	}
	a.answers, b.answers = true, true
	request, authRequest := forged(b, a, "Req"), forged(a, b, "AuthReq")
	for range 1000 {
		a.m.OnMessage(b.guid.Prefix, authRequest, n.now)
		b.m.OnMessage(a.guid.Prefix, request, n.now)
		n.step(50 * time.Millisecond)
	}
	if a.begun+b.begun != 2 || a.asks < 10 || a.asks > 17 || b.asks < 10 || b.asks > 17 {
		t.Errorf("%d and %d handshakes, %d and %d questions in 50 s", a.begun, b.begun, a.asks, b.asks)
	}
	a.answers, b.answers = false, false
	n.step(renewalSilence)
	a.asks = 0
	for range 10 { // within a second it is asked five times, since a question or its answer may be lost
		a.m.OnMessage(b.guid.Prefix, authRequest, n.now)
		n.step(100 * time.Millisecond)
	}
	if a.asks != 5 || a.begun != 1 {
		t.Errorf("%d questions, %d handshakes", a.asks, a.begun)
	}
}

// forged returns a message to an end in the name of another, which knows the secret: its request is not signed.
func forged(to, from *end, kind string) *wire.GenericMessage {
	h := handshake{secret: "s", nonce: newNonce()}
	class := wire.ClassHandshake
	if kind == "AuthReq" {
		class = wire.ClassAuthRequest
	}
	return &wire.GenericMessage{Identity: wire.MessageIdentity{Source: from.guid}, DestinationParticipant: to.guid, Class: class,
		Data: []wire.DataHolder{h.token(kind)}}
}

// TestRequestsAreSpaced: requests, each of which takes an answer of milliseconds, are answered at most four times a
// second, and those for a renewal cause no more repetitions.
func TestRequestsAreSpaced(t *testing.T) {
	for _, renewal := range []bool{false, true} {
		n, a, b := newNetwork(t, "s", "s")
		if renewal && !n.run(a, b) {
			t.Fatal("not authenticated")
		}
		n.step(time.Minute)
		if !renewal {
			b.m.End(a.guid.Prefix)
			b.find(a)
			n.step(time.Second)
		}
		delete(n.ends, a.guid.Prefix)
		replies, sent := b.replies, b.sent
		for range 400 {
			b.m.OnMessage(a.guid.Prefix, forged(b, a, "Req"), n.now)
			n.step(10 * time.Millisecond)
		}
		if got := b.replies - replies; got < 2 || got > 17 {
			t.Errorf("renewal %v: %d answers in four seconds", renewal, got)
		}
		if got := b.sent - sent; renewal && got > 2*renewalRepeats+2 {
			t.Errorf("%d messages for a renewal", got)
		}
	}
}

// TestAddressesWithoutAnswer: nothing is repeated that the host does not allow to be.
func TestAddressesWithoutAnswer(t *testing.T) {
	n, a, b := newNetwork(t, "s", "s")
	delete(n.ends, b.guid.Prefix)
	a.tries = 3
	for range 600 {
		n.step(time.Second)
	}
	if a.sent == 0 || a.sent > 6 {
		t.Errorf("%d messages", a.sent)
	}
	a.tries, n.ends[b.guid.Prefix] = 0, b
	if !n.run(a, b) {
		t.Error("not authenticated afterwards")
	}
}
