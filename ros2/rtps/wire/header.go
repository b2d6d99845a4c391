// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// HeaderSize is the size of the RTPS message header, bytes.
const HeaderSize = 20

// magic is the beginning of every message.
const magic = "RTPS"

// Header is the RTPS message header (DDSI-RTPS 8.3.3.1, 9.4.4).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|      'R'      |      'T'      |      'P'      |      'S'      |
//	+---------------+---------------+---------------+---------------+
//	|   ProtocolVersion version     |       VendorId vendor         |
//	+---------------+---------------+---------------+---------------+
//	|                     GuidPrefix, 12 octets                     |
//	+---------------+---------------+---------------+---------------+
type Header struct {
	// Version is the protocol version of the sender.
	Version ProtocolVersion
	// Vendor is the implementation of the sender.
	Vendor VendorID
	// Prefix is the sending participant.
	Prefix GUIDPrefix
}

// Append appends the 20 bytes of h to dst.
func (h Header) Append(dst []byte) []byte {
	dst = append(dst, magic...)
	dst = append(dst, h.Version.major(), h.Version.minor(), byte(h.Vendor>>8), byte(h.Vendor))
	return append(dst, h.Prefix[:]...)
}

// ParseHeader parses the header of a datagram. It fails if the datagram is shorter than [HeaderSize] or does not begin
// with "RTPS", and if the protocol version is unsupported; the error names the version. It does not allocate for
// datagrams that are not RTPS messages.
func ParseHeader(datagram []byte) (Header, error) {
	if len(datagram) < HeaderSize || string(datagram[:4]) != magic {
		return Header{}, errNotRTPS
	}
	h := Header{
		Version: ProtocolVersion(bigEndian.u16(datagram[4:])),
		Vendor:  VendorID(bigEndian.u16(datagram[6:])),
		Prefix:  GUIDPrefix(datagram[8:20]),
	}
	if !h.Version.supported() {
		return h, fmt.Errorf("%w: %v", errVersion, h.Version)
	}
	return h, nil
}
