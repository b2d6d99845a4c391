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
	// maxLanes bounds the destinations with their own socket; the others use the shared ones.
	maxLanes = 128
	// laneBuffer is the send buffer of each, bytes; Linux doubles it, for about 28 full datagrams.
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

// lanes are the sockets of destinations for which a shared one was full once, and of those that large samples are sent
// to.
//
// The kernel counts a datagram against its socket until the interface has sent it, so one interface with a stalled
// queue, or one address that answers no ARP, fills the buffer for every destination of that socket. From then on each
// destination that got ErrBusy has its own buffer, and a stalled one delays only itself.
//
// A shared buffer holds 90 full datagrams. The queue of an interface may hold fewer, and drops more without an error.
// The small buffer of a lane is full before that, so the fragments of large samples are sent as fast as the link
// transmits them (TestPicturesOnSlowLink of package interop).
type lanes struct {
	open func() (*socket, error)

	mu     sync.Mutex
	byKey  map[laneKey]*lane // guarded by mu
	closed bool              // guarded by mu
}

// of returns the socket of a destination's lane, or shared if it has none.
func (l *lanes) of(key laneKey, shared *socket) *socket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own, ok := l.byKey[key]; ok {
		own.used = true
		return own.socket
	}
	return shared
}

// add creates a lane for a destination. It returns nil if it has one already, or if none can be opened.
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

// sweep closes the lanes not used since the last sweep.
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

// close closes all lanes and prevents new ones.
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

// try sends through the destination's lane or the shared socket; if the latter is full the destination gets a lane.
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

// sendAll is socket.sendAll, with each datagram sent through its destination's lane or the shared socket.
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

// openLane opens a socket that only sends, from an arbitrary port, which peers do not check.
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
