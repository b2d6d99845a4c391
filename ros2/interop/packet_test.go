// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"
)

// packet is a UDP datagram in an Ethernet frame.
type packet struct {
	hardware [12]byte // destination and source
	from, to netip.AddrPort
	payload  []byte
}

const (
	ethernetSize, ipv4Size, udpSize = 14, 20, 8

	etherTypeIPv4 = 0x0800
	protocolUDP   = 17
)

// parsePacket decodes a frame. ok is false if it is not a complete UDP datagram over IPv4.
func parsePacket(frame []byte) (p packet, ok bool) {
	if len(frame) < ethernetSize+ipv4Size+udpSize || binary.BigEndian.Uint16(frame[12:]) != etherTypeIPv4 {
		return p, false
	}
	ip := frame[ethernetSize:]
	header, size := int(ip[0]&15)*4, int(binary.BigEndian.Uint16(ip[2:]))
	fragment := binary.BigEndian.Uint16(ip[6:])&0x3fff != 0 // offset, or more to come
	if ip[9] != protocolUDP || fragment || size > len(ip) || size < header+udpSize {
		return p, false
	}
	udp := ip[header:size]
	address := func(ip, port []byte) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(ip)), binary.BigEndian.Uint16(port))
	}
	p = packet{from: address(ip[12:16], udp), to: address(ip[16:20], udp[2:]), payload: udp[udpSize:]}
	copy(p.hardware[:], frame)
	return p, true
}

// frame encodes the packet, without a UDP checksum, which IPv4 makes optional.
func (p packet) frame() []byte {
	b := append([]byte(nil), p.hardware[:]...)
	b = binary.BigEndian.AppendUint16(b, etherTypeIPv4)
	b = append(b, 0x45, 0)
	b = binary.BigEndian.AppendUint16(b, uint16(ipv4Size+udpSize+len(p.payload)))
	b = append(b, 0, 0, 0, 0, 64, protocolUDP, 0, 0)
	b = append(b, p.from.Addr().AsSlice()...)
	b = append(b, p.to.Addr().AsSlice()...)
	sum := uint32(0)
	for i := ethernetSize; i < ethernetSize+ipv4Size; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(b[i:]))
	}
	binary.BigEndian.PutUint16(b[ethernetSize+10:], ^uint16(sum+sum>>16))
	b = binary.BigEndian.AppendUint16(b, p.from.Port())
	b = binary.BigEndian.AppendUint16(b, p.to.Port())
	b = binary.BigEndian.AppendUint16(b, uint16(udpSize+len(p.payload)))
	return append(append(b, 0, 0), p.payload...)
}

func TestPacketIsDecodedAsEncoded(t *testing.T) {
	p := packet{
		hardware: [12]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2}, payload: []byte("RTPS"),
		from: netip.MustParseAddrPort("192.0.2.66:7410"), to: netip.MustParseAddrPort("192.0.2.1:7411"),
	}
	frame := p.frame()
	got, ok := parsePacket(frame)
	if !ok || got.hardware != p.hardware || got.from != p.from || got.to != p.to || !bytes.Equal(got.payload, p.payload) {
		t.Errorf("%v, not %v", got, p)
	}
	for n := range frame {
		if _, ok := parsePacket(frame[:n]); ok {
			t.Errorf("%d of %d bytes are a packet", n, len(frame))
		}
	}
}
