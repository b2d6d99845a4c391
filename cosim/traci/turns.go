// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// ErrGone is matched by the end of a run whose last client's connection ended without its closing.
var ErrGone = errors.New("traci: the client is gone")

var (
	// errOver: all clients have closed.
	errOver = errors.New("traci: over")
	// errTimeout: a client has let the others wait for too long.
	errTimeout = errors.New("traci: it let the others wait for too long")
)

// hold lets clients take turns and time pass, until ctx ends or all clients have closed.
func (s *Server) hold(ctx context.Context, to func(age time.Duration) error) error {
	if err := to(0); err != nil {
		return err
	}
	if err := s.gather(ctx); err != nil {
		return err
	}
	for {
		if err := s.turns(ctx); err != nil {
			return err
		}
		if err := s.advance(ctx, to); err != nil {
			return err
		}
		s.answer()
	}
}

// gather waits until all clients are there, and have said their order if there are several.
func (s *Server) gather(ctx context.Context) error {
	for {
		for len(s.clients) < s.cfg.Clients {
			what := fmt.Sprintf("client %d of %d to connect to %s", len(s.clients)+1, s.cfg.Clients, s.listener.Addr())
			if err := s.acceptClient(ctx, what); err != nil {
				return err
			}
		}
		late := s.unordered()
		if len(late) == 0 || s.cfg.Clients == 1 {
			return nil
		}
		for _, c := range late {
			select {
			case message, ok := <-c.inbox:
				s.handle(c, message, ok)
			default:
			}
		}
		s.sweep()
		if late = s.unordered(); len(late) == 0 || len(s.clients) < s.cfg.Clients {
			continue
		}
		s.wait("TraCI", "the order of "+late[0].name())
		select {
		case <-s.news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// unordered returns the clients that have not said their order.
func (s *Server) unordered() (list []*client) {
	for _, c := range s.clients {
		if !c.ordered {
			list = append(list, c)
		}
	}
	return list
}

// handle executes what came out of a client's inbox, or notes its end.
func (s *Server) handle(c *client, message []byte, ok bool) {
	message, err := s.arrived(c, message, ok)
	if err != nil {
		c.err, c.gone = err, true
		return
	}
	c.begin()
	s.execute(c, message)
}

// acceptClient waits for one more client, or for one to come again.
func (s *Server) acceptClient(ctx context.Context, what string) error {
	s.wait("TraCI", what)
	var late <-chan time.Time
	if s.arrivals > 0 && len(s.clients) == 0 && s.cfg.Absence > 0 {
		timer := time.NewTimer(s.cfg.Absence)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case c := <-s.joined:
		s.register(c)
		return nil
	case <-late:
		return fmt.Errorf("%w: its connection ended without its closing (traci.close()) at a simulated time of %v, and no other connected within %v",
			ErrGone, s.world.now, s.cfg.Absence)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// register lets a client in.
func (s *Server) register(c *client) {
	s.arrivals++
	c.arrival, c.order, c.target = s.arrivals, math.MaxInt, s.world.now
	c.events, c.later = s.world.all(), events{}
	s.clients, s.sorted = append(s.clients, c), false
	s.cfg.Logger.Info("TraCI client connected", "client", c.name())
}

// sort puts the clients in their order; those without one come last, as they came.
func (s *Server) sort() {
	if s.sorted {
		return
	}
	s.sorted = true
	slices.SortStableFunc(s.clients, func(a, b *client) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.arrival, b.arrival))
	})
}

// turns lets each client do what it wants, until all wait for a later time.
func (s *Server) turns(ctx context.Context) error {
	for {
		s.sweep()
		s.sort()
		i := slices.IndexFunc(s.clients, func(c *client) bool { return !c.stepping })
		switch {
		case i >= 0:
			if err := s.serveCommands(ctx, s.clients[i]); err != nil {
				return err
			}
		case len(s.clients) > 0:
			return nil
		case s.left:
			return errOver
		default:
			if err := s.acceptClient(ctx, "a client to connect to "+s.listener.Addr().String()); err != nil {
				return err
			}
		}
	}
}

// sweep drops clients that are gone. Whether the last one has said so decides what becomes of the run.
func (s *Server) sweep() {
	s.clients = slices.DeleteFunc(s.clients, func(c *client) bool {
		if c.gone {
			s.drop(c)
			s.left = c.closing
		}
		return c.gone
	})
}

// serveCommands waits for a client's next message and executes it.
func (s *Server) serveCommands(ctx context.Context, c *client) error {
	message, err := s.next(ctx, c)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.err, c.gone = err, true
		return nil //nolint:nilerr // the client's end, not the server's
	}
	c.begin()
	s.execute(c, message)
	return nil
}

// nagging is after what time the log says whom everybody waits for.
const nagging = 10 * time.Second

// next returns a client's next message.
func (s *Server) next(ctx context.Context, c *client) ([]byte, error) {
	select {
	case message, ok := <-c.inbox:
		return s.arrived(c, message, ok)
	default:
	}
	s.wait("TraCI "+c.name(), "its next command")
	defer s.wait("TraCI "+c.name(), "")
	var timeout <-chan time.Time
	if s.cfg.Timeout > 0 {
		timer := time.NewTimer(s.cfg.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	nag := time.NewTimer(nagging)
	defer nag.Stop()
	for {
		select {
		case message, ok := <-c.inbox:
			return s.arrived(c, message, ok)
		case joined := <-s.joined:
			s.register(joined)
		case <-nag.C:
			s.cfg.Logger.Warn("simulated time is stalled: TraCI waits for a client's next command", "client", c.name())
		case <-timeout:
			return nil, errTimeout
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// arrived takes what came out of a client's inbox.
func (s *Server) arrived(c *client, message []byte, ok bool) ([]byte, error) {
	if !ok && c.err == nil {
		return nil, io.EOF
	}
	if !ok {
		return nil, c.err
	}
	return message, nil
}

// execute answers the commands of a message, until one of them asks for time to pass.
func (s *Server) execute(c *client, b []byte) {
	for len(b) > 0 && !c.gone {
		command, rest, err := wire.Next(b)
		if err != nil { // where the next one begins is not known, but where the message ends is
			c.status(0, err)
			break
		}
		b = rest
		s.command(c, command)
		if c.stepping {
			c.rest = b
			return
		}
	}
	c.send()
}

// longest is the latest time that can be asked for.
const longest = 4_000_000_000 * time.Second

// step handles a client's simulation step: 0 is one step, a time that is already reached is none.
func (s *Server) step(c *client, r *wire.Reader) error {
	seconds := r.Double()
	if err := r.Err(); err != nil {
		return err
	}
	if !(math.Abs(seconds) <= longest.Seconds()) {
		return refuse("Target time %g is not in the range 0 to %g.", seconds, longest.Seconds())
	}
	target := time.Duration(math.Round(seconds * float64(time.Second)))
	if seconds == 0 {
		target = s.world.now + s.cfg.Step
	}
	s.begun = true
	if target <= s.world.now {
		s.results(c)
		return nil
	}
	c.target, c.stepping = target, true
	c.events, c.later = c.later, events{}
	return nil
}

// advance advances time to what the first client waits for.
func (s *Server) advance(ctx context.Context, to func(age time.Duration) error) error {
	s.wait("TraCI "+s.clients[0].name(), "")
	for !slices.ContainsFunc(s.clients, func(c *client) bool { return c.target <= s.world.now }) {
		if err := s.world.step(ctx, s.cfg.Step, to); err != nil {
			return err
		}
		s.spread(nil)
		for _, c := range s.clients {
			if c.ended.Load() { // it does not take the answer
				c.gone = true
			}
		}
		if s.sweep(); len(s.clients) == 0 {
			return nil
		}
	}
	return nil
}

// answer answers the clients whose time is reached, and continues with their commands after the step.
func (s *Server) answer() {
	for _, c := range s.clients {
		if c.stepping && c.target <= s.world.now {
			c.stepping = false
			s.results(c)
			s.execute(c, c.rest)
		}
	}
}

// spread notifies all clients of a change, except the one that made it.
func (s *Server) spread(by *client) {
	fresh := s.world.fresh
	if fresh.empty() {
		return
	}
	for _, c := range s.clients {
		c.events.add(&fresh)
		if !c.stepping && c != by {
			c.later.add(&fresh)
		}
	}
	s.world.fresh = events{}
}
