// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/net/ipv4"
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
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
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
func (s *udpSockets) Serve(handle func([]byte, netip.AddrPort, Traffic), lost func(error)) {
	for t, sock := range s.socks {
		if sock == nil {
			continue
		}
		s.wg.Go(func() {
			if err := sock.receive(func(b []byte, from netip.AddrPort) { handle(b, from, Traffic(t)) }); err != nil {
				lost(err)
			}
		})
	}
}

// Send implements Sockets.
func (s *udpSockets) Send(datagram []byte, to netip.AddrPort, t Traffic) error {
	return s.socks[t].send(datagram, to)
}

// SendBatch implements BatchSender.
func (s *udpSockets) SendBatch(list []Datagram, t Traffic) (int, error) {
	return s.socks[t].sendAll(list)
}

// Multicast implements Sockets.
func (s *udpSockets) Multicast(datagram []byte, i int) error {
	s.mu.Lock()
	list := s.ifaces
	s.mu.Unlock()
	if s.group == nil || i >= len(list) {
		return nil
	}
	cm := ipv4.ControlMessage{IfIndex: list[i].index, Src: list[i].prefix.Addr().AsSlice()} // peers check where it comes from
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
