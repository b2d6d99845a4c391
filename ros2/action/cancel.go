// SPDX-License-Identifier: Apache-2.0

package action

import (
	"context"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// cancelGoals handles a cancel request. It selects goals and responds as rcl_action and rclcpp do: without ID and time
// all goals; without ID those accepted up to the time; with an ID that goal, and with a time also those up to it. Only
// a request for one goal can fail because of the goal; one that selects no goal succeeds, and one whose goals all
// reject it is rejected.
func (s *Server[G, R, F]) cancelGoals(_ context.Context, request *action_msgs.CancelGoalRequest) (*action_msgs.CancelGoalResponse, error) {
	id := request.GoalInfo.GoalID
	until := ros2.FromStamp(request.GoalInfo.Stamp.Sec, request.GoalInfo.Stamp.Nanosec)
	timed := request.GoalInfo.Stamp.Sec != 0 || request.GoalInfo.Stamp.Nanosec != 0
	response := &action_msgs.CancelGoalResponse{ReturnCode: action_msgs.CancelGoalResponseErrorNone}
	if id != (ID{}) && !timed {
		if response.ReturnCode = s.cancelCode(id); response.ReturnCode != action_msgs.CancelGoalResponseErrorNone {
			return response, nil
		}
	}
	meant := s.running(id, until, timed)
	for _, g := range meant {
		if err := s.cfg.Cancel(&g.Goal); err != nil {
			s.logFailure("goal not canceled", g.ID, err)
			continue
		}
		if s.cancel(g) {
			response.GoalsCanceling = append(response.GoalsCanceling, g.info())
		}
	}
	if len(meant) > 0 && len(response.GoalsCanceling) == 0 {
		response.ReturnCode = action_msgs.CancelGoalResponseErrorRejected
	}
	return response, nil
}

// cancelCode returns why a goal cannot be canceled, as a return code of CancelGoal.
func (s *Server[G, R, F]) cancelCode(id ID) (code int8) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch g := s.find(id); {
	case g == nil:
		return action_msgs.CancelGoalResponseErrorUnknownGoalID
	case !g.cancelable(): // as rcl_action does for a goal that is about to end
		return action_msgs.CancelGoalResponseErrorGoalTerminated
	}
	return action_msgs.CancelGoalResponseErrorNone
}

// running returns the goals that a request selects and that have not ended.
func (s *Server[G, R, F]) running(id ID, until time.Time, timed bool) []*goal[G, R, F] {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*goal[G, R, F]
	for _, g := range s.goals {
		meant := id == ID{} && !timed || id != ID{} && g.ID == id || timed && !g.Accepted.After(until)
		if meant && g.cancelable() {
			found = append(found, g)
		}
	}
	return found
}

// cancelable reports whether the goal has neither ended nor is about to end.
func (g *goal[G, R, F]) cancelable() bool { return g.status == Accepted || g.status == Executing }

// cancel cancels the context of a goal's handler. It returns false if the goal has ended meanwhile.
func (s *Server[G, R, F]) cancel(g *goal[G, R, F]) (canceled bool) {
	s.change(func() bool {
		if canceled = g.cancelable(); canceled {
			g.status = Canceling
		}
		return canceled
	})
	if canceled {
		g.end(ErrCanceled)
	}
	return canceled
}
