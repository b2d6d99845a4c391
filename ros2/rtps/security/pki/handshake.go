// SPDX-License-Identifier: Apache-2.0

package pki

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// challengeSize is the size of a challenge, bytes (9.3.2.5).
const challengeSize = 32

// maxReplies is how many different requests of one peer are answered at a time: any machine can send one in its name,
// which must not end the handshake with the peer itself.
const maxReplies = 4

// handshake is the authentication of one participant. It implements security.Handshake.
type handshake struct {
	a             *Authentication
	local, remote wire.GUID
	data          []byte
	challenge     []byte // of this end

	// Of the initiator.
	own     *credentials
	key     agreement
	request wire.DataHolder

	// Of the replier: answers to the last requests, the newest last.
	replies []*reply
}

// reply is an answer to a request, and what is needed to finish.
type reply struct {
	request  [sha256.Size]byte
	token    wire.DataHolder
	exchange exchange
	cert     *x509.Certificate
	peer     *security.Peer
}

// Begin implements security.Authentication. The error wraps ErrAuthentication.
func (a *Authentication) Begin(local, remote wire.GUID, data []byte, identity, _ wire.DataHolder) (security.Handshake, error) {
	if identity.ClassID != class {
		return nil, fmt.Errorf("%w: identity token of class %.60q, want %s", ErrAuthentication, identity.ClassID, class)
	}
	h := &handshake{a: a, local: local, remote: remote, data: bytes.Clone(data), challenge: make([]byte, challengeSize)}
	if _, err := rand.Read(h.challenge); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAuthentication, err)
	}
	return h, nil
}

// Initiates implements security.Handshake.
func (h *handshake) Initiates() bool { return h.local.Compare(h.remote) < 0 }

// AuthRequest implements security.Handshake: the challenge that this end will use (9.3.2.4).
func (h *handshake) AuthRequest() wire.DataHolder {
	return wire.DataHolder{ClassID: classAuthRequest, Binary: properties("future_challenge", h.challenge)}
}

// OnAuthRequest implements security.Handshake. The challenge of the peer is not kept: the token is not authenticated,
// and this end's own challenge already shows that the handshake is no repetition.
func (h *handshake) OnAuthRequest(token wire.DataHolder) error {
	if token.ClassID != classAuthRequest || len(token.Value("future_challenge")) != challengeSize {
		return fmt.Errorf("%w: no token %s with a challenge of %d bytes", ErrAuthentication, classAuthRequest, challengeSize)
	}
	return nil
}

// credentials returns this end's own for a kind of agreement.
func (h *handshake) credentials(agree string) (*credentials, error) {
	kind, err := algorithmOf(h.a.cert.PublicKey)
	if err != nil {
		return nil, err
	}
	id := h.a.config.Certificate
	if !bytes.HasPrefix(id, []byte("-----BEGIN")) { // text before it confuses peers
		id = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.a.cert.Raw})
	}
	return newCredentials(id, h.a.config.Permissions, h.data, []byte(kind.sign), []byte(agree)), nil
}

// Request implements security.Handshake. It uses ECDH also with certificates of RSA keys: Cyclone DDS and Fast DDS
// encode keys of DH differently, and a request does not know whom it is for.
func (h *handshake) Request() (wire.DataHolder, error) {
	if h.own != nil {
		return h.request, nil
	}
	own, err := h.credentials(agreeECDH)
	if err != nil {
		return wire.DataHolder{}, fmt.Errorf("%w: %w", ErrAuthentication, err)
	}
	if h.key, err = newAgreement(agreeECDH, nil); err != nil {
		return wire.DataHolder{}, fmt.Errorf("%w: %w", ErrAuthentication, err)
	}
	h.own = own
	h.request = wire.DataHolder{ClassID: classRequest, Binary: append(slices.Clone(own.properties),
		properties("hash_c1", own.hash[:], "dh1", h.key.public(), "challenge1", h.challenge)...)}
	return h.request, nil
}

// Reply implements security.Handshake.
func (h *handshake) Reply(request wire.DataHolder) (wire.DataHolder, error) {
	hash := sha256.Sum256(wire.AppendBinaryProperties(nil, request.Binary))
	for _, r := range h.replies {
		if r.request == hash {
			return r.token, nil
		}
	}
	r, err := h.reply(&request)
	if err != nil {
		return wire.DataHolder{}, fmt.Errorf("%w: request: %w", ErrAuthentication, err)
	}
	r.request = hash
	if len(h.replies) == maxReplies {
		h.replies = h.replies[1:]
	}
	h.replies = append(h.replies, r)
	return r.token, nil
}

func (h *handshake) reply(request *wire.DataHolder) (*reply, error) {
	if request.ClassID != classRequest {
		return nil, fmt.Errorf("token of class %.60q, want %s", request.ClassID, classRequest)
	}
	theirs, err := credentialsOf(request, "hash_c1")
	if err != nil {
		return nil, err
	}
	challenge1, public1 := request.Value("challenge1"), request.Value("dh1")
	if len(challenge1) != challengeSize {
		return nil, fmt.Errorf("property challenge1 has %d bytes, want %d", len(challenge1), challengeSize)
	}
	r := &reply{}
	if r.cert, r.peer, err = h.a.peer(theirs, h.remote); err != nil {
		return nil, err
	}
	ours, err := h.credentials(theirs.agree)
	if err != nil {
		return nil, err
	}
	key, err := newAgreement(theirs.agree, public1)
	if err != nil {
		return nil, err
	}
	secret, err := key.secret(public1)
	if err != nil {
		return nil, fmt.Errorf("property dh1: %w", err)
	}
	e := &r.exchange
	*e = exchange{
		hash1: theirs.hash, hash2: ours.hash, public1: public1, public2: key.public(), challenge1: challenge1, challenge2: h.challenge,
	}
	r.peer.Secret = security.SharedSecret{Challenge1: challenge1, Challenge2: h.challenge, Secret: secret}
	signature, err := h.a.sign(e.replied())
	if err != nil {
		return nil, err
	}
	r.token = wire.DataHolder{ClassID: classReply, Binary: append(slices.Clone(ours.properties), properties(
		"hash_c2", e.hash2[:], "dh2", e.public2, "hash_c1", e.hash1[:], "dh1", e.public1,
		"challenge1", e.challenge1, "challenge2", e.challenge2, "signature", signature)...)}
	return r, nil
}

// Final implements security.Handshake.
func (h *handshake) Final(answer wire.DataHolder) (wire.DataHolder, *security.Peer, error) {
	token, p, err := h.final(&answer)
	if err != nil {
		return wire.DataHolder{}, nil, fmt.Errorf("%w: reply: %w", ErrAuthentication, err)
	}
	return token, p, nil
}

func (h *handshake) final(answer *wire.DataHolder) (token wire.DataHolder, p *security.Peer, err error) {
	if answer.ClassID != classReply || h.own == nil {
		return token, nil, fmt.Errorf("token of class %.60q, want %s to a request", answer.ClassID, classReply)
	}
	theirs, err := credentialsOf(answer, "hash_c2")
	if err != nil {
		return token, nil, err
	}
	e := exchange{
		hash1: h.own.hash, hash2: theirs.hash, public1: h.key.public(), public2: answer.Value("dh2"), challenge1: h.challenge,
		challenge2: answer.Value("challenge2"),
	}
	if len(e.challenge2) != challengeSize {
		return token, nil, fmt.Errorf("property challenge2 has %d bytes, want %d", len(e.challenge2), challengeSize)
	}
	if err := e.check(answer); err != nil {
		return token, nil, err
	}
	if theirs.agree != agreeECDH {
		return token, nil, fmt.Errorf("key agreement %.40q, want %s", theirs.agree, agreeECDH)
	}
	cert, p, err := h.a.peer(theirs, h.remote)
	if err != nil {
		return token, nil, err
	}
	if !verify(cert, e.replied(), answer.Value("signature")) {
		return token, nil, fmt.Errorf("signature of %q is wrong", cert.Subject)
	}
	secret, err := h.key.secret(e.public2)
	if err != nil {
		return token, nil, fmt.Errorf("property dh2: %w", err)
	}
	p.Secret = security.SharedSecret{Challenge1: e.challenge1, Challenge2: e.challenge2, Secret: secret}
	signature, err := h.a.sign(e.finished())
	if err != nil {
		return token, nil, err
	}
	return wire.DataHolder{ClassID: classFinal, Binary: properties(
		"hash_c1", e.hash1[:], "hash_c2", e.hash2[:], "dh1", e.public1, "dh2", e.public2,
		"challenge1", e.challenge1, "challenge2", e.challenge2, "signature", signature)}, p, nil
}

// check compares what a token repeats of the exchange.
func (e *exchange) check(token *wire.DataHolder) error {
	for _, c := range []struct {
		name     string
		want     []byte
		optional bool
	}{
		{"challenge1", e.challenge1, false}, {"challenge2", e.challenge2, false}, {"hash_c1", e.hash1[:], true},
		{"hash_c2", e.hash2[:], true}, {"dh1", e.public1, true}, {"dh2", e.public2, true},
	} {
		if err := require(token, c.name, c.want, c.optional); err != nil {
			return err
		}
	}
	return nil
}

// Finish implements security.Handshake.
func (h *handshake) Finish(final wire.DataHolder) (*security.Peer, error) {
	if final.ClassID != classFinal {
		return nil, fmt.Errorf("%w: token of class %.60q, want %s", ErrAuthentication, final.ClassID, classFinal)
	}
	err := fmt.Errorf("%w: final: no request was answered", ErrAuthentication)
	for _, r := range slices.Backward(h.replies) {
		if problem := r.exchange.check(&final); problem != nil {
			err = fmt.Errorf("%w: final: %w", ErrAuthentication, problem)
			continue
		}
		if !verify(r.cert, r.exchange.finished(), final.Value("signature")) {
			return nil, fmt.Errorf("%w: final: signature of %q is wrong", ErrAuthentication, r.cert.Subject)
		}
		return r.peer, nil
	}
	return nil, err
}
