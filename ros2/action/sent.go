// SPDX-License-Identifier: Apache-2.0

package action

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
)

// Sent is a client's handle of a goal that a server accepted. It is safe for concurrent use.
type Sent[G, R, F any] struct {
	client   *Client[G, R, F]
	id       ID
	accepted time.Time
}

// ID returns the UUID of the goal.
func (s *Sent[G, R, F]) ID() ID { return s.id }

// Accepted returns when the server accepted the goal, by the server's clock.
func (s *Sent[G, R, F]) Accepted() time.Time { return s.accepted }

// Status returns the state that the server published last; [Unknown] if there is none, and after Close.
func (s *Sent[G, R, F]) Status() Status {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	if f := s.client.follows[s.id]; f != nil {
		return f.status
	}
	return Unknown
}

// Result waits for the end of the goal and returns its result. The error is [ErrCanceled] or [ErrAborted], each with a
// result, [ErrUnknownGoal] if the server does not keep the goal any more, or one of [ros2.Client.Call]'s; it wraps
// ctx's.
func (s *Sent[G, R, F]) Result(ctx context.Context) (*R, error) {
	status, result, err := s.client.result(ctx, s.id)
	if err == nil {
		s.keepStatus(status)
		err = status.outcome()
	}
	if err != nil {
		return result, fmt.Errorf("action %s: %w", s.client.name, err)
	}
	return result, nil
}

// keepStatus stores the state received with a result.
func (s *Sent[G, R, F]) keepStatus(status Status) {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	if f := s.client.follows[s.id]; f != nil {
		f.status = status
	}
}

// Cancel requests that the server cancel the goal; the goal has ended when Result returns. The error is [ErrRejected]
// if the server does not cancel it, [ErrEnded] or [ErrUnknownGoal].
func (s *Sent[G, R, F]) Cancel(ctx context.Context) error {
	return s.client.cancelGoals(ctx, action_msgs.GoalInfo{GoalID: s.id})
}

// Close stops following the goal: feedback is not called any more. The goal continues.
func (s *Sent[G, R, F]) Close() {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	delete(s.client.follows, s.id)
}
