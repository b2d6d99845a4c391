// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// Server holds the time of a world for controllers of Webots. Run and Status may be called from any goroutine, Run
// once.
type Server struct {
	cfg      Config
	listener net.Listener
	folder   folder
	requests chan controlRequest
	events   chan event
	pending  chan struct{} // one for each connection that has not named its robot yet

	// Of the goroutine of Run.
	sessions []*session // in the order of their robots
	now      time.Duration
	world    time.Duration // how far it has gone: the last tick of now
	begun    bool
	lost     bool // a controller has disconnected without wb_robot_cleanup, and none has connected since

	mu     sync.Mutex // guards what follows
	waits  string
	since  time.Time
	closed bool
}

var _ timesource.Source = (*Server)(nil)

// maxPending bounds connections that have not said which robot they are for.
const maxPending = 64

// New listens. Controllers are served by Run.
func New(cfg Config) (*Server, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	s := &Server{
		cfg: cfg, requests: make(chan controlRequest), events: make(chan event), pending: make(chan struct{}, maxPending),
	}
	var err error
	if s.listener, err = new(net.ListenConfig).Listen(context.Background(), "tcp", cfg.Address); err != nil {
		return nil, fmt.Errorf("webots: %w", err)
	}
	if cfg.Folder != "" {
		var names []string
		for _, o := range drivable(cfg.Simulation) {
			names = append(names, o.Name())
		}
		if err := s.folder.open(&s.cfg, s.port(), names); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	s.wait(s.lacking())
	return s, nil
}

// port returns where the server listens.
func (s *Server) port() int {
	if at, ok := s.listener.Addr().(*net.TCPAddr); ok {
		return at.Port
	}
	return 0
}

// Addr returns where the server listens.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// URL returns what WEBOTS_CONTROLLER_URL must be for the controller of a robot: by a socket of this machine if there is
// one, else by TCP.
func (s *Server) URL(robot string) string {
	for _, k := range s.folder.sockets {
		if k.robot == robot {
			return fmt.Sprintf("ipc://%d/%s", s.port(), robot)
		}
	}
	return fmt.Sprintf("tcp://%s/%s", s.Addr(), robot)
}

// Close stops listening. Run closes, too.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	return errors.Join(s.listener.Close(), s.folder.close())
}

// Status implements timesource.Source.
func (s *Server) Status() timesource.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := timesource.Status{By: "Webots controllers", Waits: s.waits}
	if s.waits != "" {
		h.Since = time.Since(s.since)
	}
	return h
}

// wait says what time waits for; "" is nothing.
func (s *Server) wait(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits != what {
		s.waits, s.since = what, time.Now()
	}
}

// Run implements timesource.Source: it accepts controllers and advances time as they ask, until ctx ends. Time does not
// pass while there is no controller. At the end the controllers are sent the request to quit.
func (s *Server) Run(ctx context.Context, to func(age time.Duration) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var group task.Group
	defer group.Wait()
	defer cancel()
	defer s.shutdown()
	defer task.AfterDone(ctx, "end of Webots' controllers", func() { _ = s.Close() })()
	defer func() { _ = s.Close() }()
	group.Go("Webots listener", func() {
		s.accept(ctx, s.listener, &group, func(c net.Conn) { s.acceptController(ctx, c, &group) })
	})
	for _, k := range s.folder.sockets {
		group.Go("Webots socket", func() {
			s.accept(ctx, k.listener, &group, func(c net.Conn) { s.come(ctx, c, k, &group) })
		})
	}
	err := s.hold(ctx, to)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// accept lets in who connects, until the listener is closed.
func (s *Server) accept(ctx context.Context, l net.Listener, group *task.Group, serve func(net.Conn)) {
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() == nil && !errors.Is(err, net.ErrClosed) {
				s.cfg.Logger.Warn("no more controllers", "at", l.Addr(), "error", err)
			}
			return
		}
		select {
		case s.pending <- struct{}{}:
		default:
			s.cfg.Logger.Warn("too many connections that don't say which robot they are for", "limit", maxPending)
			_ = conn.Close()
			continue
		}
		group.Go("Webots controller", func() { serve(conn) })
	}
}

// come lets in who has connected to a robot's socket.
func (s *Server) come(ctx context.Context, conn net.Conn, k socket, group *task.Group) {
	n := &session{server: s, conn: conn, release: k.release, out: make(chan []byte, 1)}
	_, ok := s.requestRobot(ctx, n, wire.EncodeName(k.robot))
	<-s.pending
	if !ok {
		_ = conn.Close()
		return
	}
	n.exchange(ctx, group)
}
