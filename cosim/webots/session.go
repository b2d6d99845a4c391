// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// session is a controller that is connected. One goroutine reads it, one writes to it, the one of Run does all else.
type session struct {
	server  *Server
	conn    net.Conn
	release wire.Release
	remote  bool // over TCP
	out     chan []byte

	body    *body
	known   bool // its devices have been sent
	asked   bool // it waits for time to pass
	request wire.Request
	due     time.Duration
	gone    bool
	answer  wire.Answer
	ending  atomic.Bool // the server ends: it does not wait long for answers to be taken
}

// controlRequest is a controller that requests the control of a robot.
type controlRequest struct {
	session *session
	name    string // encoded; "" is the only one
	answer  chan string
}

// event is a request of a controller, or its end.
type event struct {
	session *session
	request wire.Request
	err     error
}

// requestRobot requests control of a robot and returns the answer to the handshake.
func (s *Server) requestRobot(ctx context.Context, n *session, name string) (answer string, ok bool) {
	k := controlRequest{n, name, make(chan string, 1)}
	select {
	case s.requests <- k:
		answer = <-k.answer
		return answer, answer == wire.Connected
	case <-ctx.Done():
		return wire.Failed, false
	}
}

// handshakeWait is how long a handshake that may be complete is waited for.
const handshakeWait = 100 * time.Millisecond

// acceptController serves a peer that has connected over TCP.
func (s *Server) acceptController(ctx context.Context, conn net.Conn, group *task.Group) {
	n := &session{server: s, conn: conn, release: s.cfg.Release, remote: true, out: make(chan []byte, 1)}
	stop := task.AfterDone(ctx, "end of a handshake", func() { _ = conn.Close() })
	answer, ok := wire.Forbidden, false
	if s.cfg.allowed(conn.RemoteAddr()) {
		name, err := n.readHandshake()
		if err != nil {
			s.cfg.Logger.Warn("no controller of Webots", "address", conn.RemoteAddr(), "error", err)
			answer = ""
		} else {
			answer, ok = s.requestRobot(ctx, n, name)
		}
	} else {
		s.cfg.Logger.Warn("controller is not on the list", "address", conn.RemoteAddr())
	}
	stop()
	<-s.pending
	_ = conn.SetWriteDeadline(time.Now().Add(s.cfg.Stall)) // an error of it is the write's
	if _, err := conn.Write([]byte(answer)); err != nil && ok {
		s.pass(ctx, event{session: n, err: err})
		ok = false
	}
	if !ok {
		_ = conn.Close()
		return
	}
	n.exchange(ctx, group)
}

// readHandshake reads what a controller says first. It has no end of its own: what may be all of it is waited for a little
// longer, and what surely is not for as long as a request.
func (n *session) readHandshake() (name string, err error) {
	var b []byte
	buffer := make([]byte, wire.MaxHandshake)
	_ = n.conn.SetReadDeadline(time.Now().Add(n.server.cfg.Stall)) // an error of it is the read's
	for {
		k, err := n.conn.Read(buffer)
		b = append(b, buffer[:k]...)
		name, whole, bad := wire.ParseHandshake(b)
		switch {
		case bad != nil:
			return "", bad
		case err != nil && whole && errors.Is(err, os.ErrDeadlineExceeded):
			return name, nil
		case err != nil:
			return "", err
		case whole && name != "" && n.server.has(name):
			return name, nil
		case whole:
			_ = n.conn.SetReadDeadline(time.Now().Add(handshakeWait))
		}
	}
}

// has reports whether a robot has a name, encoded.
func (s *Server) has(name string) bool {
	for _, o := range drivable(s.cfg.Simulation) {
		if wire.EncodeName(o.Name()) == name {
			return true
		}
	}
	return false
}

// exchange passes on the controller's requests, until its end or that of ctx, and sends it its answers.
func (n *session) exchange(ctx context.Context, group *task.Group) {
	_ = n.conn.SetReadDeadline(time.Time{})
	defer func() { _ = n.conn.Close() }() // it has ended
	group.Go("answers to a Webots controller", n.write)
	in := bufio.NewReader(n.conn)
	for {
		request, err := n.read(in)
		n.server.pass(ctx, event{n, request, err})
		if err != nil {
			return
		}
	}
}

// read reads a request. One that has begun must be completed in time.
func (n *session) read(in *bufio.Reader) (wire.Request, error) {
	if _, err := in.Peek(1); err != nil {
		return wire.Request{}, err
	}
	_ = n.conn.SetReadDeadline(time.Now().Add(n.server.cfg.Stall)) // an error of it is the read's
	request, err := wire.ReadRequest(in)
	_ = n.conn.SetReadDeadline(time.Time{})
	if n.ending.Load() {
		_ = n.conn.SetReadDeadline(time.Now().Add(leaving))
	}
	if err == nil && request.Bye {
		err = io.EOF
	}
	return request, err
}

// pass sends an event to the goroutine of Run, unless ctx ends first.
func (s *Server) pass(ctx context.Context, e event) {
	select {
	case s.events <- e:
	case <-ctx.Done():
	}
}

// leaving is how long controllers may take to read that they are to quit.
const leaving = time.Second

// write sends answers until there are no more. A controller that was asked to quit may confirm it; then the connection
// ends.
func (n *session) write() {
	for b := range n.out {
		stall := n.server.cfg.Stall
		if n.ending.Load() {
			stall = min(stall, leaving)
		}
		_ = n.conn.SetWriteDeadline(time.Now().Add(stall)) // an error of it is the write's
		if _, err := n.conn.Write(b); err != nil {
			_ = n.conn.Close() // the reader sees that it ends
			return
		}
	}
}

// send passes the answer to the goroutine that writes. A controller that has not received the one before is
// disconnected.
func (n *session) send() {
	b := n.answer.Local()
	if n.remote {
		b = n.answer.Stream()
	}
	select {
	case n.out <- b:
	default:
		n.server.drop(n, errSlow)
	}
}
