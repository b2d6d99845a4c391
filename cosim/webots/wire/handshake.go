// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"crypto/sha1" //nolint:gosec // names longer than 70 characters are hashed so, nothing is kept secret by it
	"encoding/hex"
	"fmt"
	"strings"
)

// What a simulator says to a controller that greets it over TCP.
const (
	Connected = "CONNECTED"
	Failed    = "FAILED"    // no such robot
	Forbidden = "FORBIDDEN" // the robot has a controller, or this machine may not connect
)

// MaxHandshake is the longest handshake, bytes.
const MaxHandshake = 512

const (
	handshakeStart = "CTR"
	robotNameField = "\nRobot-Name: "
	// maxName is how long an encoded name may be before it is hashed.
	maxName = 70
)

// ParseHandshake reads the handshake of a controller over TCP: the encoded name of the robot it is for, empty if it says
// none. Nothing marks the end of a handshake; whole is false for one that is surely not complete.
func ParseHandshake(b []byte) (name string, whole bool, err error) {
	text := string(b)
	switch {
	case len(b) > MaxHandshake:
		return "", false, fmt.Errorf("%w: %d bytes, at most %d", errHandshake, len(b), MaxHandshake)
	case len(text) < len(handshakeStart+robotNameField):
		if !strings.HasPrefix(handshakeStart+robotNameField, text) {
			return "", false, fmt.Errorf("%w: %q", errHandshake, text)
		}
		return "", text == handshakeStart, nil
	case !strings.HasPrefix(text, handshakeStart+robotNameField):
		return "", false, fmt.Errorf("%w: %q", errHandshake, text[:len(handshakeStart+robotNameField)])
	}
	name = text[len(handshakeStart+robotNameField):]
	if i := strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }); i >= 0 {
		return "", false, fmt.Errorf("%w: byte %d of the robot's name", errHandshake, i)
	}
	return name, name != "", nil
}

// EncodeName returns a robot's name as handshakes and sockets have it: percent-encoded, and by its hash if that is
// longer than 70 characters.
func EncodeName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-_.~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if b.Len() <= maxName {
		return b.String()
	}
	sum := sha1.Sum([]byte(b.String())) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}
