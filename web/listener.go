// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	// writeTime is how long a piece of writePiece bytes may take to leave. The kernel takes more only when a third of
	// its buffer, which is twice sendBuffer, has left: a viewer of 1 kB/s needs 45 s for that.
	writeTime  = 90 * time.Second
	writePiece = 4 << 10
	// sendBuffer bounds what the kernel holds for a viewer, in bytes: what lies there is old before it arrives.
	sendBuffer = 64 << 10
)

// limitedListener bounds how many connections are open, and cuts off those that do not take what is sent to them.
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
			_ = tcp.SetWriteBuffer(sendBuffer) // the kernel's default only delays viewers
		}
		return c, nil
	}
}

// admit adds a connection to the pool and closes the one that makes way for it.
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

// patientConn returns each piece of what is written its time, however long the whole takes.
type patientConn struct {
	net.Conn
	free    func()
	writing sync.Mutex // the pieces of one call come one after the other
	address netip.Addr // that limits count
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
