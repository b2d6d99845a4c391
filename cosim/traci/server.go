// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// Server holds the time of a world for TraCI clients. Run and Status may be called from any goroutine, Run once.
type Server struct {
	cfg      Config
	listener net.Listener
	joined   chan *client
	slots    chan struct{} // one for each client that is there
	news     chan struct{} // some inbox has changed
	world    *state
	clients  []*client // in their order
	arrivals int
	begun    bool // the first step has been asked for
	left     bool // the last client that went has said so
	sorted   bool // clients is in its order
	scratch  []byte

	mu     sync.Mutex // guards what follows
	by     string
	waits  string
	since  time.Time
	closed bool
}

var _ timesource.Source = (*Server)(nil)

// New listens. Clients are served by Run.
func New(cfg Config) (*Server, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	s := &Server{
		cfg: cfg, joined: make(chan *client), slots: make(chan struct{}, cfg.Clients), news: make(chan struct{}, 1), by: "TraCI",
		world: newState(&cfg),
	}
	var err error
	if s.listener, err = new(net.ListenConfig).Listen(context.Background(), "tcp", cfg.Address); err != nil {
		return nil, fmt.Errorf("traci: %w", err)
	}
	s.wait("TraCI", "a client to connect to "+s.listener.Addr().String())
	return s, nil
}

// Addr returns where the server listens.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Close stops listening. Run closes, too.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	return s.listener.Close()
}

// Status implements timesource.Source.
func (s *Server) Status() timesource.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := timesource.Status{By: s.by, Waits: s.waits}
	if s.waits != "" {
		h.Since = time.Since(s.since)
	}
	return h
}

// wait says who controls time and what it waits for; "" is nothing.
func (s *Server) wait(by, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.by, s.waits, s.since = by, what, time.Now()
}

// Run implements timesource.Source: it accepts clients and advances time as they ask. It ends when all clients have
// sent that they close, with nil; one whose connection just ends may come again.
func (s *Server) Run(ctx context.Context, to func(age time.Duration) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var group task.Group
	defer group.Wait()
	defer cancel()
	defer func() {
		for _, c := range s.clients {
			_ = c.conn.Close() // the run is over
		}
	}()
	defer task.AfterDone(ctx, "end of TraCI", func() { _ = s.Close() })()
	defer func() { _ = s.Close() }()
	group.Go("TraCI listener", func() { s.listen(ctx, &group) })
	err := s.hold(ctx, to)
	if errors.Is(err, errOver) || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// listen takes in clients until the listener is closed.
func (s *Server) listen(ctx context.Context, group *task.Group) {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				s.cfg.Logger.Warn("no more TraCI clients", "error", err)
			}
			return
		}
		if !s.cfg.allowed(conn.RemoteAddr()) {
			s.cfg.Logger.Warn("TraCI client is not on the list", "address", conn.RemoteAddr())
			_ = conn.Close()
			continue
		}
		select {
		case s.slots <- struct{}{}:
		default:
			s.cfg.Logger.Warn("one TraCI client too many", "address", conn.RemoteAddr(), "clients", s.cfg.Clients)
			_ = conn.Close()
			continue
		}
		c := &client{conn: conn, stall: s.cfg.Stall, inbox: make(chan []byte, 1), news: s.news}
		group.Go("TraCI client", func() { c.read(ctx.Done()) })
		select {
		case s.joined <- c:
		case <-ctx.Done():
			_ = conn.Close()
		}
	}
}

// drop forgets a client that is gone.
func (s *Server) drop(c *client) {
	_ = c.conn.Close()
	for range c.inbox { // its reader ends
	}
	switch {
	case c.closing:
		s.cfg.Logger.Info("TraCI client has closed", "client", c.name())
	case c.err == nil || errors.Is(c.err, io.EOF):
		s.cfg.Logger.Warn("TraCI client is gone without a word", "client", c.name())
	default:
		s.cfg.Logger.Warn("TraCI client is sent away", "client", c.name(), "error", c.err)
	}
	<-s.slots
}
