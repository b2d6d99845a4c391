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

// Goal is an accepted goal, as passed to a handler.
type Goal[G, F any] struct {
	// ID is the goal's UUID, chosen by the client.
	ID ID
	// Accepted is when the server accepted the goal, by the clock of its node.
	Accepted time.Time
	// Goal is the goal message. It must not be modified.
	Goal *G

	feedback func(id ID, f *F) error
}

// Feedback publishes feedback. It does not wait for the clients.
func (g *Goal[G, F]) Feedback(f *F) error { return g.feedback(g.ID, f) }

func hex(id ID) string { return fmt.Sprintf("%x", id.UUID) }

// goal is the server's state of a goal; the server's lock guards all but the first part.
type goal[G, R, F any] struct {
	Goal[G, F]
	ctx    context.Context
	end    context.CancelCauseFunc
	start  chan struct{}     // closed when the acceptance has been sent to the client
	before []<-chan struct{} // closed when the goals that this one waits for have ended
	done   chan struct{}     // closed when this goal has ended

	status  Status
	result  R
	waiting []func(Status, R) error // clients that requested the result
	forget  *time.Timer             // set when the goal ends
}

// sendGoal handles a goal request and starts the handler.
func (s *Server[G, R, F]) sendGoal(id ID, body *G, respond func(accepted bool, at time.Time) error) error {
	g, err := s.accept(id, body)
	if err != nil {
		s.logFailure("goal rejected", id, err)
		return respond(false, s.node.Now())
	}
	err = respond(true, g.Accepted) // before its first feedback
	close(g.start)
	return err
}

// accept accepts a goal, or returns why it is rejected.
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

// add adds a goal, or returns why it is rejected. The lock is held.
func (s *Server[G, R, F]) add(g *goal[G, R, F]) error {
	if err := s.makeSpace(g.ID); err != nil {
		return err
	}
	for _, other := range s.goals {
		if other.status.Ended() {
			continue
		}
		switch s.cfg.Overlap {
		case Refuse:
			return fmt.Errorf("goal %s has not ended", hex(other.ID))
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

// makeSpace makes space for one more goal, or returns why there is none. The lock is held.
func (s *Server[G, R, F]) makeSpace(id ID) error {
	if s.closed {
		return ros2.ErrClosed
	}
	if s.find(id) != nil {
		return errors.New("a goal with this ID exists already")
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
	return fmt.Errorf("%d goals have not ended", len(s.goals))
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
