// SPDX-License-Identifier: Apache-2.0

package permissions

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// subject is a distinguished name: "CN=/robot", sorted, since programs print the parts in either order.
type subject []string

// names are the names of attributes that subjects have (RFC 4514, section 3, and OpenSSL's).
var names = map[string]string{
	"2.5.4.3": "CN", "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.6": "C", "2.5.4.8": "ST", "2.5.4.7": "L", "2.5.4.5": "SERIALNUMBER",
	"1.2.840.113549.1.9.1": "EMAILADDRESS", "0.9.2342.19200300.100.1.25": "DC", "0.9.2342.19200300.100.1.1": "UID",
}

// subjectOf returns the subject of a certificate.
func subjectOf(cert *x509.Certificate) subject {
	var sequence pkix.RDNSequence
	if rest, err := asn1.Unmarshal(cert.RawSubject, &sequence); err != nil || len(rest) > 0 {
		return nil
	}
	var s subject
	for _, set := range sequence {
		for _, a := range set {
			name, ok := names[a.Type.String()]
			if !ok {
				name = a.Type.String()
			}
			s = append(s, fmt.Sprintf("%s=%v", name, a.Value))
		}
	}
	slices.Sort(s)
	return s
}

// parseSubject reads the forms that programs write: "CN=/robot,O=lab" (RFC 4514), the same with spaces, and OpenSSL's
// old form "/CN=robot/O=lab".
func parseSubject(text string) (subject, error) {
	var s subject
	for _, part := range splitSubject(text) {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.ToUpper(strings.TrimSpace(name)), strings.TrimSpace(value)
		if !ok || name == "" {
			return nil, fmt.Errorf("<subject_name> %.80q: %.40q is no attribute and value", text, part)
		}
		switch name {
		case "E":
			name = "EMAILADDRESS"
		case "S":
			name = "ST"
		}
		s = append(s, name+"="+value)
	}
	if len(s) == 0 {
		return nil, errors.New("<subject_name> is empty")
	}
	slices.Sort(s)
	return s, nil
}

// splitSubject separates the attributes.
func splitSubject(text string) (parts []string) {
	separators := ",+"
	if strings.HasPrefix(text, "/") {
		text, separators = text[1:], "/"
	}
	var part strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			part.WriteByte(text[i])
		case strings.IndexByte(separators, c) >= 0:
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteByte(c)
		}
	}
	if part.Len() > 0 {
		parts = append(parts, part.String())
	}
	return parts
}
