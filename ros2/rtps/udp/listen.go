// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"fmt"
	"net/netip"
)

// listenUnicast uses the first participant id whose two ports are free. It binds without address reuse, so that no two
// participants share an id; low ids are preferred because peers without multicast probe these first. If all are in use
// it binds any other ports, which peers learn from the announcement. In localhost mode it uses the next loopback
// address: peers that probe by unicast alone would not discover a participant on other ports.
func (s *systemSockets) listenUnicast() error {
	ids := maxParticipants(s.cfg.DomainID)
	if s.cfg.LocalhostOnly {
		ids = maxLocalhostIDs
	}
	var last error
	for id := range ids {
		if last = s.listenPair(id); last == nil {
			return nil
		}
		if !errors.Is(last, errAddressInUse) {
			break
		}
	}
	if errors.Is(last, errAddressInUse) && !s.cfg.LocalhostOnly {
		if last = s.listenPair(-1); last == nil {
			return nil
		}
	}
	return fmt.Errorf("%w in domain %d: %w", ErrNoPorts, s.cfg.DomainID, last)
}

// bound returns the address to bind and the ports of a participant id; for -1 any two ports.
func (s *systemSockets) bound(id int) (addr netip.Addr, meta, user uint16) {
	addr = netip.IPv4Unspecified()
	if id < 0 {
		return addr, 0, 0
	}
	if s.cfg.LocalhostOnly {
		ports := maxParticipants(s.cfg.DomainID)
		addr, id = loopback(id/ports), id%ports
	}
	return addr, UnicastPort(s.cfg.DomainID, id, Metatraffic), UnicastPort(s.cfg.DomainID, id, UserTraffic)
}

// listenPair binds the two ports of a participant id, or neither.
func (s *systemSockets) listenPair(id int) error {
	addr, meta, user := s.bound(id)
	first, err := s.listen(netip.AddrPortFrom(addr, meta), metaMessages)
	if err != nil {
		return err
	}
	second, err := s.listen(netip.AddrPortFrom(addr, user), userMessages)
	if err != nil {
		return errors.Join(err, first.close())
	}
	s.id, s.addr, s.socks[Metatraffic], s.socks[UserTraffic] = id, addr, first, second
	s.ports[Metatraffic], s.ports[UserTraffic] = first.local.Port(), second.local.Port()
	return nil
}

// listenUDP opens a socket with exclusive use of its port, which receives up to messages per system call.
func (s *systemSockets) listenUDP(local netip.AddrPort, messages int) (*socket, error) {
	return s.listenOn(local, messages, false)
}

func (s *systemSockets) listenOn(local netip.AddrPort, messages int, shared bool) (*socket, error) {
	sock, err := open(local, shared)
	if err != nil {
		return nil, err
	}
	if err := sock.receiveOn(s.cfg.ReceiveBuffer, messages); err != nil {
		return nil, errors.Join(err, sock.close())
	}
	return sock, nil
}

// listenLoopback joins the discovery group on the loopback interface, and keeps what is sent to it on this machine.
// Cyclone DDS announces by multicast alone where that interface has the flag MULTICAST ("ip link set lo multicast on"),
// and by unicast alone where it does not; the kernel delivers both either way. The socket gets nothing that arrives on
// another interface: it is bound to the group where the system permits that, and accepts only what was joined.
func (s *systemSockets) listenLoopback() error {
	s.mu.Lock()
	lo := s.ifaces[0]
	s.mu.Unlock()
	if lo.index == 0 {
		return errNoInterface
	}
	port := MulticastPort(s.cfg.DomainID)
	sock, err := s.listenOn(netip.AddrPortFrom(loopbackGroup(), port), metaMessages, true)
	if err != nil {
		return fmt.Errorf("rtps: discovery port %d: %w", port, err)
	}
	meta := s.socks[Metatraffic]
	if err := errors.Join(sock.receiveJoined(), sock.join(MulticastGroup(), lo), meta.loopMulticast(), meta.keepMulticast()); err != nil {
		return errors.Join(err, sock.close())
	}
	s.socks[Multicast] = sock
	return nil
}

// listenMulticast binds the port shared by every participant of the domain on this machine.
func (s *systemSockets) listenMulticast() (err error) {
	port := MulticastPort(s.cfg.DomainID)
	if s.socks[Multicast], err = s.listenOn(netip.AddrPortFrom(netip.IPv4Unspecified(), port), metaMessages, true); err != nil {
		return fmt.Errorf("rtps: discovery port %d: %w", port, err)
	}
	// peers on this machine
	if err := s.socks[Metatraffic].loopMulticast(); err != nil {
		return err
	}
	s.mu.Lock()
	list := s.ifaces
	s.mu.Unlock()
	s.join(list)
	return nil
}

// join joins the multicast group on every interface of the list.
func (s *systemSockets) join(list []iface) {
	for _, i := range list {
		err := s.socks[Multicast].join(MulticastGroup(), i)
		if err != nil && !errors.Is(err, errAddressInUse) && s.cfg.Logger != nil {
			s.cfg.Logger.Warn("cannot join the discovery group", "interface", i.name, "error", err)
		}
	}
}

// scan lists the interfaces of the machine.
func (s *systemSockets) scan() error {
	all, err := systemInterfaces()
	if err != nil {
		return err
	}
	local := make([]iface, len(all))
	for i, a := range all {
		local[i] = a.iface
	}
	list := []iface{loopbackInterface(all)}
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
