// SPDX-License-Identifier: Apache-2.0

// Package shield protects the datagrams of a secured participant: it signs and encrypts what is sent and checks and
// decrypts what is received, with the keys of the participant, its endpoints and its peers (DDS Security 1.1, 8.5.1.9,
// 8.8). Datagrams become what a participant without security would send and receive, so that the rest of package rtps
// need not know. It is not safe for concurrent use.
package shield

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/crypto"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ErrTokens means that a peer sent keys that do not fit the protection of the participant or endpoint.
var ErrTokens = errors.New("keys do not fit the protection")

// Protection is how the submessages and payloads of an endpoint are protected.
type Protection struct{ Submessage, Payload security.Kind }

// Keys reports whether endpoints exchange keys.
func (p Protection) Keys() bool { return p.Submessage.Protected() || p.Payload.Protected() }

// transform returns the algorithm for a kind of protection; keys have 256 bits, as those of all peers.
func transform(k security.Kind) crypto.Transform {
	switch {
	case k.Encrypted():
		return crypto.AES256GCM
	case k.Protected():
		return crypto.AES256GMAC
	}
	return crypto.TransformNone
}

// fits reports whether key material protects at least as a kind demands.
func fits(m *crypto.Material, k security.Kind) bool {
	return m.Transform != crypto.TransformNone && m.Transform.Encrypts() == k.Encrypted() && (!k.Origin() || m.ReceiverID != crypto.KeyID{})
}

// Shield has the keys of a participant and its peers.
type Shield struct {
	own     wire.Header
	rtps    security.Kind
	message *crypto.SealKey // nil if whole messages are not protected
	locals  map[wire.EntityID]*local
	peers   map[wire.GUIDPrefix]*peer
	out     sealed
	in      opened
}

// local is a protected local endpoint.
type local struct {
	Protection
	submessage, payload *crypto.SealKey // nil if not protected
}

// peer is an authenticated remote participant.
type peer struct {
	plain     bool            // see AddPeer
	exchange  *crypto.SealKey // protects the exchange of keys …
	exchanged *crypto.OpenKey // … in both directions
	receiver  []*crypto.ReceiverKey
	message   *crypto.OpenKey // nil before its token arrived
	material  *crypto.Material
	pairs     map[pair]*keys
	byID      map[crypto.KeyID][]*keys
	byLocal   map[wire.EntityID][]*keys // pairs of a local endpoint
	byRemote  map[wire.EntityID][]*keys
	protected map[wire.EntityID]Protection // remote endpoints that match protected local ones
}

// pair is a local and a remote endpoint.
type pair struct{ local, remote wire.EntityID }

// keys are those of a pair of endpoints.
type keys struct {
	pair
	receiver            *crypto.ReceiverKey // of the local endpoint's codes for the remote one; nil without
	sent                bool                // the tokens for the remote endpoint were
	submessage, payload *crypto.OpenKey     // of the remote endpoint; nil before its tokens arrived
	has                 bool                // they arrived
}

// maxPairs bounds the pairs of endpoints of one peer, which only authenticated ones have.
const maxPairs = 1 << 14

// New returns the shield of a participant, which protects whole messages as given.
func New(own wire.GUIDPrefix, rtps security.Kind) (*Shield, error) {
	s := &Shield{
		own:  wire.Header{Version: wire.Version23, Vendor: wire.VendorOwn, Prefix: own},
		rtps: rtps, locals: map[wire.EntityID]*local{}, peers: map[wire.GUIDPrefix]*peer{},
	}
	var err error
	if rtps.Protected() {
		s.message, err = crypto.NewSealKey(crypto.NewMaterial(transform(rtps)))
	}
	return s, err
}

// AddEndpoint makes the keys of a local endpoint. Readers protect no payloads.
func (s *Shield) AddEndpoint(e wire.EntityID, p Protection, writer bool) (err error) {
	if !p.Keys() {
		return nil
	}
	l := &local{Protection: p}
	if p.Submessage.Protected() {
		if l.submessage, err = crypto.NewSealKey(crypto.NewMaterial(transform(p.Submessage))); err != nil {
			return err
		}
	}
	if writer && p.Payload.Protected() {
		if l.payload, err = crypto.NewSealKey(crypto.NewMaterial(transform(p.Payload))); err != nil {
			return err
		}
	}
	s.locals[e] = l
	return nil
}

// RemoveEndpoint forgets a local endpoint.
func (s *Shield) RemoveEndpoint(e wire.EntityID) {
	delete(s.locals, e)
	for _, p := range s.peers {
		for _, k := range slices.Clone(p.byLocal[e]) {
			p.forget(k)
		}
	}
}

// AddPeer takes the secret of a handshake with a participant, whose keys are exchanged from now on. plain means that it
// sends discovery and liveliness without protection of their own unprotected, as Cyclone DDS does whatever the
// protection of messages is (TestPlainDiscovery): other machines can then announce and withdraw its endpoints on topics
// whose discovery is not protected, without access to their data. The same remains possible for a participant whose
// handshake does not name its implementation, if they announce it as one of Cyclone DDS before it is authenticated.
func (s *Shield) AddPeer(prefix wire.GUIDPrefix, secret *security.SharedSecret, plain bool) error {
	m := crypto.KeyExchange(secret)
	seal, err := crypto.NewSealKey(m)
	if err != nil {
		return err
	}
	open, err := crypto.NewOpenKey(m)
	if err != nil {
		return err
	}
	p := &peer{
		plain: plain, exchange: seal, exchanged: open, pairs: map[pair]*keys{}, byID: map[crypto.KeyID][]*keys{},
		byLocal: map[wire.EntityID][]*keys{}, byRemote: map[wire.EntityID][]*keys{}, protected: map[wire.EntityID]Protection{},
	}
	if s.message != nil {
		m := s.message.Material()
		if s.rtps.Origin() {
			m = m.ForReceiver()
			p.receiver = []*crypto.ReceiverKey{crypto.NewReceiverKey(&m)}
		}
		p.material = &m
	}
	s.peers[prefix] = p
	return nil
}

// RemovePeer forgets a participant.
func (s *Shield) RemovePeer(prefix wire.GUIDPrefix) { delete(s.peers, prefix) }

// Has reports whether the participant is authenticated.
func (s *Shield) Has(prefix wire.GUIDPrefix) bool { return s.peers[prefix] != nil }

// ParticipantTokens returns the tokens of the local participant for a peer; none if messages are not protected.
func (s *Shield) ParticipantTokens(prefix wire.GUIDPrefix) []wire.DataHolder {
	if p := s.peers[prefix]; p != nil && p.material != nil {
		return []wire.DataHolder{p.material.Token()}
	}
	return nil
}

// SetParticipantTokens takes those of a peer. The error wraps ErrTokens or crypto.ErrMalformed.
func (s *Shield) SetParticipantTokens(prefix wire.GUIDPrefix, tokens []wire.DataHolder) error {
	p := s.peers[prefix]
	if p == nil || s.message == nil || len(tokens) == 0 {
		return nil
	}
	m, err := crypto.FromToken(&tokens[0])
	if err != nil {
		return err
	}
	if !fits(&m, s.rtps) {
		return fmt.Errorf("%w: algorithm %d of the participant", ErrTokens, m.Transform)
	}
	p.message, err = crypto.NewOpenKey(m)
	return err
}

// EndpointTokens returns the tokens of a local endpoint for a remote one, of which it expects protection, too; none if
// the local endpoint is not protected, or if they were returned before.
func (s *Shield) EndpointTokens(e wire.EntityID, remote wire.GUID) []wire.DataHolder {
	l, p := s.locals[e], s.peers[remote.Prefix]
	if l == nil || p == nil {
		return nil
	}
	p.protected[remote.Entity] = l.Protection
	k := p.pair(pair{local: e, remote: remote.Entity})
	if k == nil || k.sent {
		return nil
	}
	k.sent = true
	var tokens []wire.DataHolder
	if l.submessage != nil {
		m := l.submessage.Material()
		if l.Submessage.Origin() {
			m = m.ForReceiver()
			k.receiver = crypto.NewReceiverKey(&m)
		}
		tokens = append(tokens, m.Token())
	}
	if l.payload != nil {
		m := l.payload.Material()
		tokens = append(tokens, m.Token())
	}
	if len(tokens) == 0 && !p.plain {
		// A reader of payloads alone protects nothing, but Fast DDS 2.9.1 matches its writer only with one that sends a
		// key. Cyclone DDS expects none.
		m := crypto.NewMaterial(crypto.AES256GMAC)
		tokens = append(tokens, m.Token())
	}
	return tokens
}

// pair returns the keys of a pair, new if needed, or nil if there are too many.
func (p *peer) pair(of pair) *keys {
	k := p.pairs[of]
	if k == nil && len(p.pairs) < maxPairs {
		k = &keys{pair: of}
		p.pairs[of] = k
		p.byLocal[of.local] = append(p.byLocal[of.local], k)
		p.byRemote[of.remote] = append(p.byRemote[of.remote], k)
	}
	return k
}

// SetEndpointTokens takes the tokens of a remote endpoint for a local one, which need not exist yet. The error wraps
// ErrTokens or crypto.ErrMalformed.
func (s *Shield) SetEndpointTokens(remote wire.GUID, e wire.EntityID, tokens []wire.DataHolder) error {
	p := s.peers[remote.Prefix]
	if p == nil {
		return nil
	}
	k := p.pair(pair{local: e, remote: remote.Entity})
	if k == nil {
		return fmt.Errorf("%w: more than %d pairs of endpoints", ErrTokens, maxPairs)
	}
	p.unlist(k)
	k.submessage, k.payload, k.has = nil, nil, true
	for i := range tokens[:min(len(tokens), 2)] {
		m, err := crypto.FromToken(&tokens[i])
		if err != nil {
			return err
		}
		if m.Transform == crypto.TransformNone {
			continue
		}
		open, err := crypto.NewOpenKey(m)
		if err != nil {
			return err
		}
		if k.submessage == nil {
			k.submessage = open
			p.byID[m.ID] = append(p.byID[m.ID], k)
		}
		k.payload = open // with one key for both, it is the same
	}
	return nil
}

// unlist removes the keys of a pair from the index.
func (p *peer) unlist(k *keys) {
	if k.submessage != nil {
		remove(p.byID, k.submessage.Material().ID, k)
	}
}

// remove removes keys from a list of an index.
func remove[K comparable](index map[K][]*keys, at K, k *keys) {
	list := slices.DeleteFunc(index[at], func(e *keys) bool { return e == k })
	if index[at] = list; len(list) == 0 {
		delete(index, at)
	}
}

// Ready reports whether a local endpoint and a remote one have the keys to exchange data: those of the remote one have
// arrived, and protect as the local endpoint demands. A remote reader of a topic whose payloads alone are protected has
// none.
func (s *Shield) Ready(e wire.EntityID, remote wire.GUID, remoteWrites bool) (bool, error) {
	l, p := s.locals[e], s.peers[remote.Prefix]
	if l == nil {
		return true, nil
	}
	needsSub, needsPayload := l.Submessage.Protected(), remoteWrites && l.Payload.Protected()
	if !needsSub && !needsPayload {
		return true, nil
	}
	if p == nil {
		return false, nil
	}
	k := p.pairs[pair{local: e, remote: remote.Entity}]
	if k == nil || !k.has {
		return false, nil
	}
	if needsSub && (k.submessage == nil || !fits(k.submessage.Material(), l.Submessage)) ||
		needsPayload && (k.payload == nil || !fits(k.payload.Material(), l.Payload)) {
		return false, fmt.Errorf("%w: of endpoint %v", ErrTokens, remote)
	}
	return true, nil
}

// ForgetRemote removes the keys of a remote endpoint that is gone.
func (s *Shield) ForgetRemote(remote wire.GUID) {
	if p := s.peers[remote.Prefix]; p != nil {
		for _, k := range slices.Clone(p.byRemote[remote.Entity]) {
			p.forget(k)
		}
	}
}

// forget removes the keys of a pair.
func (p *peer) forget(k *keys) {
	p.unlist(k)
	delete(p.pairs, k.pair)
	remove(p.byLocal, k.local, k)
	if remove(p.byRemote, k.remote, k); len(p.byRemote[k.remote]) == 0 {
		delete(p.protected, k.remote)
	}
}
