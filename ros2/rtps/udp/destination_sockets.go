// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"net/netip"
	"sync"
)

// Bounds of dedicated sockets.
const (
	// maxDestSockets bounds the destinations with their own socket; the others use the shared ones.
	maxDestSockets = 128
	// destBuffer is the send buffer of each, bytes; Linux doubles it, for about 28 full datagrams.
	destBuffer = 32 << 10
)

// destKey is a destination: the address of a peer and the kind of traffic, or for Multicast the interface's address.
type destKey struct {
	addr netip.Addr
	kind Traffic
}

// destSocket is a socket that sends to one destination and receives nothing.
type destSocket struct {
	*socket
	used bool // since the last sweep; guarded by destSockets.mu
}

// destSockets are the dedicated sockets of destinations for which a shared one was once full, and of those that large
// samples are sent to.
//
// The kernel counts a datagram against its socket until the interface has sent it, so one interface with a stalled
// queue, or one address that does not answer ARP, fills the buffer for every destination of that socket. From then on
// each destination that got ErrBusy has its own buffer, and a stalled one delays only itself.
//
// A shared buffer holds 90 full datagrams. The queue of an interface may hold fewer, and drops more without an error.
// The small buffer of a dedicated socket is full before that, so the fragments of large samples are sent as fast as the
// link transmits them (TestPicturesOnSlowLink of package interop).
type destSockets struct {
	open func() (*socket, error)

	mu     sync.Mutex
	byKey  map[destKey]*destSocket // guarded by mu
	closed bool                    // guarded by mu
}

// of returns a destination's dedicated socket, or shared if it has none.
func (l *destSockets) of(key destKey, shared *socket) *socket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own, ok := l.byKey[key]; ok {
		own.used = true
		return own.socket
	}
	return shared
}

// add opens a dedicated socket for a destination. It returns nil if the destination has one, or if none can be opened.
func (l *destSockets) add(key destKey) *socket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.byKey[key]; ok || l.closed || len(l.byKey) >= maxDestSockets {
		return nil
	}
	sock, err := l.open()
	if err != nil {
		return nil
	}
	if l.byKey == nil {
		l.byKey = map[destKey]*destSocket{}
	}
	l.byKey[key] = &destSocket{sock, true}
	return sock
}

// sweep closes the dedicated sockets not used since the last sweep.
func (l *destSockets) sweep() {
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

// close closes all dedicated sockets and prevents new ones.
func (l *destSockets) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, own := range l.byKey {
		errs = append(errs, own.close())
	}
	l.byKey, l.closed = nil, true
	return errors.Join(errs...)
}

// try sends through the destination's dedicated socket or the shared one; if the latter is full, it opens a dedicated
// one.
func (l *destSockets) try(key destKey, shared *socket, send func(*socket) error) error {
	err := send(l.of(key, shared))
	if !errors.Is(err, ErrBusy) {
		return err
	}
	if own := l.add(key); own != nil {
		return send(own)
	}
	return err
}

// sendAll is socket.sendAll, with each datagram sent through its destination's dedicated socket or the shared one.
func (l *destSockets) sendAll(list []Datagram, kind Traffic, shared *socket) (int, error) {
	done := 0
	for done < len(list) {
		key := destKey{list[done].To.Addr(), kind}
		by := l.of(key, shared)
		end := done + 1
		for end < len(list) && (list[end].To == list[end-1].To || l.of(destKey{list[end].To.Addr(), kind}, shared) == by) {
			end++
		}
		n, err := by.sendAll(list[done:end])
		if done += n; err == nil {
			continue
		}
		if !errors.Is(err, ErrBusy) || l.add(destKey{list[done].To.Addr(), kind}) == nil {
			return done, err
		}
	}
	return done, nil
}

// openDestSocket opens a socket that only sends, from an arbitrary port: peers do not check it.
func (s *systemSockets) openDestSocket() (*socket, error) {
	sock, err := open(netip.AddrPortFrom(s.addr, 0), false)
	if err != nil {
		return nil, err
	}
	err = sock.sendOnly(destBuffer)
	if s.cfg.LocalhostOnly {
		err = errors.Join(err, sock.keepMulticast())
	}
	if err != nil {
		return nil, errors.Join(err, sock.close())
	}
	return sock, nil
}
