// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"
)

// UDP is the Network of real sockets: UDP over IPv4.
type UDP struct{}

// udpSockets are three sockets: multicast and unicast metatraffic, and unicast user traffic.
type udpSockets struct {
	cfg   NetworkConfig
	id    int
	group *ipv4.PacketConn // joined to the SPDP group; nil in localhost mode
	socks [3]*udpSocket    // by Traffic; the multicast one is nil in localhost mode
	wg    sync.WaitGroup

	mu     sync.Mutex
	ifaces []iface // what Locators tells; guarded by mu
	local  []iface // every address of this machine, for Reachable in localhost mode; guarded by mu
}

// Listen implements Network.
func (UDP) Listen(cfg NetworkConfig) (Sockets, error) {
	s := &udpSockets{cfg: cfg}
	if err := s.scan(); err != nil {
		return nil, err
	}
	if err := s.listenUnicast(); err != nil {
		return nil, err
	}
	if cfg.LocalhostOnly {
		return s, nil
	}
	if err := s.listenMulticast(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

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
			if pair[i], err = newUDPSocket(conn, s.cfg.ReceiveBuffer); err != nil {
				conn.Close()
				return err
			}
		}
		if pair[1] != nil {
			s.id, s.socks[Metatraffic], s.socks[UserTraffic] = id, pair[0], pair[1]
			return nil
		}
		if pair[0] != nil {
			pair[0].conn.Close()
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
	sock, err := newUDPSocket(pc.(*net.UDPConn), s.cfg.ReceiveBuffer)
	if err != nil {
		pc.Close()
		return err
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

// Refresh implements Sockets. If every interface is gone it keeps the last ones: Wi-Fi comes back.
func (s *udpSockets) Refresh() bool {
	s.mu.Lock()
	before := s.ifaces
	s.mu.Unlock()
	if s.cfg.LocalhostOnly || s.scan() != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Equal(before, s.ifaces) {
		return false
	}
	s.join(s.ifaces)
	return true
}

// ParticipantID implements Sockets.
func (s *udpSockets) ParticipantID() int { return s.id }

// Locators implements Sockets.
func (s *udpSockets) Locators(t Traffic) []netip.AddrPort {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]netip.AddrPort, len(s.ifaces))
	for i, f := range s.ifaces {
		list[i] = netip.AddrPortFrom(f.prefix.Addr(), UnicastPort(s.cfg.DomainID, s.id, t))
	}
	return list
}

// Reachable implements Sockets. In localhost mode a peer on this machine may name any of the machine's own addresses
// (Fast DDS of Iron and later does).
func (s *udpSockets) Reachable(addr netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cfg.LocalhostOnly {
		return addr.IsLoopback() || slices.ContainsFunc(s.local, func(i iface) bool { return i.prefix.Addr() == addr })
	}
	return find(s.ifaces, addr) >= 0
}

// Interface implements Sockets.
func (s *udpSockets) Interface(addr netip.Addr) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return find(s.ifaces, addr)
}

// Serve implements Sockets.
func (s *udpSockets) Serve(handle func([]byte, netip.AddrPort, Traffic)) {
	for t, sock := range s.socks {
		if sock == nil {
			continue
		}
		s.wg.Go(func() { sock.receive(func(b []byte, from netip.AddrPort) { handle(b, from, Traffic(t)) }) })
	}
}

// Send implements Sockets.
func (s *udpSockets) Send(datagram []byte, to netip.AddrPort, t Traffic) error {
	return s.socks[t].send(datagram, to)
}

// Multicast implements Sockets.
func (s *udpSockets) Multicast(datagram []byte, i int) error {
	s.mu.Lock()
	list := s.ifaces
	s.mu.Unlock()
	if s.group == nil || i >= len(list) {
		return nil
	}
	cm := ipv4.ControlMessage{IfIndex: list[i].index}
	to := netip.AddrPortFrom(MulticastGroup(), MulticastPort(s.cfg.DomainID))
	if _, err := s.group.WriteTo(datagram, &cm, net.UDPAddrFromAddrPort(to)); err != nil {
		return fmt.Errorf("rtps: multicast on %s: %w", list[i].name, err)
	}
	return nil
}

// Close implements Sockets.
func (s *udpSockets) Close() error {
	var errs []error
	for _, sock := range s.socks {
		if sock != nil {
			errs = append(errs, sock.conn.Close())
		}
	}
	s.wg.Wait()
	return errors.Join(errs...)
}
