// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// onCancel handles a cancel request, as rcl_action does: without ID and time it selects all goals; without ID those
// accepted up to the time; with an ID that goal, and with a time also those up to it. The client is asked to end them.
func (o *offeredActions) onCancel(q ros2.Request) {
	var request action_msgs.CancelGoalRequest
	if cdr.Unmarshal(q.Payload, &request) != nil {
		return
	}
	id := request.GoalInfo.GoalID.UUID
	stamp := request.GoalInfo.Stamp
	timed := stamp.Sec != 0 || stamp.Nanosec != 0
	canceled, code := o.cancel(id, ros2.FromStamp(stamp.Sec, stamp.Nanosec), timed)
	response := action_msgs.CancelGoalResponse{ReturnCode: code}
	for _, g := range canceled {
		response.GoalsCanceling = append(response.GoalsCanceling, g.info())
	}
	if payload, err := cdr.Marshal(nil, &response); err == nil {
		_ = q.Respond(payload) // the requester has left
	}
	if len(canceled) > 0 {
		o.publishStates()
	}
	for _, g := range canceled {
		text, err := json.Marshal(map[string]any{"op": "cancel_action_goal", "id": g.id, "action": o.name})
		if err != nil || o.box.Answer(outbox.Frame{Head: text, Text: true}) != nil {
			_ = o.finish(g, action.Aborted, nil) // the client does not read
		}
	}
}

// cancel marks the selected goals as canceling and returns them, and the return code of the response.
func (o *offeredActions) cancel(id [16]byte, until time.Time, timed bool) (canceled []*offeredGoal, code int8) {
	o.mu.Lock()
	defer o.mu.Unlock()
	found, ended := false, false
	none := [16]byte{}
	for _, g := range o.goals {
		if id != none && g.uuid == id {
			found, ended = true, g.state != action.Executing
		}
		if meant := id == none && !timed || id != none && g.uuid == id || timed && !g.accepted.After(until); meant && g.state == action.Executing {
			g.state = action.Canceling
			canceled = append(canceled, g)
		}
	}
	switch {
	case id != none && !timed && !found:
		return nil, action_msgs.CancelGoalResponseErrorUnknownGoalID
	case id != none && !timed && ended:
		return nil, action_msgs.CancelGoalResponseErrorGoalTerminated
	}
	return canceled, action_msgs.CancelGoalResponseErrorNone
}

// goal returns a goal that the client executes.
func (c *client) goal(r *request) (*offeredActions, *offeredGoal, error) {
	o := c.actions[fullName(r.Action)]
	if o == nil {
		return nil, nil, fmt.Errorf("%w: action %.200q is not offered", ErrMessage, r.Action)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, g := range o.goals {
		if g.id == r.ID.key && !g.state.Ended() {
			return o, g, nil
		}
	}
	return nil, nil, fmt.Errorf("%w: no goal of %s with the id %.80q is in progress", ErrMessage, o.name, r.ID.key)
}

// actionFeedback publishes feedback of a goal that the client executes.
func (c *client) actionFeedback(r *request) error {
	o, g, err := c.goal(r)
	if err != nil {
		return err
	}
	m := dynamic.New(o.types.feedback)
	f, _ := m.Field("feedback")
	values, err := arguments(f.Type, r.Values)
	if err != nil {
		return fmt.Errorf("feedback of %s: %w", o.name, err)
	}
	if err := m.Set("feedback", values); err != nil {
		return err
	}
	if err := setUUID(m, "goal_id", g.uuid); err != nil {
		return err
	}
	payload, err := cdr.Marshal(nil, m)
	if err != nil {
		return err
	}
	return o.feedback.Send(payload)
}

// actionResult ends a goal that the client executes. Without result, or with a state that is no end, it is aborted. A
// goal without a cancel request cannot end as canceled.
func (c *client) actionResult(r *request) error {
	o, g, err := c.goal(r)
	if err != nil {
		return err
	}
	if r.Result == nil || !*r.Result {
		return o.finish(g, action.Aborted, nil)
	}
	f, _ := dynamic.New(o.types.resultResponse).Field("result")
	values, err := arguments(f.Type, r.Values)
	if err != nil {
		return fmt.Errorf("result of %s: %w", o.name, err)
	}
	state := action.Aborted
	if r.Status != nil && action.Status(*r.Status).Ended() {
		state = action.Status(*r.Status)
	}
	o.mu.Lock()
	canceling := g.state == action.Canceling
	o.mu.Unlock()
	if state == action.Canceled && !canceling {
		err = fmt.Errorf("%w: goal %s of %s was not canceled by anyone: it is aborted", errWarning, g.id, o.name)
		state = action.Aborted
	}
	if failed := o.finish(g, state, values); failed != nil {
		return failed
	}
	return err
}
