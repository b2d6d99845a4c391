// SPDX-License-Identifier: Apache-2.0

package vnet

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// Host is one machine on a Net: an udp.Network.
type Host struct {
	net  *Net
	addr netip.Addr
}

// Addr returns the address of the host.
func (h *Host) Addr() netip.Addr { return h.addr }

// Listen implements udp.Network: it uses the first participant id that is free on the host.
func (h *Host) Listen(cfg udp.Config) (udp.Sockets, error) {
	n := h.net
	n.mu.Lock()
	defer n.mu.Unlock()
	for id := range 120 {
		meta := netip.AddrPortFrom(h.addr, udp.UnicastPort(cfg.DomainID, id, udp.Metatraffic))
		user := netip.AddrPortFrom(h.addr, udp.UnicastPort(cfg.DomainID, id, udp.UserTraffic))
		if n.bound[meta] != nil || n.bound[user] != nil {
			continue
		}
		group := udp.MulticastPort(cfg.DomainID)
		s := &sockets{net: n, host: h, id: id, list: []*socket{
			newSocket(n, meta, udp.Metatraffic), newSocket(n, user, udp.UserTraffic),
			newSocket(n, netip.AddrPortFrom(h.addr, group), udp.Multicast),
		}}
		n.bound[meta], n.bound[user] = s.list[0], s.list[1]
		s.group = groupOf{port: group}
		if cfg.LocalhostOnly {
			s.group.loopback = h.addr
		}
		n.groups[s.group] = append(slices.Clone(n.groups[s.group]), s.list[2])
		return s, nil
	}
	return nil, fmt.Errorf("%w on %v", udp.ErrNoPorts, h.addr)
}

// sockets implements udp.Sockets.
type sockets struct {
	net   *Net
	host  *Host
	id    int
	list  []*socket // metatraffic, user traffic, multicast
	group groupOf   // of the last
	wg    task.Group
}

// ParticipantID implements udp.Sockets.
func (s *sockets) ParticipantID() int { return s.id }

// Locators implements udp.Sockets.
func (s *sockets) Locators(t udp.Traffic) []netip.AddrPort {
	if t == udp.UserTraffic {
		return []netip.AddrPort{s.list[1].local}
	}
	return []netip.AddrPort{s.list[0].local}
}

// Reachable implements udp.Sockets: the network is 10.0.0.0/24.
func (s *sockets) Reachable(addr netip.Addr) bool {
	return netip.PrefixFrom(s.host.addr, 24).Contains(addr) && addr.As4()[3] != 255
}

// Interface implements udp.Sockets.
func (s *sockets) Interface(addr netip.Addr) int {
	if s.Reachable(addr) {
		return 0
	}
	return -1
}

// Refresh implements udp.Sockets: a virtual host does not change.
func (s *sockets) Refresh() bool { return false }

// Serve implements udp.Sockets.
func (s *sockets) Serve(handle func([]byte, netip.AddrPort, udp.Traffic), _ func(error)) {
	for _, sock := range s.list {
		s.wg.Go("receive", func() { sock.receive(handle) })
	}
}

// Send implements udp.Sockets.
func (s *sockets) Send(datagram []byte, to netip.AddrPort, t udp.Traffic) error {
	from := s.list[0].local
	if t == udp.UserTraffic {
		from = s.list[1].local
	}
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	s.net.route(from, to, datagram)
	return nil
}

// Multicast implements udp.Sockets. With LocalhostOnly the datagram reaches the members with LocalhostOnly on this
// host.
func (s *sockets) Multicast(datagram []byte, _ int) error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	s.net.routeTo(s.net.groups[s.group], s.list[0].local, netip.AddrPortFrom(udp.MulticastGroup(), s.group.port), datagram)
	return nil
}

// Close implements udp.Sockets.
func (s *sockets) Close() error {
	s.net.mu.Lock()
	for _, sock := range s.list {
		if s.net.bound[sock.local] == sock {
			delete(s.net.bound, sock.local)
		}
		sock.close()
	}
	s.net.groups[s.group] = slices.DeleteFunc(slices.Clone(s.net.groups[s.group]), func(e *socket) bool { return e == s.list[2] })
	s.net.mu.Unlock()
	s.wg.Wait()
	return nil
}
