// SPDX-License-Identifier: Apache-2.0

package action

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Client sends goals to the servers of an action. It is created by [NewClient] and safe for concurrent use.
type Client[G, R, F any] struct {
	name   string
	send   func(ctx context.Context, id ID, goal *G) (accepted bool, at time.Time, err error)
	result func(ctx context.Context, id ID) (Status, *R, error)
	cancel *ros2.Client[action_msgs.CancelGoalRequest, action_msgs.CancelGoalResponse]
	ready  []func(context.Context) error
	parts  []io.Closer

	mu      sync.Mutex
	follows map[ID]*follow[F]
}

// follow is the client's state of a goal that it follows.
type follow[F any] struct {
	feedback func(*F)
	status   Status
}

// NewClient creates a client of the action t, whose name is resolved for the node. Close the client or its node when
// done.
func NewClient[A Type[G, R, F], G, R, F any, PG ros2.MessageOf[G], PR ros2.MessageOf[R], PF ros2.MessageOf[F]](
	n *ros2.Node, t A, name string) (*Client[G, R, F], error) {
	full, err := n.ResolveServiceName(name)
	if err != nil {
		return nil, err
	}
	c := &Client[G, R, F]{name: full, follows: map[ID]*follow[F]{}}
	if err := use[A, G, R, F, PG, PR, PF](n, c); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// use creates the client's service clients and subscriptions.
func use[A Type[G, R, F], G, R, F any, PG ros2.MessageOf[G], PR ros2.MessageOf[R], PF ros2.MessageOf[F]](n *ros2.Node, c *Client[G, R, F]) error {
	feedback, err := ros2.NewSubscription(n, c.name+"/_action/feedback", ros2.DefaultQoS(),
		func(m *tagged[feedbackKind[A], F, PF], _ ros2.MessageInfo) { c.onFeedback(m.GoalID, &m.Body) })
	if err != nil {
		return err
	}
	c.parts = append(c.parts, feedback)
	status, err := ros2.NewSubscription(n, c.name+"/_action/status", ros2.ActionStatusQoS(),
		func(m *action_msgs.GoalStatusArray, _ ros2.MessageInfo) { c.onStatus(m) })
	if err != nil {
		return err
	}
	c.parts = append(c.parts, status)
	send, err := ros2.NewClient(n, goalService[A, G, PG]{}, c.name+"/_action/send_goal")
	if err != nil {
		return err
	}
	c.parts = append(c.parts, send)
	result, err := ros2.NewClient(n, resultService[A, R, PR]{}, c.name+"/_action/get_result")
	if err != nil {
		return err
	}
	c.parts = append(c.parts, result)
	if c.cancel, err = ros2.NewClient(n, action_msgs.CancelGoal{}, c.name+"/_action/cancel_goal"); err != nil {
		return err
	}
	c.parts = append(c.parts, c.cancel)
	c.ready = []func(context.Context) error{send.WaitAvailable, result.WaitAvailable, c.cancel.WaitAvailable}
	c.send = func(ctx context.Context, id ID, goal *G) (bool, time.Time, error) {
		r, err := send.Call(ctx, &tagged[goalKind[A], G, PG]{GoalID: id, Body: *goal})
		if err != nil {
			return false, time.Time{}, err
		}
		return r.Accepted, ros2.FromStamp(r.Stamp.Sec, r.Stamp.Nanosec), nil
	}
	c.result = func(ctx context.Context, id ID) (Status, *R, error) {
		r, err := result.Call(ctx, &resultRequest[A]{GoalID: id})
		if err != nil {
			return Unknown, nil, err
		}
		return r.Status, &r.Result, nil
	}
	return nil
}

// Name returns the full name of the action.
func (c *Client[G, R, F]) Name() string { return c.name }

// WaitServer waits until a server is available. The error wraps ctx's, with [ros2.ErrNoServer], or is [ros2.ErrClosed].
func (c *Client[G, R, F]) WaitServer(ctx context.Context) error {
	for _, ready := range c.ready {
		if err := ready(ctx); err != nil {
			return fmt.Errorf("action %s: %w", c.name, err)
		}
	}
	return nil
}

// Send waits for a server and sends it a goal. feedback, which may be nil, is called with the server's feedback, one
// call at a time, until the goal is closed; it must not block. The error is [ErrRejected] if the server does not accept
// the goal, else one of [ros2.Client.Call]'s.
func (c *Client[G, R, F]) Send(ctx context.Context, goal *G, feedback func(*F)) (*Sent[G, R, F], error) {
	if err := c.WaitServer(ctx); err != nil {
		return nil, err
	}
	s := &Sent[G, R, F]{client: c, id: newID()}
	c.mu.Lock()
	c.follows[s.id] = &follow[F]{feedback: feedback} // the first feedback may overtake the response
	c.mu.Unlock()
	accepted, at, err := c.send(ctx, s.id, goal)
	if err == nil && !accepted {
		err = ErrRejected
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("action %s: goal: %w", c.name, err)
	}
	s.accepted = at
	return s, nil
}

// newID returns a random UUID (RFC 4122, version 4).
func newID() (id ID) {
	_, _ = rand.Read(id.UUID[:]) // never fails: crypto/rand crashes the program instead
	id.UUID[6] = id.UUID[6]&0x0f | 0x40
	id.UUID[8] = id.UUID[8]&0x3f | 0x80
	return id
}

// CancelAll requests that the server cancel all goals, including those of other clients. The error is [ErrRejected] if
// it cancels none.
func (c *Client[G, R, F]) CancelAll(ctx context.Context) error {
	return c.cancelGoals(ctx, action_msgs.GoalInfo{})
}

// CancelUntil requests that the server cancel all goals that it accepted up to a time of its clock.
func (c *Client[G, R, F]) CancelUntil(ctx context.Context, at time.Time) error {
	var info action_msgs.GoalInfo
	info.Stamp.Sec, info.Stamp.Nanosec = ros2.Stamp(at)
	return c.cancelGoals(ctx, info)
}

func (c *Client[G, R, F]) cancelGoals(ctx context.Context, info action_msgs.GoalInfo) error {
	r, err := c.cancel.Call(ctx, &action_msgs.CancelGoalRequest{GoalInfo: info})
	if err == nil {
		switch r.ReturnCode {
		case action_msgs.CancelGoalResponseErrorNone:
			if willCancel(r, info.GoalID) {
				return nil
			}
			err = ErrRejected
		case action_msgs.CancelGoalResponseErrorUnknownGoalID:
			err = ErrUnknownGoal
		case action_msgs.CancelGoalResponseErrorGoalTerminated:
			err = ErrEnded
		default:
			err = ErrRejected
		}
	}
	return fmt.Errorf("action %s: cancel: %w", c.name, err)
}

// willCancel reports whether the goal, or any goal if the ID is zero, is being canceled. An rclpy server that does not
// cancel a goal, as by default, returns no error but omits the goal from the list.
func willCancel(r *action_msgs.CancelGoalResponse, id ID) bool {
	if id == (ID{}) {
		return len(r.GoalsCanceling) > 0
	}
	return slices.ContainsFunc(r.GoalsCanceling, func(g action_msgs.GoalInfo) bool { return g.GoalID == id })
}

func (c *Client[G, R, F]) onFeedback(id ID, f *F) {
	c.mu.Lock()
	follow := c.follows[id]
	c.mu.Unlock()
	if follow != nil && follow.feedback != nil {
		follow.feedback(f)
	}
}

func (c *Client[G, R, F]) onStatus(m *action_msgs.GoalStatusArray) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range m.StatusList {
		if follow := c.follows[s.GoalInfo.GoalID]; follow != nil && !follow.status.Ended() {
			follow.status = Status(s.Status)
		}
	}
}

// Close removes the client. Its goals continue. Closing twice is harmless.
func (c *Client[G, R, F]) Close() error {
	var errs []error
	for i := len(c.parts) - 1; i >= 0; i-- {
		errs = append(errs, c.parts[i].Close())
	}
	return errors.Join(errs...)
}
