// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net"
	"sync"
	"time"
)

const (
	// maxConnections may be open at once; more are closed as they come.
	maxConnections = 64
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
	open chan struct{} // holds a token for each open connection
}

func limitConnections(l net.Listener, n int) *limitedListener {
	return &limitedListener{Listener: l, open: make(chan struct{}, n)}
}

// used returns how many connections are open.
func (l *limitedListener) used() int { return len(l.open) }

// Accept returns the next connection for which there is room.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.open <- struct{}{}:
		default:
			_ = conn.Close() // there is no room
			continue
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetWriteBuffer(sendBuffer) // the kernel's default only delays viewers
		}
		return &patientConn{Conn: conn, free: sync.OnceFunc(func() { <-l.open })}, nil
	}
}

// patientConn gives each piece of what is written its time, however long the whole takes.
type patientConn struct {
	net.Conn
	free    func()
	writing sync.Mutex // the pieces of one call come one after the other
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
