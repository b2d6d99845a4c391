// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/internal/timerfd"
)

// System is the Network of real sockets: UDP over IPv4.
type System struct{}

// systemSockets are three sockets: multicast and unicast metatraffic, and unicast user traffic.
type systemSockets struct {
	cfg Config
	id  int // -1 if the ports belong to no id
	// bound address: any, or a loopback address in localhost mode
	addr   netip.Addr
	ports  [3]uint16                                                 // by Traffic; not of the multicast one
	listen func(local netip.AddrPort, messages int) (*socket, error) // listenUDP; tests replace it

	socks       [3]*socket  // by Traffic; the multicast one is nil if the loopback interface of localhost mode has none
	destSockets destSockets // of destinations for which one of them was full
	wg          task.Group

	mu     sync.Mutex
	ifaces []iface // for Locators; guarded by mu
	local  []iface // every address of this machine, for Reachable in localhost mode; guarded by mu
}

// NewTimer starts a kernel timer: a goroutine that waits on real sockets wakes up once for it, and calls user functions
// only in a [task.Watched].
func (System) NewTimer(d time.Duration) (*timerfd.Timer, error) { return timerfd.New(d) }

// Listen implements Network.
func (System) Listen(cfg Config) (Sockets, error) {
	s := &systemSockets{cfg: cfg}
	s.listen, s.destSockets.open = s.listenUDP, s.openDestSocket
	if err := s.scan(); err != nil {
		return nil, err
	}
	if err := s.listenUnicast(); err != nil {
		return nil, err
	}
	if cfg.LocalhostOnly {
		if err := s.listenLoopback(); err != nil && cfg.Logger != nil {
			cfg.Logger.Warn("no discovery by multicast on the loopback interface, by unicast only", "error", err)
		}
		return s, nil
	}
	if err := s.listenMulticast(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Refresh implements Sockets. It queries the kernel, which may block while another program configures an interface. If
// there is no interface any more it keeps the last ones, since Wi-Fi may return.
func (s *systemSockets) Refresh() bool {
	s.destSockets.sweep()
	s.mu.Lock()
	before := s.ifaces
	s.mu.Unlock()
	if s.cfg.LocalhostOnly || s.scan() != nil {
		return false
	}
	s.mu.Lock()
	now := s.ifaces
	s.mu.Unlock()
	if slices.Equal(before, now) {
		return false
	}
	s.join(now) // without the lock: the call may block
	return true
}

// ParticipantID implements Sockets.
func (s *systemSockets) ParticipantID() int { return s.id }

// Locators implements Sockets.
func (s *systemSockets) Locators(t Traffic) []netip.AddrPort {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]netip.AddrPort, len(s.ifaces))
	for i, f := range s.ifaces {
		if s.cfg.LocalhostOnly {
			f.prefix = netip.PrefixFrom(s.addr, 8)
		}
		list[i] = netip.AddrPortFrom(f.prefix.Addr(), s.ports[t])
	}
	return list
}

// Reachable implements Sockets. In localhost mode a peer on this machine may name any of the machine's own addresses
// (Fast DDS of Iron and later does).
func (s *systemSockets) Reachable(addr netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cfg.LocalhostOnly {
		return addr.IsLoopback() || slices.ContainsFunc(s.local, func(i iface) bool { return i.prefix.Addr() == addr })
	}
	return find(s.ifaces, addr) >= 0
}

// Interface implements Sockets.
func (s *systemSockets) Interface(addr netip.Addr) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return find(s.ifaces, addr)
}

// Serve implements Sockets.
func (s *systemSockets) Serve(handle func([]byte, netip.AddrPort, Traffic), lost func(error)) {
	for t, sock := range s.socks {
		if sock == nil {
			continue
		}
		s.wg.Go("receive", func() {
			if err := sock.receive(func(b []byte, from netip.AddrPort) {
				if Traffic(t) != Multicast || !s.cfg.LocalhostOnly || s.Reachable(from.Addr()) {
					handle(b, from, Traffic(t))
				}
			}); err != nil {
				lost(err)
			}
		})
	}
}

// Send implements Sockets.
func (s *systemSockets) Send(datagram []byte, to netip.AddrPort, t Traffic) error {
	return s.destSockets.try(destKey{to.Addr(), t}, s.socks[t], func(by *socket) error { return by.send(datagram, to) })
}

// SendOwn implements OwnSender.
func (s *systemSockets) SendOwn(to netip.Addr, t Traffic) { s.destSockets.add(destKey{to, t}) }

// SendBatch implements BatchSender.
func (s *systemSockets) SendBatch(list []Datagram, t Traffic) (int, error) {
	return s.destSockets.sendAll(list, t, s.socks[t])
}

// Multicast implements Sockets.
func (s *systemSockets) Multicast(datagram []byte, i int) error {
	s.mu.Lock()
	list := s.ifaces
	s.mu.Unlock()
	if s.socks[Multicast] == nil || i >= len(list) {
		return nil
	}
	if s.cfg.LocalhostOnly {
		list = []iface{{index: list[i].index, name: list[i].name, prefix: netip.PrefixFrom(s.addr, 8)}}
	}
	to := netip.AddrPortFrom(MulticastGroup(), MulticastPort(s.cfg.DomainID))
	key := destKey{list[i].prefix.Addr(), Multicast}
	err := s.destSockets.try(key, s.socks[Metatraffic], func(by *socket) error { return by.sendOn(list[i], datagram, to) })
	if err != nil {
		return fmt.Errorf("rtps: multicast on %s: %w", list[i].name, err)
	}
	return nil
}

// Close implements Sockets.
func (s *systemSockets) Close() error {
	errs := []error{s.destSockets.close()}
	for _, sock := range s.socks {
		if sock != nil {
			errs = append(errs, sock.close())
		}
	}
	s.wg.Wait()
	return errors.Join(errs...)
}
