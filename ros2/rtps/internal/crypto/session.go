// SPDX-License-Identifier: Apache-2.0

package crypto

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
)

// sessionID is the part of the nonces that all messages of a session share.
type sessionID [4]byte

// newSession derives the key of a session from a master key (9.5.3.3.3).
func newSession(label string, key, salt []byte, id sessionID) (cipher.AEAD, error) {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(label))
	mac.Write(salt)
	mac.Write(id[:])
	block, err := aes.NewCipher(mac.Sum(nil)[:len(key)])
	if err != nil {
		return nil, fmt.Errorf("session key: %w", err)
	}
	return cipher.NewGCM(block)
}

const (
	senderLabel   = "SessionKey"
	receiverLabel = "SessionReceiverKey"
)

// sessions derives the ciphers of one master key and keeps the last two: a sender changes its session once in a long
// time, and messages from before may arrive late.
type sessions struct {
	label     string
	key, salt []byte
	kept      [2]struct {
		id   sessionID
		aead cipher.AEAD
	}
}

// get returns the cipher of a session, which is not kept yet: any machine can send the number of one.
func (s *sessions) get(id sessionID) (cipher.AEAD, error) {
	for i := range s.kept {
		if s.kept[i].aead != nil && s.kept[i].id == id {
			return s.kept[i].aead, nil
		}
	}
	return newSession(s.label, s.key, s.salt, id)
}

// keep keeps the cipher of a session whose messages are authentic.
func (s *sessions) keep(id sessionID, aead cipher.AEAD) {
	for i := range s.kept {
		if s.kept[i].aead == aead {
			return
		}
	}
	s.kept[1] = s.kept[0]
	s.kept[0].id, s.kept[0].aead = id, aead
}

// KeyExchange returns the material that protects the exchange of keys after a handshake (9.5.2.1.2).
func KeyExchange(s *security.SharedSecret) Material {
	derive := func(first []byte, cookie string, second []byte) []byte {
		h := sha256.New()
		h.Write(first)
		h.Write([]byte(cookie))
		h.Write(second)
		mac := hmac.New(sha256.New, h.Sum(nil))
		mac.Write(s.Secret[:])
		return mac.Sum(nil)
	}
	return Material{
		Transform: AES256GCM,
		Salt:      derive(s.Challenge1, "keyexchange salt", s.Challenge2),
		Key:       derive(s.Challenge2, "key exchange key", s.Challenge1),
	}
}
