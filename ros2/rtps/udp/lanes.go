// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"net/netip"
	"sync"

	"golang.org/x/sys/unix"
)

// Bounds of lanes.
const (
	// maxLanes is how many destinations have a socket of their own; the others stay with the shared ones.
	maxLanes = 128
	// laneBuffer is the send buffer of each, bytes; Linux takes twice as much, some 28 full datagrams.
	laneBuffer = 32 << 10
)

// laneKey is a destination: the address of a peer and the kind of traffic, or for Multicast the interface's address.
type laneKey struct {
	addr netip.Addr
	kind Traffic
}

// lane is a socket that sends to one destination and receives nothing.
type lane struct {
	*socket
	used bool // since the last sweep; guarded by lanes.mu
}

// lanes are the sockets of destinations that once found a shared one full, and of those that large samples are sent
// to.
//
// The kernel counts a datagram against its socket until the interface has sent it, so one interface whose queue does
// not move, or one address that answers no ARP, fills the buffer for every destination of that socket. From then on
// each destination that is refused has a buffer of its own, and one that does not move delays itself alone.
//
// A shared buffer holds 90 full datagrams. The queue of an interface may hold fewer; it drops what exceeds them
// without an error. The small buffer of a lane is full before, so that the fragments of large samples are sent as
// fast as the link carries them (TestPicturesOnSlowLink of package interop).
type lanes struct {
	open func() (*socket, error)

	mu     sync.Mutex
	byKey  map[laneKey]*lane // guarded by mu
	closed bool              // guarded by mu
}

// of returns the lane of a destination, or shared if it has none.
func (l *lanes) of(key laneKey, shared *socket) *socket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own, ok := l.byKey[key]; ok {
		own.used = true
		return own.socket
	}
	return shared
}

// add gives a destination its lane. It returns nil if it has one already, or if none is to be had.
func (l *lanes) add(key laneKey) *socket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.byKey[key]; ok || l.closed || len(l.byKey) >= maxLanes {
		return nil
	}
	sock, err := l.open()
	if err != nil {
		return nil
	}
	if l.byKey == nil {
		l.byKey = map[laneKey]*lane{}
	}
	l.byKey[key] = &lane{sock, true}
	return sock
}

// sweep closes the lanes that nothing was sent on since the last sweep.
func (l *lanes) sweep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, own := range l.byKey {
		if !own.used {
			_ = own.close()
			delete(l.byKey, key)
		}
		own.used = false
	}
}

// close closes all of them; there are no new ones.
func (l *lanes) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, own := range l.byKey {
		errs = append(errs, own.close())
	}
	l.byKey, l.closed = nil, true
	return errors.Join(errs...)
}

// try sends by the destination's lane or the shared socket; a destination that finds the latter full gets a lane.
func (l *lanes) try(key laneKey, shared *socket, send func(*socket) error) error {
	err := send(l.of(key, shared))
	if !errors.Is(err, ErrBusy) {
		return err
	}
	if own := l.add(key); own != nil {
		return send(own)
	}
	return err
}

// sendAll is socket.sendAll, each datagram by its destination's lane or the shared socket.
func (l *lanes) sendAll(list []Datagram, kind Traffic, shared *socket) (int, error) {
	done := 0
	for done < len(list) {
		key := laneKey{list[done].To.Addr(), kind}
		by := l.of(key, shared)
		end := done + 1
		for end < len(list) && (list[end].To == list[end-1].To || l.of(laneKey{list[end].To.Addr(), kind}, shared) == by) {
			end++
		}
		n, err := by.sendAll(list[done:end])
		if done += n; err == nil {
			continue
		}
		if !errors.Is(err, ErrBusy) || l.add(laneKey{list[done].To.Addr(), kind}) == nil {
			return done, err
		}
	}
	return done, nil
}

// openLane opens a socket that only sends. Peers do not mind its port, which is any.
func (s *systemSockets) openLane() (*socket, error) {
	sock, err := open(netip.AddrPortFrom(s.addr, 0), false)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(sock.option(unix.SOL_SOCKET, unix.SO_SNDBUF, laneBuffer), sock.option(unix.SOL_SOCKET, unix.SO_RCVBUF, 0)); err != nil {
		return nil, errors.Join(err, sock.close())
	}
	return sock, nil
}
