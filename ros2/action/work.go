// SPDX-License-Identifier: Apache-2.0

package action

import (
	"context"
	"errors"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// work executes a goal.
func (s *Server[G, R, F]) work(g *goal[G, R, F]) {
	<-g.start
	for _, other := range g.before { // they are being canceled, or run first
		select {
		case <-other:
		case <-g.ctx.Done():
		}
	}
	result, err := (*R)(nil), context.Cause(g.ctx)
	if err == nil && s.begin(g) {
		result, err = s.cfg.Execute(g.ctx, &g.Goal)
	} else if err == nil {
		err = ErrCanceled
	}
	waiting, status := s.finish(g, result, err)
	close(g.done)
	for _, respond := range waiting {
		if err := respond(status, g.result); err != nil && !errors.Is(err, ros2.ErrClosed) {
			s.logFailure("result not sent", g.ID, err)
		}
	}
	if status == Aborted {
		s.logFailure("goal aborted", g.ID, err)
	}
}

// begin marks the goal as executing. It returns false if the goal has been canceled before.
func (s *Server[G, R, F]) begin(g *goal[G, R, F]) (begun bool) {
	s.change(func() bool {
		if begun = g.status == Accepted; begun {
			g.status = Executing
		}
		return begun
	})
	return begun
}

// finish records the end of a goal and returns the clients that wait for its result.
func (s *Server[G, R, F]) finish(g *goal[G, R, F], result *R, err error) (waiting []func(Status, R) error, status Status) {
	s.change(func() bool {
		switch {
		case err == nil:
			status = Succeeded
		case g.status == Canceling:
			status = Canceled
		default:
			status = Aborted
		}
		if result != nil {
			g.result = *result
		}
		g.status, waiting, g.waiting = status, g.waiting, nil
		if !s.closed {
			g.forget = task.AfterFunc(s.cfg.KeepResult, "forget a goal", func() { s.forgetGoal(g) })
		}
		return true
	})
	g.end(nil)
	return waiting, status
}

// maxWaiting bounds the requests for the result of one goal that wait for its end.
const maxWaiting = 100

// getResult responds to a request for the result of a goal when the goal has ended.
func (s *Server[G, R, F]) getResult(id ID, respond func(Status, R) error) error {
	s.mu.Lock()
	g := s.find(id)
	if g == nil {
		s.mu.Unlock()
		var none R
		return respond(Unknown, none)
	}
	if !g.status.Ended() {
		defer s.mu.Unlock()
		if len(g.waiting) >= maxWaiting {
			return errors.New("too many requests for one result")
		}
		g.waiting = append(g.waiting, respond)
		return nil
	}
	status, result := g.status, g.result
	s.mu.Unlock()
	return respond(status, result)
}

// change calls f, which changes the state of goals, with the lock held. If f returns true, it publishes the state of
// all goals: clients receive every state, in order.
func (s *Server[G, R, F]) change(f func() bool) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	s.mu.Lock()
	changed := f()
	m := action_msgs.GoalStatusArray{StatusList: make([]action_msgs.GoalStatus, 0, len(s.goals))}
	for _, g := range s.goals {
		m.StatusList = append(m.StatusList, action_msgs.GoalStatus{GoalInfo: g.info(), Status: int8(g.status)})
	}
	s.mu.Unlock()
	if !changed {
		return
	}
	if err := s.status.Publish(&m); err != nil && !errors.Is(err, ros2.ErrClosed) {
		s.node.Logger().Warn("goal states not published", "action", s.name, "error", err)
	}
}

func (g *goal[G, R, F]) info() action_msgs.GoalInfo {
	info := action_msgs.GoalInfo{GoalID: g.ID}
	info.Stamp.Sec, info.Stamp.Nanosec = ros2.Stamp(g.Accepted)
	return info
}
