// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/hex"
)

// GUIDPrefix identifies a participant; its first two bytes are the vendor id
// of the implementation (DDSI-RTPS 9.3.1.5). Zero means unknown.
type GUIDPrefix [12]byte

// IsZero reports whether p is GUIDPREFIX_UNKNOWN.
func (p GUIDPrefix) IsZero() bool { return p == GUIDPrefix{} }

// Vendor returns the vendor id in the first two bytes.
func (p GUIDPrefix) Vendor() VendorID { return VendorID(p[0])<<8 | VendorID(p[1]) }

// String returns the bytes in hex, separated by dots.
func (p GUIDPrefix) String() string { return string(appendDotted(nil, p[:])) }

// GUID identifies an entity of a participant globally (9.3.1).
//
//	 0               1               2               3
//	+---------------+---------------+---------------+---------------+
//	|                                                               |
//	+                      prefix (12 octets)                       +
//	|                                                               |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	|              entity key (3 octets)            |     kind      |
//	+---------------+---------------+---------------+---------------+
type GUID struct {
	// Prefix identifies the participant.
	Prefix GUIDPrefix
	// Entity identifies the entity within the participant.
	Entity EntityID
}

// guidSize is the size of a GUID on the wire, bytes.
const guidSize = 16

// GUIDFromBytes returns the GUID in the first 16 bytes of b, or the zero GUID if b is shorter.
func GUIDFromBytes(b []byte) GUID {
	var g GUID
	if len(b) < guidSize {
		return g
	}
	copy(g.Prefix[:], b)
	g.Entity = entity(b[12:])
	return g
}

// Append appends the 16 bytes of g to dst.
func (g GUID) Append(dst []byte) []byte {
	return appendEntity(append(dst, g.Prefix[:]...), g.Entity)
}

// Bytes returns the 16 bytes of g.
func (g GUID) Bytes() [guidSize]byte {
	var b [guidSize]byte
	g.Append(b[:0])
	return b
}

// IsZero reports whether g is GUID_UNKNOWN.
func (g GUID) IsZero() bool { return g == GUID{} }

// Compare orders GUIDs by their bytes: -1, 0 or +1.
func (g GUID) Compare(o GUID) int {
	a, b := g.Bytes(), o.Bytes()
	return bytes.Compare(a[:], b[:])
}

// String returns prefix and entity id in dotted hex, separated by a bar.
func (g GUID) String() string {
	b := appendDotted(make([]byte, 0, 3*guidSize), g.Prefix[:])
	b = append(b, '|')
	e := g.Entity.bytes()
	return string(appendDotted(b, e[:]))
}

func appendDotted(dst, b []byte) []byte {
	for i := range b {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = hex.AppendEncode(dst, b[i:i+1])
	}
	return dst
}
