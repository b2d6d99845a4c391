// SPDX-License-Identifier: Apache-2.0

package pcapng

import (
	"encoding/binary"
	"net/netip"
	"slices"
)

const protocolUDP = 17

// flow identifies the fragments of one IP packet (RFC 791).
type flow struct {
	src, dst [4]byte
	id       uint16
}

type fragment struct {
	offset int
	data   []byte
	last   bool
}

// reassembler holds the fragments of incomplete IP packets.
type reassembler map[flow][]fragment

// datagram adds an IP packet; ok means that it completes a UDP datagram.
func (r reassembler) datagram(ip []byte) (d Datagram, ok bool) {
	if len(ip) < 20 || ip[0]>>4 != 4 || ip[9] != protocolUDP {
		return d, false
	}
	header, total := int(ip[0]&15)*4, int(binary.BigEndian.Uint16(ip[2:]))
	if header < 20 || total < header || total > len(ip) {
		return d, false
	}
	f := flow{[4]byte(ip[12:16]), [4]byte(ip[16:20]), binary.BigEndian.Uint16(ip[4:])}
	bits := binary.BigEndian.Uint16(ip[6:])
	body := ip[header:total]
	more, offset := bits&0x2000 != 0, int(bits&0x1fff)*8
	if more || offset > 0 {
		r[f] = append(r[f], fragment{offset, body, !more})
		if body = join(r[f]); body == nil {
			return d, false
		}
		delete(r, f)
	}
	return udp(f, body)
}

// join returns the reassembled packet, or nil if a fragment is missing.
func join(parts []fragment) []byte {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b fragment) int { return a.offset - b.offset })
	var whole []byte
	for _, p := range parts {
		if p.offset != len(whole) {
			continue // a duplicate, or a gap, after which no fragment fits
		}
		whole = append(whole, p.data...)
		if p.last {
			return whole
		}
	}
	return nil
}

func udp(f flow, b []byte) (d Datagram, ok bool) {
	if len(b) < 8 {
		return d, false
	}
	n := int(binary.BigEndian.Uint16(b[4:]))
	if n < 8 || n > len(b) {
		return d, false
	}
	return Datagram{
		Src:     netip.AddrPortFrom(netip.AddrFrom4(f.src), binary.BigEndian.Uint16(b)),
		Dst:     netip.AddrPortFrom(netip.AddrFrom4(f.dst), binary.BigEndian.Uint16(b[2:])),
		Payload: b[8:n],
	}, true
}
