// SPDX-License-Identifier: Apache-2.0

// Package crypto is the plugin DDS:Crypto:AES-GCM-GMAC of DDS Security 1.1 (9.5): key material and its tokens, and the
// protection of payloads, submessages and messages. It is not safe for concurrent use.
package crypto

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Errors of this package.
var (
	// ErrMalformed means that protected bytes or a token are too short or contradict themselves.
	ErrMalformed = errors.New("malformed")
	// ErrForged means that an authentication code is wrong: the bytes were changed, or made with another key.
	ErrForged = errors.New("authentication code is wrong")
	// ErrKey means that bytes are protected with another key or algorithm than expected.
	ErrKey = errors.New("unknown key")
)

// Transform is the algorithm of key material, CryptoTransformKind (9.5.2.1.1).
type Transform uint8

// The algorithms. GMAC signs, GCM encrypts.
const (
	TransformNone Transform = iota
	AES128GMAC
	AES128GCM
	AES256GMAC
	AES256GCM
)

// Encrypts reports whether the algorithm encrypts.
func (t Transform) Encrypts() bool { return t == AES128GCM || t == AES256GCM }

// size returns the length of the keys, bytes.
func (t Transform) size() int {
	switch t {
	case AES128GMAC, AES128GCM:
		return 16
	case AES256GMAC, AES256GCM:
		return 32
	}
	return 0
}

// KeyID identifies key material of one sender; zero means none.
type KeyID [4]byte

// Material is KeyMaterial_AES_GCM_GMAC (9.5.2.1.1): the secret of a sender, and the one that only this sender and one
// receiver share.
type Material struct {
	// Transform is the algorithm.
	Transform Transform
	// ID identifies the sender's key Key; session keys are derived with Salt.
	ID        KeyID
	Salt, Key []byte
	// ReceiverID identifies the key of the receiver, zero if there is none.
	ReceiverID  KeyID
	ReceiverKey []byte
}

// NewMaterial makes random key material without a key of a receiver.
func NewMaterial(t Transform) Material {
	n := t.size()
	m := Material{Transform: t, ID: newID(), Salt: make([]byte, n), Key: make([]byte, n)}
	rand.Read(m.Salt)
	rand.Read(m.Key)
	return m
}

// ForReceiver returns the material with a new key for one receiver.
func (m Material) ForReceiver() Material {
	m.ReceiverID, m.ReceiverKey = newID(), make([]byte, m.Transform.size())
	rand.Read(m.ReceiverKey)
	return m
}

// newID returns a random identifier, not zero.
func newID() (id KeyID) {
	for id == (KeyID{}) {
		rand.Read(id[:])
	}
	return id
}

// The class and the property of tokens with key material (9.5.2.3).
const (
	tokenClass    = "DDS:Crypto:AES_GCM_GMAC" //nolint:gosec // the name of a class of tokens
	tokenProperty = "dds.cryp.keymat"         //nolint:gosec // as above
)

// Token returns the crypto token that carries the material.
func (m *Material) Token() wire.DataHolder {
	b := []byte{0, 0, 0, byte(m.Transform)}
	b = appendOctets(b, m.Salt)
	b = appendOctets(append(b, m.ID[:]...), m.Key)
	b = appendOctets(append(b, m.ReceiverID[:]...), m.ReceiverKey)
	return wire.DataHolder{ClassID: tokenClass, Binary: []wire.BinaryProperty{{Name: tokenProperty, Value: b}}}
}

func appendOctets(b, octets []byte) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(octets))), octets...)
}

// FromToken returns the material of a crypto token. The error wraps ErrMalformed and names the field.
func FromToken(h *wire.DataHolder) (Material, error) {
	if h.ClassID != tokenClass {
		return Material{}, fmt.Errorf("%w: crypto token of class %q", ErrMalformed, h.ClassID)
	}
	b := h.Value(tokenProperty)
	if len(b) < 4 || b[0]|b[1]|b[2] != 0 || b[3] > byte(AES256GCM) {
		return Material{}, fmt.Errorf("%w: transformation kind of key material", ErrMalformed)
	}
	m := Material{Transform: Transform(b[3])}
	b = b[4:]
	var ok [5]bool
	m.Salt, b, ok[0] = cutOctets(b)
	m.ID, b, ok[1] = cutID(b)
	m.Key, b, ok[2] = cutOctets(b)
	m.ReceiverID, b, ok[3] = cutID(b)
	m.ReceiverKey, _, ok[4] = cutOctets(b)
	if ok != [5]bool{true, true, true, true, true} {
		return Material{}, fmt.Errorf("%w: key material is too short", ErrMalformed)
	}
	n := m.Transform.size()
	if m.Transform != TransformNone && (len(m.Salt) != n || len(m.Key) != n || m.ReceiverID != KeyID{} && len(m.ReceiverKey) != n) {
		return Material{}, fmt.Errorf("%w: keys of %d, %d and %d bytes for %d", ErrMalformed, len(m.Salt), len(m.Key), len(m.ReceiverKey), n)
	}
	return m, nil
}

// cutOctets reads a sequence of at most 32 octets.
func cutOctets(b []byte) (octets, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := binary.BigEndian.Uint32(b)
	if b = b[4:]; n > 32 || int(n) > len(b) {
		return nil, nil, false
	}
	return append([]byte(nil), b[:n]...), b[n:], true
}

func cutID(b []byte) (id KeyID, rest []byte, ok bool) {
	if len(b) < len(id) {
		return id, nil, false
	}
	return KeyID(b), b[len(id):], true
}
