// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

const (
	// maxConnections may be open at once, maxPerAddress of them to one address. An IPv6 address is its /64 prefix,
	// which one machine has for itself.
	maxConnections = 64
	maxPerAddress  = 32
	// graceTime is how long each connection has to send its request before a newcomer may displace it. It bounds the
	// rate of a flood at maxPerAddress / graceTime; the kernel queues the rest.
	graceTime = 20 * time.Millisecond
)

// usage is what a connection is used for; lower values are closed first.
type usage uint8

const (
	waiting   usage = iota // for its request: half-open, or idle between requests
	answering              // a request that has not been authorised
	authorised
)

// connectionPool bounds the number of open connections. When there are too many, the oldest connection without an
// authorised request is closed, of the address that has most of those: half-open clients displace each other only.
type connectionPool struct {
	mu   sync.Mutex
	open []*patientConn // oldest first
}

// size returns how many connections are open.
func (p *connectionPool) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open)
}

// admit adds c and returns the connection that the caller must close for it, nil for none. A positive wait means that
// c was not added and the caller should try again then; ok is false if c can't be admitted.
func (p *connectionPool) admit(c *patientConn, now time.Time) (victim *patientConn, wait time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at, full := p.fullest(c.address); full {
		if victim = p.weakest(at); victim == nil {
			return nil, 0, false
		}
		if wait = graceTime - now.Sub(victim.since); wait > 0 {
			return nil, wait, true
		}
		p.drop(victim)
	}
	c.since = now
	p.open = append(p.open, c)
	return victim, 0, true
}

// fullest returns the address whose connection must be closed to admit one of newcomer, if any.
func (p *connectionPool) fullest(newcomer netip.Addr) (at netip.Addr, full bool) {
	all, displaceable := map[netip.Addr]int{}, map[netip.Addr]int{}
	for _, c := range p.open {
		all[c.address]++
		if c.usage != authorised {
			displaceable[c.address]++
		}
	}
	if all[newcomer] >= maxPerAddress {
		return newcomer, true
	}
	if len(p.open) < maxConnections {
		return newcomer, false
	}
	at = newcomer
	for _, c := range p.open { // in order of admission: map iteration has none
		if displaceable[c.address] > displaceable[at] {
			at = c.address
		}
	}
	return at, true
}

// weakest returns the oldest of an address' connections of the lowest usage, nil if all are authorised.
func (p *connectionPool) weakest(at netip.Addr) *patientConn {
	for u := waiting; u < authorised; u++ {
		if i := slices.IndexFunc(p.open, func(c *patientConn) bool { return c.address == at && c.usage == u }); i >= 0 {
			return p.open[i]
		}
	}
	return nil
}

// drop removes a connection.
func (p *connectionPool) drop(c *patientConn) {
	p.open = slices.DeleteFunc(p.open, func(o *patientConn) bool { return o == c })
}

// remove removes a connection that is closed.
func (p *connectionPool) remove(c *patientConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(c)
}

// use sets what a connection is used for.
func (p *connectionPool) use(c *patientConn, u usage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.usage = u
}

// connectionKey is the context key of a request's connection.
type connectionKey struct{}

// withConnection is the ConnContext of an [http.Server].
func withConnection(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, c)
}

// mark sets what the connection of a request is used for.
func (s *Server) mark(r *http.Request, u usage) {
	if c, ok := r.Context().Value(connectionKey{}).(*patientConn); ok {
		s.limited.pool.use(c, u)
	}
}

// clientAddress returns the address that limits count: an IPv4 address, or the /64 prefix of an IPv6 address.
func clientAddress(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return a
	}
	return netip.PrefixFrom(a, 64).Masked().Addr()
}
