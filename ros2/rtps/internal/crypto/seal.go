// SPDX-License-Identifier: Apache-2.0

package crypto

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Sizes of the parts of protected bytes (9.5.2.3 to 9.5.2.5).
const (
	// HeaderSize is the size of a CryptoHeader, bytes.
	HeaderSize = 20
	// tagSize is the size of an authentication code.
	tagSize = 16
	// lengthSize is the size of the length before encrypted bytes.
	lengthSize = 4
	// footerSize is the size of a CryptoFooter without codes for receivers, codeSize that of one of them.
	footerSize = tagSize + 4
	codeSize   = 4 + tagSize
	nonceSize  = 12
)

// sessionMessages is how many messages a session has: far fewer than the 2^32 after which AES-GCM with one key is no
// longer safe.
const sessionMessages = 1 << 28

// SealKey protects what one sender sends. A nonce is never used twice with a session key (TestNoncesAreUnique): the
// session's number and the message's number in it are counted, and every process makes new master keys.
type SealKey struct {
	m       Material
	session sessionID
	aead    cipher.AEAD
	sent    uint64 // messages of the session
	nonce   [nonceSize]byte
	tag     [tagSize]byte
}

// NewSealKey returns a key for sending. Both ends of a key exchange send with the same material, so the session and the
// first number are random: 12 bytes that are different for the two ends. The error says what is wrong with the
// material.
func NewSealKey(m Material) (*SealKey, error) {
	if m.Transform == TransformNone {
		return nil, fmt.Errorf("%w: no algorithm", ErrKey)
	}
	k := &SealKey{m: m}
	rand.Read(k.nonce[:])
	k.nonce[4] &= 0x7f // so that counting does not overflow
	return k, k.begin()
}

// Material returns the key material.
func (k *SealKey) Material() Material { return k.m }

// begin starts the next session.
func (k *SealKey) begin() (err error) {
	binary.BigEndian.PutUint32(k.nonce[:], binary.BigEndian.Uint32(k.nonce[:])+1)
	k.session, k.sent = sessionID(k.nonce[:4]), 0
	k.aead, err = newSession(senderLabel, k.m.Key, k.m.Salt, k.session)
	return err
}

// header counts a message and appends its CryptoHeader.
func (k *SealKey) header(dst []byte) ([]byte, error) {
	if k.sent++; k.sent > sessionMessages {
		if err := k.begin(); err != nil {
			return dst, err
		}
		k.sent = 1
	}
	binary.BigEndian.PutUint64(k.nonce[4:], binary.BigEndian.Uint64(k.nonce[4:])+1)
	dst = append(dst, 0, 0, 0, byte(k.m.Transform))
	dst = append(dst, k.m.ID[:]...)
	return append(dst, k.nonce[:]...), nil
}

// body appends the plain bytes, encrypted after their length or as they are, and computes the code.
func (k *SealKey) body(dst, plain []byte) []byte {
	if !k.m.Transform.Encrypts() {
		k.aead.Seal(k.tag[:0], k.nonce[:], nil, plain)
		return append(dst, plain...)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(plain)))
	dst = k.aead.Seal(dst, k.nonce[:], plain, nil)
	n := len(dst) - tagSize
	copy(k.tag[:], dst[n:])
	return dst[:n]
}

// footer appends the CryptoFooter with a code for each receiver.
func (k *SealKey) footer(dst []byte, receivers []*ReceiverKey) ([]byte, error) {
	dst = append(dst, k.tag[:]...)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(receivers)))
	for _, r := range receivers {
		aead, err := r.sessions.get(k.session)
		if err != nil {
			return dst, err
		}
		r.sessions.keep(k.session, aead)
		dst = append(dst, r.id[:]...)
		dst = aead.Seal(dst, k.nonce[:], nil, k.tag[:])
	}
	return dst, nil
}

// Payload appends the protected form of a payload, whose length is a multiple of four, to dst (9.5.3.3.4).
func (k *SealKey) Payload(dst, plain []byte) ([]byte, error) {
	dst, err := k.header(dst)
	if err != nil {
		return dst, err
	}
	return k.footer(k.body(dst, plain), nil)
}

// ReceiverKey makes the codes for one receiver.
type ReceiverKey struct {
	id       KeyID
	sessions sessions
}

// NewReceiverKey returns the receiver's key of material, or nil if it has none.
func NewReceiverKey(m *Material) *ReceiverKey {
	if m.ReceiverID == (KeyID{}) {
		return nil
	}
	return &ReceiverKey{id: m.ReceiverID, sessions: sessions{label: receiverLabel, key: m.ReceiverKey, salt: m.Salt}}
}

// subHeaderSize is the size of the header of a submessage, bytes.
const subHeaderSize = 4

// Overhead is by how much protection lengthens a submessage or message, without codes for receivers, bytes.
const Overhead = subHeaderSize + HeaderSize + subHeaderSize + lengthSize + subHeaderSize + footerSize

// CodeSize is the size of the code for one receiver, bytes.
const CodeSize = codeSize

// Submessage appends the protected form of a complete submessage to dst (9.5.3.3.4.2).
func (k *SealKey) Submessage(dst, plain []byte, receivers []*ReceiverKey) ([]byte, error) {
	return k.enclose(dst, plain, receivers, wire.SubmessageSecPrefix, wire.SubmessageSecPostfix)
}

// Message appends the protected form of the submessages of a message, of which the first is an INFO_SRC, to dst
// (9.5.3.3.4.4).
func (k *SealKey) Message(dst, plain []byte, receivers []*ReceiverKey) ([]byte, error) {
	return k.enclose(dst, plain, receivers, wire.SubmessageMessagePrefix, wire.SubmessageMessagePostfix)
}

// enclose appends a prefix, the body and a postfix.
func (k *SealKey) enclose(dst, plain []byte, receivers []*ReceiverKey, prefix, postfix wire.SubmessageID) ([]byte, error) {
	dst, err := k.header(appendSub(dst, prefix, HeaderSize))
	if err != nil {
		return dst, err
	}
	if k.m.Transform.Encrypts() {
		dst = appendSub(dst, wire.SubmessageSecBody, lengthSize+len(plain))
	}
	dst = k.body(dst, plain)
	return k.footer(appendSub(dst, postfix, footerSize+codeSize*len(receivers)), receivers)
}

// appendSub appends the header of a little-endian submessage.
func appendSub(dst []byte, id wire.SubmessageID, size int) []byte {
	return append(dst, byte(id), 1, byte(size), byte(size>>8))
}
