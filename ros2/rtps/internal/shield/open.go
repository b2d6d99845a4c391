// SPDX-License-Identifier: Apache-2.0

package shield

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/crypto"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ErrUnprotected means that a submessage is not protected as the governance demands.
var ErrUnprotected = errors.New("not protected as the governance demands")

// opened is the state of a datagram that is being checked.
type opened struct {
	prefix    wire.GUIDPrefix // of its source
	peer      *peer           // nil if that is not authenticated
	protected bool            // as a whole
	authentic bool            // something in it was protected by its source
	ours      bool            // the destination in force is this participant, or any
	out       []byte
	message   []byte
	one       []byte
	refused   error
}

// Open checks and decrypts a received datagram, and appends what is left of it to dst: a datagram without protection.
// What must not be processed is left out; err says why the last of that was refused and wraps ErrUnprotected, an error
// of package crypto, or names what is malformed.
func (s *Shield) Open(dst, b []byte) (plain []byte, err error) {
	head, err := wire.ParseHeader(b)
	if err != nil {
		return dst, err
	}
	in := &s.in
	*in = opened{prefix: head.Prefix, peer: s.peers[head.Prefix], ours: true, message: in.message, one: in.one, out: append(dst, b[:wire.HeaderSize]...)}
	scan := wire.NewScanner(b)
	if !scan.Next() {
		return in.out, scan.Err()
	}
	sub := scan.Submessage()
	if sub.ID != wire.SubmessageMessagePrefix {
		scan = wire.NewScanner(b)
		s.openAll(b, &scan)
		return in.out, in.refused
	}
	if in.peer == nil || in.peer.message == nil {
		return in.out, nil // the keys have not arrived yet, or it is for others
	}
	if in.message, err = s.openMessage(in.message[:0], b, &scan, head); err != nil {
		return in.out, fmt.Errorf("message: %w", err)
	}
	in.protected, in.authentic = true, true
	scan = wire.NewScanner(in.message)
	s.openAll(in.message, &scan)
	return in.out, in.refused
}

// Opened returns the source of the last datagram; ok is false if that had protected nothing in it.
func (s *Shield) Opened() (source wire.GUIDPrefix, ok bool) { return s.in.prefix, s.in.authentic }

// openMessage appends the header and the submessages of a protected message to dst.
func (s *Shield) openMessage(dst, b []byte, scan *wire.Scanner, head wire.Header) ([]byte, error) {
	prefix := scan.Submessage()
	h, err := crypto.ParseHeader(prefix.Body)
	if err != nil {
		return dst, err
	}
	from := prefix.Offset + subHeader + len(prefix.Body)
	var body, footer []byte
	for scan.Next() {
		sub := scan.Submessage()
		switch sub.ID {
		case wire.SubmessageMessagePostfix:
			if footer = sub.Body; body == nil {
				body = b[from:sub.Offset]
			}
		case wire.SubmessageSecBody:
			if h.Transform.Encrypts() && body == nil {
				body = sub.Body
			}
		}
		if footer != nil {
			break
		}
	}
	key := s.in.peer.message
	dst = append(dst, b[:wire.HeaderSize]...)
	if dst, err = key.Open(dst, &h, body, footer, true); err != nil {
		return dst, err
	}
	inner := wire.NewScanner(dst)
	if first := inner.Next(); !first {
		return dst, fmt.Errorf("%w: no submessages", crypto.ErrMalformed)
	}
	src := inner.Submessage()
	if p, ok := src.Prefix(); !src.IsInfoSrc() || !ok || p != head.Prefix {
		return dst, fmt.Errorf("%w: source of the message", crypto.ErrForged)
	}
	return dst, nil
}

// openAll handles the submessages of a datagram.
func (s *Shield) openAll(b []byte, scan *wire.Scanner) {
	in := &s.in
	for scan.Next() {
		sub := scan.Submessage()
		raw := b[sub.Offset : sub.Offset+subHeader+len(sub.Body)]
		switch {
		case sub.IsInfoSrc():
			if p, ok := sub.Prefix(); !ok || p != in.prefix {
				in.refused = fmt.Errorf("%w: submessages of another participant", ErrUnprotected)
				return
			}
		case sub.IsInfoDst():
			p, ok := sub.Prefix()
			in.ours = ok && (p.IsZero() || p == s.own.Prefix)
			in.out = append(in.out, raw...)
		case sub.ID == wire.SubmessageSecPrefix:
			s.openGroup(b, scan, &sub)
		case sub.IsEntity():
			s.pass(&sub, raw, nil)
		default:
			in.out = append(in.out, raw...)
		}
	}
	if err := scan.Err(); err != nil {
		in.refused = err
	}
}

// openGroup handles a protected submessage: SEC_PREFIX, the submessage or SEC_BODY, SEC_POSTFIX.
func (s *Shield) openGroup(b []byte, scan *wire.Scanner, prefix *wire.Submessage) {
	in := &s.in
	h, err := crypto.ParseHeader(prefix.Body)
	if err != nil || !scan.Next() {
		in.refused = fmt.Errorf("%w: SEC_PREFIX", crypto.ErrMalformed)
		return
	}
	inner := scan.Submessage()
	body := b[inner.Offset : inner.Offset+subHeader+len(inner.Body)]
	if inner.ID == wire.SubmessageSecBody {
		body = inner.Body
	}
	if !scan.Next() {
		in.refused = fmt.Errorf("%w: no SEC_POSTFIX", crypto.ErrMalformed)
		return
	}
	post := scan.Submessage()
	if post.ID != wire.SubmessageSecPostfix || h.Transform.Encrypts() != (inner.ID == wire.SubmessageSecBody) {
		in.refused = fmt.Errorf("%w: %v after a SEC_PREFIX", crypto.ErrMalformed, inner.ID)
		return
	}
	if !in.ours || in.peer == nil {
		return
	}
	key, with := in.peer.find(&h, post.Body)
	if key == nil {
		return // its keys have not arrived yet, or it is for an endpoint that does not match
	}
	if in.one, err = key.Open(append(in.one[:0], in.out[:wire.HeaderSize]...), &h, body, post.Body, true); err != nil {
		in.refused = fmt.Errorf("submessage: %w", err)
		return
	}
	in.authentic = true
	plain := wire.NewScanner(in.one)
	if !plain.Next() {
		in.refused = fmt.Errorf("%w: protected submessage", crypto.ErrMalformed)
		return
	}
	sub := plain.Submessage()
	raw := in.one[sub.Offset : sub.Offset+subHeader+len(sub.Body)]
	if sub.IsInfoTS() { // Fast DDS protects the time of a sample apart from the sample
		in.out = append(in.out, raw...)
		return
	}
	s.pass(&sub, raw, with)
}

// exchangeKeys stands for the keys that protect the exchange of keys.
var exchangeKeys = &keys{pair: pair{local: wire.EntityVolatileReader, remote: wire.EntityVolatileWriter}}

// find returns the key of a protected submessage, and the pair of endpoints that it belongs to. Keys of payloads are no
// such keys: all readers of a writer have them, without codes for each.
func (p *peer) find(h *crypto.Header, footer []byte) (*crypto.OpenKey, *keys) {
	if h.ID == (crypto.KeyID{}) {
		return p.exchanged, exchangeKeys
	}
	for _, k := range p.byID[h.ID] {
		if key := k.submessage; key != nil && key.Material().ID == h.ID && key.Concerns(footer) {
			return key, k
		}
	}
	return nil, nil
}

// pass adds a submessage to the result if it is protected as its endpoints demand: with the keys of a pair of
// endpoints, or with none.
func (s *Shield) pass(sub *wire.Submessage, raw []byte, with *keys) {
	in := &s.in
	reader, writer, ok := sub.Entities()
	if !ok || !sub.IsEntity() {
		in.refused = fmt.Errorf("%w: submessage %v", crypto.ErrMalformed, sub.ID)
		return
	}
	if !in.ours {
		return
	}
	own, other := reader, writer
	if sub.FromReader() {
		own, other = writer, reader
	}
	need, err := s.allowed(own, other, writer, with)
	if err != nil {
		in.refused = fmt.Errorf("%w: %v from %v of %v", err, sub.ID, other, in.prefix)
		return
	}
	if need.Payload.Protected() && !sub.FromReader() && sub.HasPayload() {
		s.passPayload(own, other, sub, raw)
		return
	}
	in.out = append(in.out, raw...)
}

// allowed checks the protection of a submessage for local endpoint own (or any) from remote endpoint other, and returns
// which one its endpoints have.
func (s *Shield) allowed(own, other, writer wire.EntityID, with *keys) (Protection, error) {
	in := &s.in
	var none Protection
	switch {
	case with == exchangeKeys && writer != wire.EntityVolatileWriter, with != nil && with != exchangeKeys && other != with.remote:
		return none, fmt.Errorf("%w: key of another endpoint", crypto.ErrForged)
	case writer == wire.EntityVolatileWriter:
		if with != exchangeKeys {
			return none, ErrUnprotected
		}
		return none, nil
	case writer == wire.EntitySPDPWriter || writer == wire.EntityStatelessWriter:
		return none, nil
	case in.peer != nil && s.rtps.Protected() && !in.protected && !(in.peer.plain && isPlainDiscovery(writer)):
		return none, ErrUnprotected
	}
	var need Protection
	if l := s.locals[own]; l != nil {
		need = l.Protection
	} else if in.peer != nil && own == wire.EntityUnknown {
		need = in.peer.protected[other]
	}
	if need.Keys() && in.peer == nil || need.Submessage.Protected() && with == nil {
		return none, ErrUnprotected
	}
	return need, nil
}

// isPlainDiscovery reports whether a built-in writer is one of discovery or liveliness without protection of its own.
func isPlainDiscovery(writer wire.EntityID) bool {
	switch writer {
	case wire.EntityPublicationsWriter, wire.EntitySubscriptionsWriter, wire.EntityParticipantMessageWriter:
		return true
	}
	return false
}

// passPayload adds a submessage with its payload decrypted.
func (s *Shield) passPayload(own, other wire.EntityID, sub *wire.Submessage, raw []byte) {
	in := &s.in
	at, ok := sub.PayloadAt()
	key := in.peer.payloadKey(own, other)
	if !ok || key == nil {
		in.refused = fmt.Errorf("payload: %w", crypto.ErrMalformed)
		return
	}
	start := len(in.out)
	in.out = append(in.out, raw[:subHeader+at]...)
	out, err := key.Payload(in.out, raw[subHeader+at:])
	if err != nil {
		in.out, in.refused = in.out[:start], fmt.Errorf("payload: %w", err)
		return
	}
	in.out, in.authentic = out, true
	setLength(in.out[start:])
}

// KeyPrint identifies a key; zero means none.
type KeyPrint [sha256.Size]byte

// IsZero reports whether it identifies no key.
func (k KeyPrint) IsZero() bool { return k == KeyPrint{} }

// KeyOf identifies the key with which a remote writer protects what it sends to a local reader, or else whole messages.
func (s *Shield) KeyOf(own wire.EntityID, remote wire.GUID) KeyPrint {
	p := s.peers[remote.Prefix]
	if p == nil {
		return KeyPrint{}
	}
	key := p.message
	if k := p.pairs[pair{local: own, remote: remote.Entity}]; k != nil && s.locals[own] != nil {
		switch {
		case k.submessage != nil:
			key = k.submessage
		case k.payload != nil:
			key = k.payload
		}
	}
	if key == nil {
		return KeyPrint{}
	}
	m := key.Material()
	h := sha256.New()
	h.Write(m.ID[:])
	h.Write(m.Salt)
	h.Write(m.Key)
	return KeyPrint(h.Sum(nil))
}

// payloadKey returns the key of a remote writer for a reader, or any.
func (p *peer) payloadKey(own, other wire.EntityID) *crypto.OpenKey {
	if own != wire.EntityUnknown {
		if k := p.pairs[pair{local: own, remote: other}]; k != nil {
			return k.payload
		}
		return nil
	}
	for _, k := range p.byRemote[other] {
		if k.payload != nil {
			return k.payload
		}
	}
	return nil
}
