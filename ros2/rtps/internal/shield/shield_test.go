// SPDX-License-Identifier: Apache-2.0

package shield

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/crypto"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

const limit = 1472

var (
	here   = wire.GUIDPrefix{1, 0x7e, 1}
	there  = wire.GUIDPrefix{1, 0x7e, 2}
	writer = wire.NewEntityID(1, wire.KindWriter)
	reader = wire.NewEntityID(2, wire.KindReader)
	second = wire.NewEntityID(3, wire.KindReader)
	plain  = []byte{0, 1, 0, 0, 'p', 'o', 's', 'i', 't', 'i', 'o', 'n'}
)

// ends are two participants that have authenticated each other: one with a writer, one with two readers of its topic.
type ends struct {
	t        testing.TB
	from, to *Shield
}

// newEnds makes both ends and exchanges all keys.
func newEnds(t testing.TB, rtps security.Kind, p Protection) *ends {
	t.Helper()
	e := &ends{t: t}
	var err, err2 error
	e.from, err = New(here, rtps)
	e.to, err2 = New(there, rtps)
	secret := &security.SharedSecret{Challenge1: []byte("one"), Challenge2: []byte("two"), Secret: [32]byte{3}}
	e.no(err, err2, e.from.AddPeer(there, secret, false), e.to.AddPeer(here, secret, false))
	e.no(e.from.AddEndpoint(writer, p, true), e.to.AddEndpoint(reader, p, false), e.to.AddEndpoint(second, p, false))
	e.no(e.from.SetParticipantTokens(there, e.to.ParticipantTokens(here)), e.to.SetParticipantTokens(here, e.from.ParticipantTokens(there)))
	for _, r := range []wire.EntityID{reader, second} {
		e.exchange(r)
	}
	return e
}

// exchange exchanges the keys of the writer and a reader.
func (e *ends) exchange(r wire.EntityID) {
	e.t.Helper()
	w, rd := wire.GUID{Prefix: here, Entity: writer}, wire.GUID{Prefix: there, Entity: r}
	if tokens := e.from.EndpointTokens(writer, rd); len(tokens) > 0 {
		e.no(e.to.SetEndpointTokens(w, r, tokens))
	}
	if tokens := e.to.EndpointTokens(r, w); len(tokens) > 0 {
		e.no(e.from.SetEndpointTokens(rd, writer, tokens))
	}
}

// no fails the test for the first error.
func (e *ends) no(errs ...error) {
	e.t.Helper()
	if err := errors.Join(errs...); err != nil {
		e.t.Fatal(err)
	}
}

// datagram builds a datagram from the writer's participant to the readers'.
func datagram(from, to wire.GUIDPrefix, add func(b *wire.Builder)) []byte {
	b := wire.NewBuilder(limit)
	b.Begin(from)
	b.InfoDst(to)
	b.InfoTS(wire.Time(77))
	add(b)
	return bytes.Clone(b.Bytes())
}

// sample adds a sample for a reader and a heartbeat.
func sample(to wire.EntityID) func(b *wire.Builder) {
	return func(b *wire.Builder) {
		b.Data(&wire.Data{Reader: to, Writer: writer, SN: 1, Kind: wire.PayloadData, Payload: plain})
		b.Heartbeat(&wire.Heartbeat{Reader: to, Writer: writer, First: 1, Last: 1, Count: 1})
	}
}

// seal returns the datagrams that protect one.
func (e *ends) seal(b []byte) (list [][]byte) {
	e.t.Helper()
	e.no(e.from.Seal(there, b, limit, func(b []byte) { list = append(list, bytes.Clone(b)) }))
	return list
}

// open returns what is left of received datagrams.
func (e *ends) open(list ...[]byte) (got *heard, err error) {
	e.t.Helper()
	got = &heard{}
	for _, b := range list {
		out, refused := e.to.Open(nil, b)
		if refused != nil {
			err = refused
		}
		if walk := wire.Walk(out, got); walk != nil && err == nil {
			e.t.Errorf("what is left is malformed: %v: %x", walk, out)
		}
	}
	return got, err
}

// heard counts the submessages of datagrams and keeps the last payload.
type heard struct {
	data, frags, heartbeats, acks int
	payload                       []byte
	time                          wire.Time
}

func (h *heard) HandleData(r *wire.Receiver, m *wire.Data) {
	h.data++
	h.payload, h.time = bytes.Clone(m.Payload), r.Timestamp
}
func (h *heard) HandleDataFrag(_ *wire.Receiver, m *wire.DataFrag) {
	h.frags++
	h.payload = bytes.Clone(m.Payload)
}
func (h *heard) HandleHeartbeat(*wire.Receiver, *wire.Heartbeat)         { h.heartbeats++ }
func (h *heard) HandleHeartbeatFrag(*wire.Receiver, *wire.HeartbeatFrag) {}
func (h *heard) HandleAckNack(*wire.Receiver, *wire.AckNack)             { h.acks++ }
func (h *heard) HandleNackFrag(*wire.Receiver, *wire.NackFrag)           {}
func (h *heard) HandleGap(*wire.Receiver, *wire.Gap)                     {}

// nothing reports whether no submessage was left.
func (h *heard) nothing() bool { return h.data+h.frags+h.heartbeats+h.acks == 0 }

// governance is a kind of protection of messages with one of an endpoint.
type governance struct {
	rtps security.Kind
	Protection
}

// governances are all combinations.
func governances() (list []governance) {
	for rtps := security.None; rtps <= security.EncryptWithOrigin; rtps++ {
		for sub := security.None; sub <= security.EncryptWithOrigin; sub++ {
			for data := security.None; data <= security.Encrypt; data++ {
				list = append(list, governance{rtps, Protection{sub, data}})
			}
		}
	}
	return list
}

func TestSealedOpens(t *testing.T) {
	for _, g := range governances() {
		for _, to := range []wire.EntityID{wire.EntityUnknown, reader, second} {
			t.Run(fmt.Sprintf("%+v to %v", g, to), func(t *testing.T) {
				e := newEnds(t, g.rtps, g.Protection)
				b := datagram(here, there, sample(to))
				sealed := e.seal(b)
				if len(sealed) != 1 {
					t.Fatalf("%d datagrams", len(sealed))
				}
				protected := g.rtps.Protected() || g.Keys()
				if bytes.Equal(sealed[0], b) == protected {
					t.Errorf("unchanged, protected is %v", protected)
				}
				encrypted := g.rtps.Encrypted() || g.Submessage.Encrypted() || g.Payload.Encrypted()
				if bytes.Contains(sealed[0], plain[4:]) == encrypted {
					t.Errorf("readable, encrypted is %v", encrypted)
				}
				got, err := e.open(sealed...)
				if err != nil || got.data != 1 || got.heartbeats != 1 || !bytes.Equal(got.payload, plain) || got.time != 77 {
					t.Errorf("%+v, %v", got, err)
				}
				if from, ok := e.to.Opened(); from != here || ok != protected {
					t.Errorf("from %v, authentic is %v", from, ok)
				}
			})
		}
	}
}

func TestFragmentsAndAnswers(t *testing.T) {
	for _, g := range governances() {
		e := newEnds(t, g.rtps, g.Protection)
		got, err := e.open(e.seal(datagram(here, there, func(b *wire.Builder) {
			b.DataFrag(&wire.DataFrag{Writer: writer, SN: 1, First: 1, Count: 1, FragmentSize: 1024, SampleSize: 2000, Payload: make([]byte, 1024)})
		}))...)
		if err != nil || got.frags != 1 || len(got.payload) != 1024 {
			t.Errorf("%+v: %+v, %v", g, got, err)
		}
		e.from, e.to = e.to, e.from
		var sealed [][]byte
		e.no(e.from.Seal(here, datagram(there, here, func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{Reader: reader, Writer: writer, State: wire.SequenceNumberSet{Base: 2}, Count: 1})
		}), limit, func(b []byte) { sealed = append(sealed, bytes.Clone(b)) }))
		if got, err := e.open(sealed...); err != nil || got.acks != 1 {
			t.Errorf("%+v: %+v, %v", g, got, err)
		}
	}
}

// TestWithoutProtection: what an endpoint's governance wants protected is left out if it is not.
func TestWithoutProtection(t *testing.T) {
	for _, g := range governances() {
		e := newEnds(t, g.rtps, g.Protection)
		got, err := e.open(datagram(here, there, sample(wire.EntityUnknown)))
		switch {
		case g.rtps.Protected() || g.Submessage.Protected():
			if !got.nothing() || !errors.Is(err, ErrUnprotected) {
				t.Errorf("%+v: %+v, %v", g, got, err)
			}
		case g.Payload.Protected():
			if got.data != 0 || err == nil {
				t.Errorf("%+v: %+v, %v", g, got, err)
			}
		case got.data != 1 || err != nil:
			t.Errorf("%+v: %+v, %v", g, got, err)
		}
	}
}

// TestFlippedBits: whatever bit of a datagram changes, nothing else than what was sent gets through.
func TestFlippedBits(t *testing.T) {
	for _, g := range []governance{
		{security.Sign, Protection{}}, {security.EncryptWithOrigin, Protection{}}, {security.None, Protection{security.Sign, security.None}},
		{security.None, Protection{security.EncryptWithOrigin, security.Encrypt}}, {security.Sign, Protection{security.Sign, security.Sign}},
	} {
		e := newEnds(t, g.rtps, g.Protection)
		sealed := e.seal(datagram(here, there, sample(reader)))[0]
		for i := 20; i < len(sealed); i++ {
			for bit := range 8 {
				sealed[i] ^= 1 << bit
				out, _ := e.to.Open(nil, sealed)
				got := &heard{}
				_ = wire.Walk(out, got)
				if got.data > 1 || got.data == 1 && !bytes.Equal(got.payload, plain) {
					t.Errorf("%+v: byte %d, bit %d: %+v", g, i, bit, got)
				}
				sealed[i] ^= 1 << bit
			}
		}
	}
}

// TestManySubmessages: what does not fit into one datagram with its protection becomes several.
func TestManySubmessages(t *testing.T) {
	for _, g := range governances() {
		e := newEnds(t, g.rtps, g.Protection)
		n := 0
		b := datagram(here, there, func(b *wire.Builder) {
			for b.Data(&wire.Data{Reader: wire.EntityUnknown, Writer: writer, SN: wire.SequenceNumber(n + 1), Kind: wire.PayloadData, Payload: plain}) {
				n++
			}
		})
		sealed := e.seal(b)
		for _, s := range sealed {
			if len(s) > limit {
				t.Errorf("%+v: %d bytes", g, len(s))
			}
		}
		got, err := e.open(sealed...)
		if err != nil || got.data != n || got.time != 77 || len(sealed) == 1 == (g.rtps.Protected() || g.Keys()) {
			t.Errorf("%+v: %d of %d samples, %d datagrams, %v", g, got.data, n, len(sealed), err)
		}
	}
}

// TestStrangers: other participants, and those that are not authenticated, get nothing through.
func TestStrangers(t *testing.T) {
	p := Protection{security.Sign, security.None}
	e := newEnds(t, security.Sign, p)
	sealed := e.seal(datagram(here, there, sample(reader)))[0]
	other := bytes.Clone(sealed)
	copy(other[8:], []byte{9, 9, 9})
	if got, _ := e.open(other); !got.nothing() {
		t.Errorf("under another name: %+v", got)
	}
	stranger := newEnds(t, security.Sign, p)
	if got, err := stranger.open(sealed); !got.nothing() || err == nil {
		t.Errorf("with other keys: %+v, %v", got, err)
	}
	e.to.RemovePeer(here)
	if got, _ := e.open(sealed); !got.nothing() || e.to.Has(here) {
		t.Errorf("of a participant that left: %+v", got)
	}
	if got, err := e.open(datagram(here, there, sample(reader))); !got.nothing() || !errors.Is(err, ErrUnprotected) {
		t.Errorf("of a participant that is not authenticated: %+v, %v", got, err)
	}
	inside := datagram(here, there, func(b *wire.Builder) {})
	inside = wire.AppendInfoSrc(inside, wire.Header{Version: wire.Version23, Vendor: wire.VendorOwn, Prefix: there})
	if _, err := e.open(inside); !errors.Is(err, ErrUnprotected) {
		t.Errorf("INFO_SRC: %v", err)
	}
}

// TestKeysOfOthers: a participant's key for one endpoint protects no other.
func TestKeysOfOthers(t *testing.T) {
	e := newEnds(t, security.None, Protection{security.Sign, security.None})
	foreign := wire.NewEntityID(9, wire.KindWriter)
	e.from.locals[foreign] = e.from.locals[writer]
	sealed := e.seal(datagram(here, there, func(b *wire.Builder) {
		b.Data(&wire.Data{Reader: reader, Writer: foreign, SN: 1, Kind: wire.PayloadData, Payload: plain})
	}))
	if got, err := e.open(sealed...); !got.nothing() || !errors.Is(err, crypto.ErrForged) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestKeysOfPayloads: the key of a writer's payloads, which all its readers have, protects no submessage.
func TestKeysOfPayloads(t *testing.T) {
	e := newEnds(t, security.None, Protection{security.EncryptWithOrigin, security.Encrypt})
	l := e.from.locals[writer]
	l.Submessage, l.submessage = security.Encrypt, l.payload // what a reader can make
	sealed := e.seal(datagram(here, there, sample(reader)))
	if got, _ := e.open(sealed...); !got.nothing() {
		t.Errorf("%+v", got)
	}
}

// TestExchangeOfKeys: its messages are protected by the secret of the handshake, whatever the governance says.
func TestExchangeOfKeys(t *testing.T) {
	e := newEnds(t, security.Encrypt, Protection{})
	b := datagram(here, there, func(b *wire.Builder) {
		b.Data(&wire.Data{Reader: wire.EntityVolatileReader, Writer: wire.EntityVolatileWriter, SN: 1, Kind: wire.PayloadData, Payload: plain})
		sample(reader)(b)
	})
	sealed := e.seal(b)
	if len(sealed) != 2 {
		t.Fatalf("%d datagrams", len(sealed))
	}
	if got, err := e.open(sealed...); got.data != 2 || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := e.open(b); !got.nothing() || !errors.Is(err, ErrUnprotected) {
		t.Errorf("without protection: %+v, %v", got, err)
	}
	handshake := datagram(here, there, func(b *wire.Builder) {
		b.Data(&wire.Data{Reader: wire.EntityStatelessReader, Writer: wire.EntityStatelessWriter, SN: 1, Kind: wire.PayloadData, Payload: plain})
	})
	sealed = e.seal(handshake)
	if len(sealed) != 1 || !bytes.Equal(sealed[0], handshake) {
		t.Errorf("a handshake is protected: %x", sealed)
	}
	if got, err := e.open(handshake); got.data != 1 || err != nil {
		t.Errorf("handshake: %+v, %v", got, err)
	}
}

// TestNothingLeavesUnprotected: datagrams of endpoints with keys to participants without are not sent.
func TestNothingLeavesUnprotected(t *testing.T) {
	e := newEnds(t, security.None, Protection{security.None, security.Encrypt})
	e.from.RemovePeer(there)
	if list := e.seal(datagram(here, there, sample(reader))); len(list) != 0 {
		t.Errorf("sent: %x", list)
	}
	e.from.RemoveEndpoint(writer)
	if list := e.seal(datagram(here, there, sample(reader))); len(list) != 1 {
		t.Errorf("%d datagrams of an endpoint without protection", len(list))
	}
}

// TestReady: endpoints wait for each other's keys, which must protect as their governance demands.
func TestReady(t *testing.T) {
	p := Protection{security.EncryptWithOrigin, security.Encrypt}
	e := newEnds(t, security.None, p)
	third := wire.NewEntityID(4, wire.KindReader)
	w, r := wire.GUID{Prefix: here, Entity: writer}, wire.GUID{Prefix: there, Entity: third}
	e.no(e.to.AddEndpoint(third, p, false))
	if ok, err := e.to.Ready(third, w, true); ok || err != nil {
		t.Errorf("before the keys: %v, %v", ok, err)
	}
	e.exchange(third)
	for _, end := range []struct {
		s      *Shield
		local  wire.EntityID
		remote wire.GUID
		writes bool
	}{{e.to, third, w, true}, {e.from, writer, r, false}} {
		if ok, err := end.s.Ready(end.local, end.remote, end.writes); !ok || err != nil {
			t.Errorf("%v: %v, %v", end.local, ok, err)
		}
		if tokens := end.s.EndpointTokens(end.local, end.remote); len(tokens) > 0 {
			t.Errorf("%v: %d tokens again", end.local, len(tokens))
		}
	}
	for _, k := range []crypto.Transform{crypto.AES256GMAC, crypto.AES256GCM} {
		m := crypto.NewMaterial(k) // without a key of the receiver
		e.no(e.to.SetEndpointTokens(w, third, []wire.DataHolder{m.Token()}))
		if ok, err := e.to.Ready(third, w, true); ok || !errors.Is(err, ErrTokens) {
			t.Errorf("algorithm %d: %v, %v", k, ok, err)
		}
	}
	e.to.ForgetRemote(w)
	if ok, _ := e.to.Ready(third, w, true); ok || len(e.to.peers[here].pairs)+len(e.to.peers[here].byID)+len(e.to.peers[here].protected) > 0 {
		t.Errorf("after the end: %v, %+v", ok, e.to.peers[here])
	}
}

func TestWrongTokens(t *testing.T) {
	e := newEnds(t, security.SignWithOrigin, Protection{security.Sign, security.None})
	weak, malformed := crypto.NewMaterial(crypto.AES256GMAC), wire.DataHolder{ClassID: "another"}
	if err := e.to.SetParticipantTokens(here, []wire.DataHolder{weak.Token()}); !errors.Is(err, ErrTokens) {
		t.Errorf("without a key of the receiver: %v", err)
	}
	if err := e.to.SetParticipantTokens(here, []wire.DataHolder{malformed}); !errors.Is(err, crypto.ErrMalformed) {
		t.Errorf("malformed: %v", err)
	}
	w := wire.GUID{Prefix: here, Entity: writer}
	if err := e.to.SetEndpointTokens(w, reader, []wire.DataHolder{malformed}); !errors.Is(err, crypto.ErrMalformed) {
		t.Errorf("malformed: %v", err)
	}
	unknown := wire.GUID{Prefix: wire.GUIDPrefix{7}, Entity: writer}
	e.no(e.to.SetEndpointTokens(unknown, reader, nil), e.to.SetParticipantTokens(unknown.Prefix, nil))
	if e.to.EndpointTokens(reader, unknown) != nil || e.to.ParticipantTokens(unknown.Prefix) != nil {
		t.Error("an unknown participant gets keys")
	}
	for i := range maxPairs + 10 {
		_ = e.to.SetEndpointTokens(w, wire.NewEntityID(uint32(i), wire.KindReader), nil)
	}
	if n := len(e.to.peers[here].pairs); n > maxPairs {
		t.Errorf("%d pairs", n)
	}
}

// TestPlainDiscovery: a peer of Cyclone DDS sends plain discovery without protection of messages, but nothing else.
func TestPlainDiscovery(t *testing.T) {
	for _, plain := range []bool{false, true} {
		e := newEnds(t, security.Encrypt, Protection{})
		e.to.peers[here].plain = plain
		b := datagram(here, there, func(b *wire.Builder) {
			b.Heartbeat(&wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 1, Count: 1})
			b.Heartbeat(&wire.Heartbeat{Writer: wire.EntityPublicationsSecureWriter, First: 1, Last: 1, Count: 1})
			sample(reader)(b)
		})
		got, err := e.open(b)
		if got.data != 0 || got.heartbeats == 1 != plain || !errors.Is(err, ErrUnprotected) {
			t.Errorf("%v: %+v, %v", plain, got, err)
		}
	}
}

// TestOtherDestinations: what is addressed to others is left out without a check.
func TestOtherDestinations(t *testing.T) {
	e := newEnds(t, security.None, Protection{security.Encrypt, security.None})
	sealed := e.seal(datagram(here, wire.GUIDPrefix{5}, sample(reader)))
	if got, err := e.open(sealed...); err != nil || !got.nothing() {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzOpen: no datagram crashes the shield, or gets a sample through that was not sent.
func FuzzOpen(f *testing.F) {
	for _, g := range []governance{{security.Encrypt, Protection{}}, {security.Sign, Protection{security.Sign, security.Encrypt}}} {
		e := newEnds(f, g.rtps, g.Protection)
		for _, b := range e.seal(datagram(here, there, sample(reader))) {
			f.Add(b)
		}
	}
	f.Add(datagram(here, there, sample(reader)))
	e := newEnds(f, security.None, Protection{security.Encrypt, security.Encrypt})
	f.Fuzz(func(t *testing.T, b []byte) {
		out, _ := e.to.Open(nil, slices.Clone(b))
		got := &heard{}
		_ = wire.Walk(out, got)
		if got.payload != nil && got.data > 0 && bytes.Equal(got.payload, plain) && !bytes.Contains(b, plain) {
			t.Errorf("%x", b)
		}
	})
}
