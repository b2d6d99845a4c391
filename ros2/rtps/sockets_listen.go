// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"

	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"
)

// listenUnicast takes the first participant id whose two ports are free. It binds without address reuse, so that no two participants
// share an id; a low id matters because peers without multicast probe only the first few.
func (s *udpSockets) listenUnicast() error {
	addr := netip.IPv4Unspecified()
	if s.cfg.LocalhostOnly {
		addr = loopback()
	}
	var last error
	for id := range maxParticipants(s.cfg.DomainID) {
		var pair [2]*udpSocket
		for i, t := range []Traffic{Metatraffic, UserTraffic} {
			conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, UnicastPort(s.cfg.DomainID, id, t))))
			if err != nil {
				last = err
				break
			}
			if pair[i], err = newUDPSocket(conn, s.cfg.ReceiveBuffer, []int{metaMessages, userMessages}[i]); err != nil {
				return errors.Join(err, conn.Close())
			}
		}
		if pair[1] != nil {
			s.id, s.socks[Metatraffic], s.socks[UserTraffic] = id, pair[0], pair[1]
			return nil
		}
		if pair[0] != nil {
			_ = pair[0].conn.Close() // the next pair may be free
		}
		if last != nil && !errors.Is(last, unix.EADDRINUSE) {
			break
		}
	}
	return fmt.Errorf("%w in domain %d: %w", ErrNoPorts, s.cfg.DomainID, last)
}

// listenMulticast binds the port that every participant of the domain on this machine shares.
func (s *udpSockets) listenMulticast() error {
	lc := net.ListenConfig{Control: shareAddress}
	port := MulticastPort(s.cfg.DomainID)
	pc, err := lc.ListenPacket(context.Background(), "udp4", fmt.Sprintf(":%d", port))
	if err != nil {
		return fmt.Errorf("rtps: discovery port %d: %w", port, err)
	}
	conn, ok := pc.(*net.UDPConn)
	if !ok {
		return errors.Join(fmt.Errorf("rtps: discovery socket is a %T", pc), pc.Close())
	}
	sock, err := newUDPSocket(conn, s.cfg.ReceiveBuffer, metaMessages)
	if err != nil {
		return errors.Join(err, pc.Close())
	}
	s.socks[Multicast] = sock
	s.group = ipv4.NewPacketConn(s.socks[Metatraffic].conn)
	if err := s.group.SetMulticastLoopback(true); err != nil { // peers on this machine
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.join(s.ifaces)
	return nil
}

// shareAddress sets both reuse options: peers do, and Linux wants all binders of a port to agree.
func shareAddress(_, _ string, c syscall.RawConn) error {
	var err error
	ctl := c.Control(func(fd uintptr) {
		for _, opt := range []int{unix.SO_REUSEADDR, unix.SO_REUSEPORT} {
			if e := unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, opt, 1); e != nil {
				err = e
			}
		}
	})
	return errors.Join(ctl, err)
}

// join makes the multicast socket a member of the group on every interface of the list.
func (s *udpSockets) join(list []iface) {
	pc := ipv4.NewPacketConn(s.socks[Multicast].conn)
	for _, i := range list {
		err := pc.JoinGroup(&net.Interface{Index: i.index, Name: i.name}, net.UDPAddrFromAddrPort(netip.AddrPortFrom(MulticastGroup(), 0)))
		if err != nil && !errors.Is(err, unix.EADDRINUSE) && s.cfg.Logger != nil {
			s.cfg.Logger.Warn("cannot join the discovery group", "interface", i.name, "error", err)
		}
	}
}

// scan reads the interfaces of the machine.
func (s *udpSockets) scan() error {
	all, err := systemInterfaces()
	if err != nil {
		return err
	}
	local := make([]iface, len(all))
	for i, a := range all {
		local[i] = a.iface
	}
	list := []iface{{name: "lo", prefix: netip.PrefixFrom(loopback(), 8)}}
	if !s.cfg.LocalhostOnly {
		if list, err = selectInterfaces(all, s.cfg.Interfaces); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ifaces, s.local = list, local
	return nil
}
