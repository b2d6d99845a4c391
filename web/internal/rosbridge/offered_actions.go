// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
)

const (
	maxActions  = 20               // that a client may offer
	keepGoals   = 100              // of an offered action, with those that have ended
	keepResults = 15 * time.Minute // as rcl_action does
	keepBytes   = 1 << 20          // of results of an offered action, but for the last one
)

// offeredActions is an action that a client offers to other nodes: it executes the goals, the bridge has their states.
type offeredActions struct {
	name, rosType    string
	box              *outbox.Box
	types            actionTypes
	feedback, status *hub.Publication
	withdraw         []func() error
	publishing       sync.Mutex // held while states are published, to keep their order

	mu    sync.Mutex // guards what follows
	last  int
	goals []*offeredGoal
}

// actionTypes are the messages of an action and of its services.
type actionTypes struct {
	goalRequest, goalResponse, resultRequest, resultResponse, feedback *dynamic.Type
}

// offeredGoal is a goal that another node has sent.
type offeredGoal struct {
	id       string // in messages of the client
	uuid     [16]byte
	accepted time.Time
	ended    time.Time
	state    action.Status
	result   []byte               // the response, CDR, when the goal has ended
	waiting  []func([]byte) error // requests for the result
}

func (c *client) actionTypes(rosType string) (t actionTypes, err error) {
	for name, into := range map[string]**dynamic.Type{
		rosType + "_SendGoal_Request": &t.goalRequest, rosType + "_SendGoal_Response": &t.goalResponse,
		rosType + "_GetResult_Request": &t.resultRequest, rosType + "_GetResult_Response": &t.resultResponse,
		rosType + feedbackSuffix: &t.feedback,
	} {
		known, err := c.hub.Known(name)
		if err != nil {
			return t, fmt.Errorf("action type %.80q: %w", rosType, err)
		}
		*into = known
	}
	return t, nil
}

// advertiseAction offers an action; one that was offered already is replaced, its goals are aborted.
func (c *client) advertiseAction(r *request) error {
	if c.role < guard.Drive {
		return ErrRights
	}
	name := fullName(r.Action)
	if len(c.actions) >= maxActions && c.actions[name] == nil {
		return fmt.Errorf("%w: more than %d actions", ErrMessage, maxActions)
	}
	types, err := c.actionTypes(dynamic.FullName(r.Type, "action"))
	if err != nil {
		return err
	}
	if old := c.actions[name]; old != nil {
		delete(c.actions, name)
		if err := old.close(); err != nil {
			return err
		}
	}
	o := &offeredActions{name: name, rosType: dynamic.FullName(r.Type, "action"), box: c.box, types: types}
	if err := o.open(c.hub); err != nil {
		return errors.Join(err, o.close())
	}
	c.actions[name] = o
	o.publishStates()
	return nil
}

// open makes the topics first: a client that discovers the services finds the topics, too.
func (o *offeredActions) open(h *hub.Hub) (err error) {
	if o.status, err = h.AdvertiseLatched(o.name+statusTopic, goalStatusType); err != nil {
		return err
	}
	if o.feedback, err = h.Advertise(o.name+feedbackTopic, o.rosType+feedbackSuffix); err != nil {
		return err
	}
	for _, s := range []struct {
		name, rosType string
		handle        func(ros2.Request)
	}{
		{cancelGoalService, cancelGoalType, o.onCancel},
		{getResultService, o.rosType + "_GetResult", o.onResultRequest},
		{sendGoalService, o.rosType + "_SendGoal", o.onGoal},
	} {
		withdraw, err := h.Offer(o.name+s.name, s.rosType, s.handle)
		if err != nil {
			return err
		}
		o.withdraw = append(o.withdraw, withdraw)
	}
	return nil
}

// unadvertiseAction withdraws an action; its goals are aborted.
func (c *client) unadvertiseAction(r *request) error {
	o := c.actions[fullName(r.Action)]
	if o == nil {
		return fmt.Errorf("%w: unadvertise_action: this client does not offer action %.200q", errWarning, r.Action)
	}
	delete(c.actions, o.name)
	return o.close()
}

func (o *offeredActions) close() error {
	var errs []error
	if n := len(o.withdraw); n > 0 { // send_goal, so that no goal is accepted that would not end
		errs = append(errs, o.withdraw[n-1]())
		o.withdraw = o.withdraw[:n-1]
	}
	o.mu.Lock()
	var open []*offeredGoal
	for _, g := range o.goals {
		if !g.state.Ended() {
			open = append(open, g)
		}
	}
	o.mu.Unlock()
	for _, g := range open {
		errs = append(errs, o.finish(g, action.Aborted, nil))
	}
	for _, withdraw := range o.withdraw {
		errs = append(errs, withdraw())
	}
	for _, p := range []*hub.Publication{o.feedback, o.status} {
		if p != nil {
			p.Close()
		}
	}
	return errors.Join(errs...)
}

// onGoal accepts a goal and sends it to the client.
func (o *offeredActions) onGoal(q ros2.Request) {
	m, err := dynamic.Decode(o.types.goalRequest, q.Payload)
	if err != nil {
		return
	}
	v, _ := m.Get("goal")
	values, ok := v.(*dynamic.Message)
	if !ok {
		return
	}
	g := o.accept(uuidOf(m, "goal_id"))
	if g == nil {
		_ = o.respondGoal(q, nil) // fails when the requester has left
		return
	}
	// The client receives the goal before another node can cancel it.
	sent := o.sendToClient(g, values)
	_ = o.respondGoal(q, g)
	o.publishStates()
	if sent != nil { // the client has left or does not read
		_ = o.finish(g, action.Aborted, nil)
	}
}

// sendToClient sends the client a goal to execute.
func (o *offeredActions) sendToClient(g *offeredGoal, values *dynamic.Message) error {
	text, err := json.Marshal(map[string]any{
		"op": "send_action_goal", "id": g.id, "action": o.name, "action_type": o.rosType, "feedback": true,
		"args": json.RawMessage(rosjson.Append(nil, values)),
	})
	if err != nil {
		return err
	}
	return o.box.Answer(outbox.Frame{Head: text, Text: true})
}

// accept adds a goal; nil if it is rejected: its id exists, or there are too many.
func (o *offeredActions) accept(uuid [16]byte) *offeredGoal {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	surplus := len(o.goals) - keepGoals + 1
	o.goals = slices.DeleteFunc(o.goals, func(g *offeredGoal) bool { // the oldest ones
		if !g.state.Ended() || now.Sub(g.ended) <= keepResults && surplus <= 0 {
			return false
		}
		surplus--
		return true
	})
	open := 0
	for _, g := range o.goals {
		if g.uuid == uuid {
			return nil
		}
		if !g.state.Ended() {
			open++
		}
	}
	if open >= maxCalls || len(o.goals) >= keepGoals {
		return nil
	}
	o.last++
	g := &offeredGoal{id: fmt.Sprintf("action_goal:%s:%d", o.name, o.last), uuid: uuid, accepted: now, state: action.Executing}
	o.goals = append(o.goals, g)
	return g
}

func (o *offeredActions) respondGoal(q ros2.Request, g *offeredGoal) error {
	m := dynamic.New(o.types.goalResponse)
	if g != nil {
		if err := errors.Join(m.Set("accepted", true), setStamp(m, g.accepted)); err != nil {
			return err
		}
	}
	return respond(q, m)
}

// setStamp sets the field stamp.
func setStamp(m *dynamic.Message, at time.Time) error {
	v, _ := m.Get("stamp")
	stamp, ok := v.(*dynamic.Message)
	if !ok {
		return fmt.Errorf("%w: %s has no stamp", hub.ErrUnknownType, m.ROSType())
	}
	sec, nanosec := ros2.Stamp(at)
	return dynamic.SetTime(stamp, sec, nanosec)
}

func respond(q ros2.Request, m *dynamic.Message) error {
	payload, err := cdr.Marshal(nil, m)
	if err != nil {
		return err
	}
	return q.Respond(payload)
}

// onResultRequest responds with the result of a goal when the goal has ended; with the state Unknown if there is none.
func (o *offeredActions) onResultRequest(q ros2.Request) {
	m, err := dynamic.Decode(o.types.resultRequest, q.Payload)
	if err != nil {
		return
	}
	uuid := uuidOf(m, "goal_id")
	o.mu.Lock()
	var g *offeredGoal
	for _, other := range o.goals {
		if other.uuid == uuid {
			g = other
		}
	}
	if g != nil && !g.state.Ended() {
		if len(g.waiting) < maxCalls {
			g.waiting = append(g.waiting, q.Respond)
		}
		o.mu.Unlock()
		return
	}
	o.mu.Unlock()
	if g == nil {
		_ = respond(q, dynamic.New(o.types.resultResponse)) // the requester has left
		return
	}
	_ = q.Respond(g.result)
}

// finish ends a goal with a result, which is empty if it is nil, and answers the requests for it.
func (o *offeredActions) finish(g *offeredGoal, state action.Status, result *dynamic.Message) error {
	m := dynamic.New(o.types.resultResponse)
	err := m.Set("status", int64(state))
	if result != nil {
		err = errors.Join(err, m.Set("result", result))
	}
	if err != nil {
		return err
	}
	payload, err := cdr.Marshal(nil, m)
	if err != nil {
		return err
	}
	o.mu.Lock()
	if g.state.Ended() {
		o.mu.Unlock()
		return nil
	}
	waiting := g.waiting
	g.state, g.ended, g.result, g.waiting = state, time.Now(), payload, nil
	o.boundResults(g)
	o.mu.Unlock()
	o.publishStates()
	for _, respond := range waiting {
		_ = respond(payload) // one that has left does not concern the others
	}
	return nil
}

// publishStates publishes the states of all goals.
func (o *offeredActions) publishStates() {
	o.publishing.Lock()
	defer o.publishing.Unlock()
	var m action_msgs.GoalStatusArray
	o.mu.Lock()
	for _, g := range o.goals {
		m.StatusList = append(m.StatusList, action_msgs.GoalStatus{GoalInfo: g.info(), Status: int8(g.state)})
	}
	o.mu.Unlock()
	if payload, err := cdr.Marshal(nil, &m); err == nil {
		_ = o.status.Send(payload) // fails when the transport has ended
	}
}

// info returns the goal's ID and the time of its acceptance.
func (g *offeredGoal) info() (info action_msgs.GoalInfo) {
	info.GoalID.UUID = g.uuid
	info.Stamp.Sec, info.Stamp.Nanosec = ros2.Stamp(g.accepted)
	return info
}

// boundResults removes the oldest goals whose results have more than keepBytes together, but not the given one. The
// lock is held.
func (o *offeredActions) boundResults(last *offeredGoal) {
	size := 0
	for _, g := range o.goals {
		size += len(g.result)
	}
	o.goals = slices.DeleteFunc(o.goals, func(g *offeredGoal) bool {
		if size <= keepBytes || g == last || !g.state.Ended() {
			return false
		}
		size -= len(g.result)
		return true
	})
}
