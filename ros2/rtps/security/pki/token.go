// SPDX-License-Identifier: Apache-2.0

package pki

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/binary"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Classes of tokens (9.3.2).
const (
	class            = "DDS:Auth:PKI-DH:1.0"
	classAuthRequest = class + "+AuthReq"
	classRequest     = class + "+Req"
	classReply       = class + "+Reply"
	classFinal       = class + "+Final"
)

// credentials are what one end says of itself in its request or reply (9.3.2.5.1, 9.3.2.5.2).
type credentials struct {
	properties []wire.BinaryProperty // c.id, c.perm, c.pdata, c.dsign_algo, c.kagree_algo
	hash       [sha256.Size]byte     // of them: hash_c1 or hash_c2
	agree      string
}

// credentialNames are the names of the properties, in the order in which they are hashed.
var credentialNames = [...]string{"c.id", "c.perm", "c.pdata", "c.dsign_algo", "c.kagree_algo"}

// newCredentials returns credentials with these values.
func newCredentials(values ...[]byte) *credentials {
	c := &credentials{}
	for i, v := range values {
		c.properties = append(c.properties, wire.BinaryProperty{Name: credentialNames[i], Value: v})
	}
	c.hash = sha256.Sum256(wire.AppendBinaryProperties(nil, c.properties))
	c.agree = text(values[4])
	return c
}

// text returns a value without the NUL that Cyclone DDS ends it with.
func text(value []byte) string { return string(bytes.TrimSuffix(value, []byte{0})) }

// credentialsOf reads the credentials of a token; hash is the name of their hash.
func credentialsOf(token *wire.DataHolder, hash string) (*credentials, error) {
	values := make([][]byte, len(credentialNames))
	for i, name := range credentialNames {
		if values[i] = token.Value(name); len(values[i]) == 0 {
			return nil, fmt.Errorf("property %s is missing", name)
		}
	}
	c := newCredentials(values...)
	if said := token.Value(hash); said != nil && !bytes.Equal(said, c.hash[:]) {
		return nil, fmt.Errorf("property %s is not the hash of the others", hash)
	}
	return c, nil
}

// peer checks credentials of the participant with a GUID, and returns its certificate, discovery data and permissions.
func (a *Authentication) peer(c *credentials, remote wire.GUID) (*x509.Certificate, *security.Peer, error) {
	chain, err := ParseCertificates(c.properties[0].Value)
	if err != nil {
		return nil, nil, fmt.Errorf("property c.id: %w", err)
	}
	if err := a.trust(chain); err != nil {
		return nil, nil, err
	}
	cert := chain[0]
	if kind, err := algorithmOf(cert.PublicKey); err != nil || kind.sign != text(c.properties[3].Value) {
		return nil, nil, fmt.Errorf("property c.dsign_algo is %.40q for a certificate with %s", c.properties[3].Value, kind.token)
	}
	data := c.properties[2].Value
	said, ok := participantGUID(data)
	if !ok || said != remote {
		return nil, nil, fmt.Errorf("property c.pdata has GUID %v, not %v", said, remote)
	}
	if p := subjectPrefix(cert); !bytes.Equal(p[:6], remote.Prefix[:6]) {
		return nil, nil, fmt.Errorf("GUID %v is not one of certificate %q", remote, cert.Subject)
	}
	permissions, err := a.config.Check(c.properties[1].Value, cert)
	if err != nil {
		return nil, nil, fmt.Errorf("certificate %q: %w", cert.Subject, err)
	}
	return cert, &security.Peer{Name: cert.Subject.String(), Permissions: permissions, Data: data}, nil
}

// participantGUID returns PID_PARTICIPANT_GUID of discovery data, a parameter list in big-endian order.
func participantGUID(data []byte) (wire.GUID, bool) {
	const pidParticipantGUID, pidSentinel = 0x0050, 0x0001
	for len(data) >= 4 {
		id, n := binary.BigEndian.Uint16(data), int(binary.BigEndian.Uint16(data[2:]))
		if data = data[4:]; n > len(data) || id == pidSentinel {
			break
		}
		if id == pidParticipantGUID && n == 16 {
			return wire.GUIDFromBytes(data), true
		}
		data = data[n:]
	}
	return wire.GUID{}, false
}

// exchange is what both signatures of a handshake are about.
type exchange struct {
	hash1, hash2           [sha256.Size]byte
	public1, public2       []byte
	challenge1, challenge2 []byte
}

// replied returns what the replier signs, finished what the initiator signs (9.3.2.5.2, 9.3.2.5.3).
func (e *exchange) replied() []byte {
	return signed("hash_c2", e.hash2[:], "challenge2", e.challenge2, "dh2", e.public2, "challenge1", e.challenge1, "dh1", e.public1, "hash_c1", e.hash1[:])
}

func (e *exchange) finished() []byte {
	return signed("hash_c1", e.hash1[:], "challenge1", e.challenge1, "dh1", e.public1, "challenge2", e.challenge2, "dh2", e.public2, "hash_c2", e.hash2[:])
}

// signed returns the bytes of properties: names and values alternate.
func signed(list ...any) []byte {
	return wire.AppendBinaryProperties(nil, properties(list...))
}

// properties returns binary properties from alternating names and values.
func properties(list ...any) (p []wire.BinaryProperty) {
	for i := 0; i+1 < len(list); i += 2 {
		name, _ := list[i].(string)
		value, _ := list[i+1].([]byte)
		p = append(p, wire.BinaryProperty{Name: name, Value: value})
	}
	return p
}

// require checks that a token has a property with a value, or none where that is optional.
func require(token *wire.DataHolder, name string, want []byte, optional bool) error {
	got := token.Value(name)
	if got == nil && optional || subtle.ConstantTimeCompare(got, want) == 1 && got != nil {
		return nil
	}
	return fmt.Errorf("property %s is not that of this handshake", name)
}
