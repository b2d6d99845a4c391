// SPDX-License-Identifier: Apache-2.0

package card

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// errValue is matched by errors about an invalid value.
var errValue = errors.New("card: value")

var (
	hostName  = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	nameSpace = regexp.MustCompile(`^(/[A-Za-z_][A-Za-z0-9_]*)+$`)
)

func setName(s *Settings, v string) error {
	v = strings.TrimSuffix(strings.ToLower(v), ".local")
	if !hostName.MatchString(v) {
		return fmt.Errorf("%w: %q is not 1 to 63 letters (a to z), digits and hyphens", errValue, v)
	}
	s.Name = v
	return nil
}

func setWiFi(s *Settings, v string) error {
	if len(v) > 32 {
		return fmt.Errorf("%w: a network's name has at most 32 bytes, this has %d", errValue, len(v))
	}
	s.WiFi = v
	return nil
}

func setWiFiPassword(s *Settings, v string) error {
	if len(v) == 64 {
		if _, err := hex.DecodeString(v); err == nil {
			s.WiFiPassword = strings.ToLower(v)
			return nil
		}
	}
	if len(v) < 8 || len(v) > 63 {
		return fmt.Errorf("%w: a Wi-Fi password has 8 to 63 characters, this has %d", errValue, len(v))
	}
	if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fmt.Errorf("%w: a Wi-Fi password has only the letters, digits and signs of an English keyboard", errValue)
	}
	s.WiFiPassword = v
	return nil
}

func setCountry(s *Settings, v string) error {
	v = strings.ToUpper(v)
	if len(v) != 2 || strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return fmt.Errorf("%w: %q is not a country's two letters, such as CH, DE, GB or US", errValue, v)
	}
	s.Country = v
	return nil
}

func setPassword(s *Settings, v string) error {
	if n := len([]rune(v)); n < 8 || len(v) > 200 {
		return fmt.Errorf("%w: a password has 8 characters or more (and at most 200 bytes), this has %d", errValue, n)
	}
	s.Password = v
	return nil
}

// addSSHKey adds a public key in ssh-keygen's format: kind, base64, comment (RFC 4253, 6.6).
func addSSHKey(s *Settings, v string) error {
	if strings.Contains(v, "PRIVATE KEY") {
		return fmt.Errorf("%w: this is a private key, which stays on your computer; the public one is in the file ending in .pub", errValue)
	}
	parts := strings.Fields(v)
	if len(parts) < 2 || !publicKey(parts[0], parts[1]) {
		return fmt.Errorf("%w: not a public key: the one line of a file such as id_ed25519.pub, beginning with ssh-ed25519 or ssh-rsa", errValue)
	}
	if len(s.SSHKeys) >= 16 {
		return fmt.Errorf("%w: more than 16 keys", errValue)
	}
	s.SSHKeys = append(s.SSHKeys, strings.Join(parts, " "))
	return nil
}

// publicKey reports whether the base64 data is a key of a kind: it begins with the length of the kind's name and the
// name.
func publicKey(kind, encoded string) bool {
	switch kind {
	case "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
		"sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com":
	default:
		return false
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(data) < 4+len(kind)+32 {
		return false
	}
	return binary.BigEndian.Uint32(data) == uint32(len(kind)) && string(data[4:4+len(kind)]) == kind
}

func setDomain(s *Settings, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > 232 {
		return fmt.Errorf("%w: %q is not a number from 0 to 232", errValue, v)
	}
	s.Domain = &n
	return nil
}

func setNamespace(s *Settings, v string) error {
	v = "/" + strings.Trim(v, "/")
	if len(v) > 200 || !nameSpace.MatchString(v) {
		return fmt.Errorf("%w: %q is not made of letters, digits and _, beginning with a letter, such as robot1 or class/robot1", errValue, v)
	}
	s.Namespace = v
	return nil
}

// printable rejects characters that would end a line or a file early in the files that contain the value.
func printable(v string) error {
	if i := strings.IndexFunc(v, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }); i >= 0 {
		return fmt.Errorf("%w: it holds a character that can't be printed, or was not saved as UTF-8", errValue)
	}
	return nil
}
