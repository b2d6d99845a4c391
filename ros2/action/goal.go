// SPDX-License-Identifier: Apache-2.0

package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Goal is what a handler works on.
type Goal[G, F any] struct {
	// ID is the identity that the client chose.
	ID ID
	// Accepted is when the server accepted the goal, by the clock of its node.
	Accepted time.Time
	// Goal is what the client asks for. It must not be changed.
	Goal *G

	feedback func(id ID, f *F) error
}

// Feedback tells the clients how it goes. It does not wait for them.
func (g *Goal[G, F]) Feedback(f *F) error { return g.feedback(g.ID, f) }

func hex(id ID) string { return fmt.Sprintf("%x", id.UUID) }

// goal is a goal as its server keeps it; the server's lock guards all but the first part.
type goal[G, R, F any] struct {
	Goal[G, F]
	ctx    context.Context
	end    context.CancelCauseFunc
	start  chan struct{}     // closed when the client was told that the goal is accepted
	before []<-chan struct{} // closed when the goals ended that this one waits for
	done   chan struct{}     // closed when this one has ended

	status  Status
	result  R
	waiting []func(Status, R) error // clients that asked for the result
	forget  *time.Timer             // from the end on
}

// sendGoal answers the request to take a goal, and begins to work on it.
func (s *Server[G, R, F]) sendGoal(id ID, body *G, respond func(accepted bool, at time.Time) error) error {
	g, err := s.accept(id, body)
	if err != nil {
		s.complain("goal rejected", id, err)
		return respond(false, s.node.Now())
	}
	err = respond(true, g.Accepted) // before its first feedback
	close(g.start)
	return err
}

// accept accepts a goal, or says why not.
func (s *Server[G, R, F]) accept(id ID, body *G) (*goal[G, R, F], error) {
	if err := s.cfg.Accept(body); err != nil {
		return nil, err
	}
	g := &goal[G, R, F]{
		Goal:  Goal[G, F]{ID: id, Goal: body, feedback: s.feedback},
		start: make(chan struct{}), done: make(chan struct{}), status: Accepted,
	}
	g.ctx, g.end = context.WithCancelCause(context.Background())
	var err error
	s.change(func() bool {
		err = s.add(g)
		return err == nil
	})
	if err != nil {
		g.end(err)
		return nil, err
	}
	return g, nil
}

// add adds a goal to those that are known, or says why not. The lock is held.
func (s *Server[G, R, F]) add(g *goal[G, R, F]) error {
	if err := s.room(g.ID); err != nil {
		return err
	}
	for _, other := range s.goals {
		if other.status.Ended() {
			continue
		}
		switch s.cfg.Overlap {
		case Refuse:
			return fmt.Errorf("goal %s is not at its end", hex(other.ID))
		case Replace:
			other.end(ErrReplaced)
			g.before = append(g.before, other.done)
		case Queue:
			g.before = append(g.before, other.done)
		}
	}
	g.Accepted = s.node.Now()
	s.goals = append(s.goals, g)
	s.workers.Go("goal of an action", func() { s.work(g) })
	return nil
}

// room tells why there is no place for one goal more, after it has made some. The lock is held.
func (s *Server[G, R, F]) room(id ID) error {
	if s.closed {
		return ros2.ErrClosed
	}
	if s.find(id) != nil {
		return errors.New("a goal with this identity is known already")
	}
	if len(s.goals) < s.cfg.MaxGoals {
		return nil
	}
	for i, g := range s.goals {
		if g.status.Ended() {
			g.forget.Stop()
			s.goals = slices.Delete(s.goals, i, i+1)
			return nil
		}
	}
	return fmt.Errorf("%d goals are not at their end", len(s.goals))
}

// find returns a goal, or nil. The lock is held.
func (s *Server[G, R, F]) find(id ID) *goal[G, R, F] {
	for _, g := range s.goals {
		if g.ID == id {
			return g
		}
	}
	return nil
}

func (s *Server[G, R, F]) forgetGoal(g *goal[G, R, F]) {
	s.change(func() bool {
		i := slices.Index(s.goals, g)
		if i >= 0 {
			s.goals = slices.Delete(s.goals, i, i+1)
		}
		return i >= 0
	})
}
