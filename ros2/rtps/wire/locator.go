// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"fmt"
	"net/netip"
)

// LocatorKind is the transport of a Locator (DDSI-RTPS 9.3.2.4).
type LocatorKind int32

// Locator kinds. Only the two UDP ones are used; the others are announced by Fast DDS.
const (
	locatorInvalid  LocatorKind = -1
	locatorReserved LocatorKind = 0
	locatorUDPv4    LocatorKind = 1
	locatorUDPv6    LocatorKind = 2
	locatorTCPv4    LocatorKind = 4
	locatorTCPv6    LocatorKind = 8
	locatorSHM      LocatorKind = 16
)

// Locator is a network address of a participant or endpoint (9.3.2.4).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|                          long kind                            |
//	+---------------+---------------+---------------+---------------+
//	|                      unsigned long port                       |
//	+---------------+---------------+---------------+---------------+
//	|           octet address[16], IPv4 in the last four            |
//	+---------------+---------------+---------------+---------------+
type Locator struct {
	// Kind is the transport.
	Kind LocatorKind
	// Port is the UDP port, at most 65535.
	Port uint32
	// Address is the IPv6 address, or the IPv4 address in its last four bytes.
	Address [16]byte
}

// locatorSize is the size of a Locator on the wire, bytes.
const locatorSize = 24

// LocatorFrom returns the UDP locator of an address; IPv4 mapped into IPv6 counts as IPv4. The locator of an invalid
// address has the kind locatorInvalid.
func LocatorFrom(ap netip.AddrPort) Locator {
	addr := ap.Addr().Unmap()
	switch {
	case addr.Is4():
		l := Locator{Kind: locatorUDPv4, Port: uint32(ap.Port())}
		a := addr.As4()
		copy(l.Address[12:], a[:])
		return l
	case addr.Is6():
		return Locator{Kind: locatorUDPv6, Port: uint32(ap.Port()), Address: addr.As16()}
	}
	return Locator{Kind: locatorInvalid}
}

// validate checks that l is a possible UDP destination: kind UDPv4 or UDPv6, port 1 to 65535, and an address that is
// not all zero and, for IPv4, only in the last four bytes. The error wraps errLocator.
func (l Locator) validate() error {
	switch {
	case l.Kind != locatorUDPv4 && l.Kind != locatorUDPv6:
		return fmt.Errorf("%w: kind %d", errLocator, l.Kind)
	case l.Port == 0 || l.Port > 65535:
		return fmt.Errorf("%w: port %d", errLocator, l.Port)
	case l.Kind == locatorUDPv4 && [12]byte(l.Address[:12]) != [12]byte{}:
		return fmt.Errorf("%w: IPv4 address %x", errLocator, l.Address)
	case l.Address == [16]byte{}:
		return fmt.Errorf("%w: unspecified address", errLocator)
	}
	return nil
}

// AddrPort returns the address of a valid UDP locator.
func (l Locator) AddrPort() (ap netip.AddrPort, ok bool) {
	if l.validate() != nil {
		return ap, false
	}
	if l.Kind == locatorUDPv4 {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(l.Address[12:])), uint16(l.Port)), true
	}
	return netip.AddrPortFrom(netip.AddrFrom16(l.Address), uint16(l.Port)), true
}

// Append appends the 24 bytes of l, little-endian, to dst.
func (l Locator) Append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(l.Kind))
	dst = binary.LittleEndian.AppendUint32(dst, l.Port)
	return append(dst, l.Address[:]...)
}

// String returns "udp/address:port", or kind, port and address in hex.
func (l Locator) String() string {
	if ap, ok := l.AddrPort(); ok {
		return "udp/" + ap.String()
	}
	return fmt.Sprintf("kind%d/%x:%d", l.Kind, l.Address, l.Port)
}

func (o order) locator(b []byte) Locator {
	return Locator{Kind: LocatorKind(o.i32(b)), Port: o.u32(b[4:]), Address: [16]byte(b[8:24])}
}
