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

// Handler executes a goal, on a separate goroutine. ctx ends when the goal is to end early; its cause is [ErrCanceled]
// if a client canceled the goal, [ErrReplaced] if a later goal replaces it, [ros2.ErrClosed] if the server closes.
// Without an error the goal has succeeded. With [ErrCanceled], or any error after a client's cancel request, it is
// canceled; with any other error it is aborted. The result is sent to the client in every case; nil means an empty one.
type Handler[G, R, F any] func(ctx context.Context, g *Goal[G, F]) (*R, error)

// Overlap is how a server handles a goal that arrives while another is executing.
type Overlap int

// Values of [Overlap].
const (
	Together Overlap = iota // executes all concurrently
	Replace                 // ends the others early; the new goal starts when they have ended
	Refuse                  // rejects the new goal
	Queue                   // executes goals sequentially, in the order of acceptance
)

// Config describes a [Server]. Only Execute is required.
type Config[G, R, F any] struct {
	// Execute executes a goal.
	Execute Handler[G, R, F]
	// Accept is called before a goal is accepted; an error rejects it and is logged. It must not block. By default
	// every goal is accepted.
	Accept func(goal *G) error
	// Cancel is called before a goal is canceled for a client; an error rejects the request and is logged. It must not
	// block. By default every goal may be canceled.
	Cancel func(g *Goal[G, F]) error
	// Overlap is what happens to several goals at the same time. It defaults to Together.
	Overlap Overlap
	// KeepResult is how long the result of a goal is kept after its end. It defaults to 15 minutes, as in rcl_action of
	// ROS 2 Humble.
	KeepResult time.Duration
	// MaxGoals bounds the kept goals, including ended ones. At the limit the oldest ended goal is removed early, or, if
	// there is none, the new goal is rejected. It defaults to 100.
	MaxGoals int
}

// Server is an action server. It is created by [NewServer].
type Server[G, R, F any] struct {
	cfg      Config[G, R, F]
	node     *ros2.Node
	name     string
	status   *ros2.Publisher[action_msgs.GoalStatusArray]
	feedback func(id ID, f *F) error
	parts    []io.Closer
	workers  task.Group

	publishing sync.Mutex // held while states are published, to keep their order
	mu         sync.Mutex // guards the fields below, and the state of the goals
	goals      []*goal[G, R, F]
	closed     bool
}

// NewServer creates a server of the action t, whose name is resolved for the node. Close the server before its node.
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
	s.change(func() bool { return true }) // publishes an empty list for later clients
	return s, nil
}

// offer creates the two topics first: a client that discovers the services finds the topics, too.
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

// Close rejects further goals, ends all goals early with the cause [ros2.ErrClosed], waits for their handlers and
// removes the server. It must not be called from a handler. Closing twice is harmless.
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

// logFailure logs an error that ROS cannot transmit to the client.
func (s *Server[G, R, F]) logFailure(what string, id ID, err error) {
	s.node.Logger().Warn(what, slog.String("action", s.name), slog.String("goal", hex(id)), slog.Any("error", err))
}
