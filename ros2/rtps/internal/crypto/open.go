// SPDX-License-Identifier: Apache-2.0

package crypto

import (
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
)

// Header is a CryptoHeader (9.5.2.3).
type Header struct {
	// Transform and ID name the key.
	Transform Transform
	ID        KeyID
	session   sessionID
	nonce     [nonceSize]byte
}

// ParseHeader reads a CryptoHeader. The error wraps ErrMalformed.
func ParseHeader(b []byte) (Header, error) {
	if len(b) < HeaderSize || b[0]|b[1]|b[2] != 0 {
		return Header{}, fmt.Errorf("%w: crypto header of %d bytes", ErrMalformed, len(b))
	}
	return Header{Transform: Transform(b[3]), ID: KeyID(b[4:]), session: sessionID(b[8:]), nonce: [nonceSize]byte(b[8:])}, nil
}

// OpenKey checks and decrypts what one sender sends.
type OpenKey struct {
	m        Material
	sender   sessions
	receiver sessions
	nonce    [nonceSize]byte
	joined   []byte // encrypted bytes and their code
}

// NewOpenKey returns a key for receiving. With a key of the receiver in the material, messages must have its code.
func NewOpenKey(m Material) (*OpenKey, error) {
	if m.Transform == TransformNone {
		return nil, fmt.Errorf("%w: no algorithm", ErrKey)
	}
	return &OpenKey{
		m: m, sender: sessions{label: senderLabel, key: m.Key, salt: m.Salt},
		receiver: sessions{label: receiverLabel, key: m.ReceiverKey, salt: m.Salt},
	}, nil
}

// Material returns the key material.
func (k *OpenKey) Material() *Material { return &k.m }

// Concerns reports whether the footer has a code for the receiver of this key, or the key needs none.
func (k *OpenKey) Concerns(footer []byte) bool {
	return k.m.ReceiverID == (KeyID{}) || codeFor(footer, k.m.ReceiverID) != nil
}

// codeFor returns the code for a receiver, or nil.
func codeFor(footer []byte, id KeyID) []byte {
	if len(footer) < footerSize {
		return nil
	}
	n := binary.BigEndian.Uint32(footer[tagSize:])
	for b := footer[footerSize:]; n > 0 && len(b) >= codeSize; b, n = b[codeSize:], n-1 {
		if KeyID(b) == id {
			return b[4:codeSize]
		}
	}
	return nil
}

// check verifies the header against the key and the code for the receiver, and returns the cipher of the session.
func (k *OpenKey) check(h *Header, footer []byte, code bool) (cipher.AEAD, error) {
	if h.Transform != k.m.Transform || h.ID != k.m.ID {
		return nil, fmt.Errorf("%w %x with algorithm %d", ErrKey, h.ID, h.Transform)
	}
	if len(footer) < footerSize {
		return nil, fmt.Errorf("%w: footer of %d bytes", ErrMalformed, len(footer))
	}
	k.nonce = h.nonce
	if code && k.m.ReceiverID != (KeyID{}) {
		own := codeFor(footer, k.m.ReceiverID)
		if own == nil {
			return nil, fmt.Errorf("%w: none for this receiver", ErrForged)
		}
		aead, err := k.receiver.get(h.session)
		if err != nil {
			return nil, err
		}
		k.joined = append(k.joined[:0], own...)
		if _, err := aead.Open(nil, k.nonce[:], k.joined, footer[:tagSize]); err != nil {
			return nil, fmt.Errorf("%w: of this receiver", ErrForged)
		}
		k.receiver.keep(h.session, aead)
	}
	return k.sender.get(h.session)
}

// Open appends the plain bytes of a body to dst: with encryption a length and encrypted bytes, else the bytes
// themselves. code means that the code for the receiver is checked, if the key has one. The error wraps ErrKey,
// ErrMalformed or ErrForged.
func (k *OpenKey) Open(dst []byte, h *Header, body, footer []byte, code bool) ([]byte, error) {
	aead, err := k.check(h, footer, code)
	if err != nil {
		return dst, err
	}
	if !k.m.Transform.Encrypts() {
		k.joined = append(k.joined[:0], footer[:tagSize]...)
		if _, err := aead.Open(nil, k.nonce[:], k.joined, body); err != nil {
			return dst, ErrForged
		}
		k.sender.keep(h.session, aead)
		return append(dst, body...), nil
	}
	if len(body) < lengthSize {
		return dst, fmt.Errorf("%w: body of %d bytes", ErrMalformed, len(body))
	}
	n := binary.BigEndian.Uint32(body)
	if body = body[lengthSize:]; uint64(n) > uint64(len(body)) {
		return dst, fmt.Errorf("%w: %d encrypted bytes in %d", ErrMalformed, n, len(body))
	}
	k.joined = append(append(k.joined[:0], body[:n]...), footer[:tagSize]...)
	out, err := aead.Open(dst, k.nonce[:], k.joined, nil)
	if err != nil {
		return dst, ErrForged
	}
	k.sender.keep(h.session, aead)
	return out, nil
}

// maxPadding is how many bytes peers add to a protected payload: after it, and Fast DDS in the footer of a signed one,
// between the code and the number of codes for receivers.
const maxPadding = 3

// Payload appends the plain form of a protected payload to dst (9.5.3.3.5). Receivers have no codes in it.
func (k *OpenKey) Payload(dst, b []byte) ([]byte, error) {
	h, err := ParseHeader(b)
	if err != nil {
		return dst, err
	}
	b = b[HeaderSize:]
	body, padding := len(b)-footerSize, 0
	if !k.m.Transform.Encrypts() { // nothing says how long a signed payload is
		padding = maxPadding
	} else if len(b) >= lengthSize {
		if n := binary.BigEndian.Uint32(b); uint64(n) < uint64(len(b)) {
			body = min(body, lengthSize+int(n))
		}
	}
	if body < 0 {
		return dst, fmt.Errorf("%w: payload of %d bytes", ErrMalformed, len(b))
	}
	for least := max(0, body-padding); ; body-- {
		out, err := k.Open(dst, &h, b[:body], b[body:], false)
		if body == least || !errors.Is(err, ErrForged) {
			return out, err
		}
	}
}
