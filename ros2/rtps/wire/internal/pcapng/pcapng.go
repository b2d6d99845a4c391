// SPDX-License-Identifier: Apache-2.0

// Package pcapng reads UDP datagrams from packet captures, for tests: pcapng files with Ethernet or Linux cooked-mode
// packets and IPv4, whose fragments it reassembles.
package pcapng

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
)

// ErrFormat means that the package does not support a file.
var ErrFormat = errors.New("not a readable pcapng file")

// Datagram is one UDP datagram of a capture.
type Datagram struct {
	// Frame is the number of its (last) packet, from 1.
	Frame int
	// Src and Dst are sender and receiver.
	Src, Dst netip.AddrPort
	// Payload is the UDP payload.
	Payload []byte
}

// Block types and link types of the pcapng specification.
const (
	blockSection   = 0x0a0d0d0a
	blockInterface = 1
	blockPacket    = 6
	orderMagic     = 0x1a2b3c4d

	linkEthernet = 1
	linkCooked   = 113
)

// Read returns the UDP datagrams in a file, in the order in which they became complete. Other packets are skipped.
func Read(file []byte) ([]Datagram, error) {
	var (
		out   []Datagram
		links []uint16
		ip    = reassembler{}
		frame = 0
	)
	for len(file) > 0 {
		kind, body, rest, err := nextBlock(file)
		if err != nil {
			return out, err
		}
		file = rest
		switch kind {
		case blockInterface:
			if len(body) < 8 {
				return out, fmt.Errorf("%w: interface block of %d bytes", ErrFormat, len(body))
			}
			links = append(links, binary.LittleEndian.Uint16(body))
		case blockPacket:
			frame++
			packet, link, err := packetOf(body, links)
			if err != nil {
				return out, err
			}
			if d, ok := ip.datagram(network(packet, link)); ok {
				d.Frame = frame
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// nextBlock splits off the first block of a file.
func nextBlock(b []byte) (kind uint32, body, rest []byte, err error) {
	if len(b) < 12 {
		return 0, nil, nil, fmt.Errorf("%w: %d bytes left", ErrFormat, len(b))
	}
	kind = binary.LittleEndian.Uint32(b)
	n := binary.LittleEndian.Uint32(b[4:])
	if n < 12 || n%4 != 0 || uint64(n) > uint64(len(b)) {
		return 0, nil, nil, fmt.Errorf("%w: block of %d bytes", ErrFormat, n)
	}
	body = b[8 : n-4]
	if kind == blockSection && (len(body) < 4 || binary.LittleEndian.Uint32(body) != orderMagic) {
		return 0, nil, nil, fmt.Errorf("%w: not a little-endian section", ErrFormat)
	}
	return kind, body, b[n:], nil
}

// packetOf returns the captured bytes of an enhanced packet block.
func packetOf(body []byte, links []uint16) (packet []byte, link uint16, err error) {
	if len(body) < 20 {
		return nil, 0, fmt.Errorf("%w: packet block of %d bytes", ErrFormat, len(body))
	}
	iface, n := binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint32(body[12:])
	if uint64(iface) >= uint64(len(links)) || uint64(n) > uint64(len(body)-20) {
		return nil, 0, fmt.Errorf("%w: packet of %d bytes on interface %d", ErrFormat, n, iface)
	}
	return body[20 : 20+n], links[iface], nil
}

// network returns the packet without its link header, or nil if it is not IPv4.
func network(packet []byte, link uint16) []byte {
	size := 0
	switch link {
	case linkEthernet:
		size = 14
	case linkCooked:
		size = 16
	}
	if size == 0 || len(packet) < size || binary.BigEndian.Uint16(packet[size-2:]) != 0x0800 {
		return nil
	}
	return packet[size:]
}
