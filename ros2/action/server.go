// SPDX-License-Identifier: Apache-2.0

package action

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Handler works on a goal. It runs on a goroutine of its own for each goal. ctx ends when the goal is to end early; its
// cause is [ErrCanceled] if a client asked for that, [ErrReplaced] if a later goal takes the place, [ros2.ErrClosed] if
// the server closes. A handler that returns no error has reached the goal. With [ErrCanceled], or any error after a
// client asked for the end, the goal is canceled; with any other error it is aborted. The result goes to the client in
// every case; nil stands for an empty one.
type Handler[G, R, F any] func(ctx context.Context, g *Goal[G, F]) (*R, error)

// Overlap is what a server does with a goal that comes while it works on another.
type Overlap int

// The ways to deal with several goals.
const (
	Together Overlap = iota // works on all at the same time
	Replace                 // ends the others early; the new one begins when they have ended
	Refuse                  // rejects the new one
	Queue                   // one after the other, in the order of acceptance
)

// Config describes a [Server]. Only Execute is required.
type Config[G, R, F any] struct {
	// Execute works on a goal.
	Execute Handler[G, R, F]
	// Accept looks at a goal before it is accepted; an error rejects it and is logged. It must not wait. By default
	// every goal is accepted.
	Accept func(goal *G) error
	// Cancel is asked before a goal is ended early for a client; an error lets the goal go on and is logged. It must
	// not wait. By default every goal may be ended.
	Cancel func(g *Goal[G, F]) error
	// Overlap is what happens to several goals at the same time. It defaults to Together.
	Overlap Overlap
	// KeepResult is how long the result of a goal can be asked for after its end. It defaults to 15 minutes, as in
	// rcl_action of ROS 2 Humble.
	KeepResult time.Duration
	// MaxGoals bounds the goals that are known, those that have ended among them: with more, the oldest ended ones are
	// forgotten before their time, and without those the new goal is rejected. It defaults to 100.
	MaxGoals int
}

// Server serves an action. It is made by [NewServer].
type Server[G, R, F any] struct {
	cfg      Config[G, R, F]
	node     *ros2.Node
	name     string
	status   *ros2.Publisher[action_msgs.GoalStatusArray]
	feedback func(id ID, f *F) error
	parts    []io.Closer
	workers  task.Group

	telling sync.Mutex // held while the states are published, so that they go out in their order
	mu      sync.Mutex // guards what follows, and the state of the goals
	goals   []*goal[G, R, F]
	closed  bool
}

// NewServer serves the action t under a name that is resolved for the node. Close the server before its node.
func NewServer[A Type[G, R, F], G, R, F any, PG ros2.MessageOf[G], PR ros2.MessageOf[R], PF ros2.MessageOf[F]](
	n *ros2.Node, t A, name string, cfg Config[G, R, F]) (*Server[G, R, F], error) {
	full, err := n.ResolveServiceName(name)
	switch {
	case err != nil:
		return nil, err
	case cfg.Execute == nil:
		return nil, errors.Join(ros2.ErrConfig, errors.New("an action server without Execute"))
	}
	s := &Server[G, R, F]{cfg: cfg.withDefaults(), node: n, name: full}
	if err := offer[A, G, R, F, PG, PR, PF](s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.change(func() bool { return true }) // a client that comes later is told that there are no goals
	return s, nil
}

// offer makes the two topics first: who finds the services finds the topics, too.
func offer[A Type[G, R, F], G, R, F any, PG ros2.MessageOf[G], PR ros2.MessageOf[R], PF ros2.MessageOf[F]](s *Server[G, R, F]) error {
	status, err := ros2.NewPublisher[action_msgs.GoalStatusArray](s.node, s.name+"/_action/status", ros2.ActionStatusQoS())
	if err != nil {
		return err
	}
	s.status = status
	s.parts = append(s.parts, status)
	feedback, err := ros2.NewPublisher[tagged[feedbackKind[A], F, PF]](s.node, s.name+"/_action/feedback", ros2.DefaultQoS())
	if err != nil {
		return err
	}
	s.parts = append(s.parts, feedback)
	s.feedback = func(id ID, f *F) error {
		return feedback.Publish(&tagged[feedbackKind[A], F, PF]{GoalID: id, Body: *f})
	}
	cancel, err := ros2.NewService(s.node, action_msgs.CancelGoal{}, s.name+"/_action/cancel_goal", s.cancelGoals)
	if err != nil {
		return err
	}
	s.parts = append(s.parts, cancel)
	result, err := ros2.NewDeferringService(s.node, resultService[A, R, PR]{}, s.name+"/_action/get_result",
		func(_ context.Context, request *resultRequest[A], respond func(*resultResponse[A, R, PR]) error) error {
			return s.getResult(request.GoalID, func(status Status, result R) error {
				return respond(&resultResponse[A, R, PR]{Status: status, Result: result})
			})
		})
	if err != nil {
		return err
	}
	s.parts = append(s.parts, result)
	send, err := ros2.NewDeferringService(s.node, goalService[A, G, PG]{}, s.name+"/_action/send_goal",
		func(_ context.Context, request *tagged[goalKind[A], G, PG], respond func(*goalResponse[A]) error) error {
			return s.sendGoal(request.GoalID, &request.Body, func(accepted bool, at time.Time) error {
				r := &goalResponse[A]{Accepted: accepted}
				r.Stamp.Sec, r.Stamp.Nanosec = ros2.Stamp(at)
				return respond(r)
			})
		})
	if err != nil {
		return err
	}
	s.parts = append(s.parts, send)
	return nil
}

func (c Config[G, R, F]) withDefaults() Config[G, R, F] {
	if c.Accept == nil {
		c.Accept = func(*G) error { return nil }
	}
	if c.Cancel == nil {
		c.Cancel = func(*Goal[G, F]) error { return nil }
	}
	if c.KeepResult == 0 {
		c.KeepResult = 15 * time.Minute
	}
	if c.MaxGoals == 0 {
		c.MaxGoals = 100
	}
	return c
}

// Name returns the full name of the action.
func (s *Server[G, R, F]) Name() string { return s.name }

// Close rejects further goals, ends all early with the cause [ros2.ErrClosed], waits for their handlers and withdraws
// the server. It must not be called from a handler. Closing twice is harmless.
func (s *Server[G, R, F]) Close() error {
	s.mu.Lock()
	again := s.closed
	s.closed = true
	for _, g := range s.goals {
		g.end(ros2.ErrClosed)
		if g.forget != nil {
			g.forget.Stop()
		}
	}
	s.mu.Unlock()
	if again {
		return nil
	}
	s.workers.Wait()
	var errs []error
	for i := len(s.parts) - 1; i >= 0; i-- {
		errs = append(errs, s.parts[i].Close())
	}
	return errors.Join(errs...)
}

// complain logs what the client gets no words for.
func (s *Server[G, R, F]) complain(what string, id ID, err error) {
	s.node.Logger().Warn(what, slog.String("action", s.name), slog.String("goal", hex(id)), slog.Any("error", err))
}
