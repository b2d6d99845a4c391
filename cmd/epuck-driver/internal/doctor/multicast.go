// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// group is the multicast group in which DDS participants discover each other (DDSI-RTPS 9.6.1.4.1).
var group = netip.AddrFrom4([4]byte{239, 255, 0, 1})

// Multicast reports whether a datagram sent on an interface to the discovery group is received, within a time, by a
// socket that has joined the group there. A firewall on this machine or the interface may prevent it. It does not
// test the switch or access point beyond.
func Multicast(name string, within time.Duration) (bool, error) {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return false, fmt.Errorf("doctor: %s: %w", name, err)
	}
	from, err := firstIPv4(i)
	if err != nil {
		return false, err
	}
	in, err := net.ListenMulticastUDP("udp4", i, &net.UDPAddr{IP: group.AsSlice()})
	if err != nil {
		return false, fmt.Errorf("doctor: joining %v on %s: %w", group, name, err)
	}
	defer func() { _ = in.Close() }()
	at, err := netip.ParseAddrPort(in.LocalAddr().String())
	if err != nil {
		return false, fmt.Errorf("doctor: %w", err)
	}
	dialer := net.Dialer{LocalAddr: &net.UDPAddr{IP: from.AsSlice()}, Control: leaveBy(from)}
	out, err := dialer.Dial("udp4", netip.AddrPortFrom(group, at.Port()).String())
	if err != nil {
		return false, fmt.Errorf("doctor: sending on %s: %w", name, err)
	}
	defer func() { _ = out.Close() }()
	return echo(out, in, within)
}

// echo sends a random text and waits until it is received.
func echo(out net.Conn, in *net.UDPConn, within time.Duration) (bool, error) {
	word := []byte(rand.Text())
	if _, err := out.Write(word); err != nil {
		return false, fmt.Errorf("doctor: %w", err)
	}
	if err := in.SetReadDeadline(time.Now().Add(within)); err != nil {
		return false, fmt.Errorf("doctor: %w", err)
	}
	buf := make([]byte, 100)
	for {
		n, _, err := in.ReadFromUDP(buf)
		if err != nil {
			return false, nil //nolint:nilerr // a timeout means false
		}
		if bytes.Equal(buf[:n], word) {
			return true, nil
		}
	}
}

// leaveBy makes a socket send multicasts on the interface with an address, regardless of the routes.
func leaveBy(from netip.Addr) func(network, address string, c syscall.RawConn) error {
	return func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) {
			failed = syscall.SetsockoptInet4Addr(socketHandle(fd), syscall.IPPROTO_IP, syscall.IP_MULTICAST_IF, from.As4())
		})
		if err != nil {
			return err
		}
		return failed
	}
}

func firstIPv4(i *net.Interface) (netip.Addr, error) {
	addrs, err := i.Addrs()
	if err != nil {
		return netip.Addr{}, fmt.Errorf("doctor: %s: %w", i.Name, err)
	}
	for _, a := range addrs {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() {
			return p.Addr(), nil
		}
	}
	return netip.Addr{}, fmt.Errorf("doctor: %s has no IPv4 address", i.Name)
}
