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

// MaxGreeting is the longest greeting, bytes.
const MaxGreeting = 512

const (
	hello  = "CTR"
	naming = "\nRobot-Name: "
	// longestName is how long an encoded name may be before it is hashed.
	longestName = 70
)

// ParseGreeting reads the greeting of a controller over TCP: the encoded name of the robot it is for, empty if it says
// none. Nothing marks the end of a greeting; whole is false for one that is surely not complete.
func ParseGreeting(b []byte) (name string, whole bool, err error) {
	text := string(b)
	switch {
	case len(b) > MaxGreeting:
		return "", false, fmt.Errorf("%w: %d bytes, at most %d", errGreeting, len(b), MaxGreeting)
	case len(text) < len(hello+naming):
		if !strings.HasPrefix(hello+naming, text) {
			return "", false, fmt.Errorf("%w: %q", errGreeting, text)
		}
		return "", text == hello, nil
	case !strings.HasPrefix(text, hello+naming):
		return "", false, fmt.Errorf("%w: %q", errGreeting, text[:len(hello+naming)])
	}
	name = text[len(hello+naming):]
	if i := strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }); i >= 0 {
		return "", false, fmt.Errorf("%w: byte %d of the robot's name", errGreeting, i)
	}
	return name, name != "", nil
}

// EncodeName returns a robot's name as greetings and sockets have it: percent-encoded, and by its hash if that is
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
	if b.Len() <= longestName {
		return b.String()
	}
	sum := sha1.Sum([]byte(b.String())) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}
