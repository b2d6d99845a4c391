// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	// writeTime is how long a piece of writePiece bytes may take to be sent. The kernel accepts more only when a
	// third of its buffer, which is twice sendBuffer, is free: a viewer of 1 kB/s needs 45 s for that.
	writeTime  = 90 * time.Second
	writePiece = 4 << 10
	// sendBuffer bounds the kernel's send buffer of a viewer, in bytes: data in it are old before they arrive.
	sendBuffer = 64 << 10
)

// limitedListener bounds the number of open connections, and closes those that do not read.
type limitedListener struct {
	net.Listener
	pool connectionPool
}

// Accept returns the next connection that the limits admit.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := newPatientConn(conn, l.pool.remove)
		if !l.admit(c) {
			_ = conn.Close() // all others are authorised
			continue
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetWriteBuffer(sendBuffer) // the kernel's default only adds delay
		}
		return c, nil
	}
}

// admit adds a connection to the pool and closes the one it displaces.
func (l *limitedListener) admit(c *patientConn) bool {
	for {
		victim, wait, ok := l.pool.admit(c, time.Now())
		if !ok {
			return false
		}
		if wait > 0 {
			<-time.After(wait) // at most graceTime
			continue
		}
		if victim != nil {
			_ = victim.Close() // its owner notices
		}
		return true
	}
}

// patientConn limits the time for each piece of a write instead of the whole write.
type patientConn struct {
	net.Conn
	free    func()
	writing sync.Mutex // keeps the pieces of one call together
	address netip.Addr // the address that limits apply to
	since   time.Time  // when the pool admitted it
	usage   usage      // guarded by the pool's mutex
}

// newPatientConn calls closed once when the connection is closed.
func newPatientConn(conn net.Conn, closed func(*patientConn)) *patientConn {
	c := &patientConn{Conn: conn}
	c.free = sync.OnceFunc(func() { closed(c) })
	if a, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		c.address = clientAddress(a.AddrPort().Addr())
	}
	return c
}

// Write implements [net.Conn].
func (c *patientConn) Write(p []byte) (n int, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	for {
		if err := c.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
			return n, err
		}
		k, err := c.Conn.Write(p[n:min(len(p), n+writePiece)])
		n += k
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// Close implements [net.Conn].
func (c *patientConn) Close() error {
	c.free()
	return c.Conn.Close()
}
