// SPDX-License-Identifier: Apache-2.0

package vnet

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// Host is one machine on a Net: an rtps.Network.
type Host struct {
	net  *Net
	addr netip.Addr
}

// Addr returns the address of the host.
func (h *Host) Addr() netip.Addr { return h.addr }

// Listen implements rtps.Network: it takes the first participant id that is free on the host.
func (h *Host) Listen(cfg rtps.NetworkConfig) (rtps.Sockets, error) {
	n := h.net
	n.mu.Lock()
	defer n.mu.Unlock()
	for id := range 120 {
		meta := netip.AddrPortFrom(h.addr, rtps.UnicastPort(cfg.DomainID, id, rtps.Metatraffic))
		user := netip.AddrPortFrom(h.addr, rtps.UnicastPort(cfg.DomainID, id, rtps.UserTraffic))
		if n.bound[meta] != nil || n.bound[user] != nil {
			continue
		}
		group := rtps.MulticastPort(cfg.DomainID)
		s := &sockets{net: n, host: h, id: id, list: []*socket{
			newSocket(n, meta, rtps.Metatraffic), newSocket(n, user, rtps.UserTraffic),
			newSocket(n, netip.AddrPortFrom(h.addr, group), rtps.Multicast),
		}}
		n.bound[meta], n.bound[user] = s.list[0], s.list[1]
		if !cfg.LocalhostOnly {
			n.groups[group] = append(slices.Clone(n.groups[group]), s.list[2])
		}
		return s, nil
	}
	return nil, fmt.Errorf("%w on %v", rtps.ErrNoPorts, h.addr)
}

// sockets implements rtps.Sockets.
type sockets struct {
	net  *Net
	host *Host
	id   int
	list []*socket // metatraffic, user traffic, multicast
	wg   sync.WaitGroup
}

// ParticipantID implements rtps.Sockets.
func (s *sockets) ParticipantID() int { return s.id }

// Locators implements rtps.Sockets.
func (s *sockets) Locators(t rtps.Traffic) []netip.AddrPort {
	if t == rtps.UserTraffic {
		return []netip.AddrPort{s.list[1].local}
	}
	return []netip.AddrPort{s.list[0].local}
}

// Reachable implements rtps.Sockets: the network is 10.0.0.0/24.
func (s *sockets) Reachable(addr netip.Addr) bool {
	return netip.PrefixFrom(s.host.addr, 24).Contains(addr) && addr.As4()[3] != 255
}

// Interface implements rtps.Sockets.
func (s *sockets) Interface(addr netip.Addr) int {
	if s.Reachable(addr) {
		return 0
	}
	return -1
}

// Refresh implements rtps.Sockets: a virtual host never changes.
func (s *sockets) Refresh() bool { return false }

// Serve implements rtps.Sockets.
func (s *sockets) Serve(handle func([]byte, netip.AddrPort, rtps.Traffic), _ func(error)) {
	for _, sock := range s.list {
		s.wg.Go(func() { sock.serve(handle) })
	}
}

// Send implements rtps.Sockets.
func (s *sockets) Send(datagram []byte, to netip.AddrPort, t rtps.Traffic) error {
	from := s.list[0].local
	if t == rtps.UserTraffic {
		from = s.list[1].local
	}
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	s.net.route(from, to, datagram)
	return nil
}

// Multicast implements rtps.Sockets.
func (s *sockets) Multicast(datagram []byte, _ int) error {
	return s.Send(datagram, netip.AddrPortFrom(rtps.MulticastGroup(), s.list[2].local.Port()), rtps.Metatraffic)
}

// Close implements rtps.Sockets.
func (s *sockets) Close() error {
	s.net.mu.Lock()
	for _, sock := range s.list {
		if s.net.bound[sock.local] == sock {
			delete(s.net.bound, sock.local)
		}
		port := sock.local.Port()
		s.net.groups[port] = slices.DeleteFunc(slices.Clone(s.net.groups[port]), func(e *socket) bool { return e == sock })
		sock.close()
	}
	s.net.mu.Unlock()
	s.wg.Wait()
	return nil
}
