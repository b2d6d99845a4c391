// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// Parts of the names and types of an action's topics and services.
const (
	sendGoalService   = "/_action/send_goal"
	getResultService  = "/_action/get_result"
	cancelGoalService = "/_action/cancel_goal"
	feedbackTopic     = "/_action/feedback"
	statusTopic       = "/_action/status"
	feedbackSuffix    = "_FeedbackMessage"
	cancelGoalType    = "action_msgs/srv/CancelGoal"
	goalStatusType    = "action_msgs/msg/GoalStatusArray"
)

const (
	maxGoals   = 50              // of a client that have not ended
	serverTime = time.Second     // to wait for a server that the graph does not show, as rosbridge_suite does
	answerTime = 5 * time.Second // for the acceptance of a goal and of a cancel request
)

// errGoal is matched when a goal is not executed.
var errGoal = errors.New("rosbridge: goal not executed")

// sentGoal is a goal that a client has sent to an action server.
type sentGoal struct {
	client  *client
	request *request
	action  string // full name
	rosType string
	id      [16]byte
	cancel  atomic.Bool // the client has canceled it
	// canceling is set while a cancel request is in progress and after one was accepted.
	canceling atomic.Bool
	known     chan struct{} // closed when the server has accepted it
}

// goalBook has the goals of a client that have not ended, by the client's id. Its zero value is ready.
type goalBook struct {
	mu    sync.Mutex
	goals map[string]*sentGoal
}

func goalKey(actionName, id string) string { return actionName + " " + id }

func (b *goalBook) add(g *sentGoal) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := goalKey(g.action, g.request.ID.key)
	switch {
	case len(b.goals) >= maxGoals:
		return fmt.Errorf("%w: more than %d goals at once", ErrMessage, maxGoals)
	case b.goals[key] != nil:
		return fmt.Errorf("%w: a goal of %s with the id %.80q has not ended", ErrMessage, g.action, g.request.ID.key)
	case b.goals == nil:
		b.goals = map[string]*sentGoal{}
	}
	b.goals[key] = g
	return nil
}

func (b *goalBook) remove(g *sentGoal) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.goals, goalKey(g.action, g.request.ID.key))
}

func (b *goalBook) find(actionName, id string) *sentGoal {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.goals[goalKey(actionName, id)]
}

// splitName returns the name and the id of "/name#id", an older form of requests; the id of the request has priority.
func splitName(name string, id *identifier) string {
	name, old, ok := strings.Cut(name, "#")
	if ok && id.raw == nil {
		if raw, err := json.Marshal(old); err == nil {
			id.key, id.raw = old, raw
		}
	}
	return fullName(name)
}

// sendGoal sends a goal to an action server; feedback and result are sent to the client when they come. A goal
// continues if its client leaves, as with every client of ROS.
func (c *client) sendGoal(r *request) error {
	if c.role < guard.Drive {
		return c.goalFailed(r, ErrRights)
	}
	request := *r
	g := &sentGoal{client: c, request: &request, known: make(chan struct{})}
	g.action = splitName(r.Action, &request.ID)
	if _, err := rand.Read(g.id[:]); err != nil {
		return err
	}
	g.id[6], g.id[8] = g.id[6]&0x0f|0x40, g.id[8]&0x3f|0x80 // a random UUID (RFC 4122)
	if err := c.goals.add(g); err != nil {
		return c.goalFailed(&request, err)
	}
	c.group.Go("rosbridge goal", func() {
		result, err := g.execute(c.ctx)
		c.goals.remove(g) // before the result: with it the client may use the id again
		switch {
		case err == nil:
			err = c.answer(g.request, result)
		case c.ctx.Err() == nil && !errors.Is(err, outbox.ErrFull):
			err = c.goalFailed(g.request, err)
		}
		if errors.Is(err, outbox.ErrFull) {
			c.box.Close() // the client does not read: it is disconnected
		}
	})
	return nil
}

// goalFailed reports a goal that was not executed, in the form of a result.
func (c *client) goalFailed(r *request, err error) error {
	return c.say(r.ID.add(map[string]any{
		"op": "action_result", "action": r.Action, "values": err.Error(), "status": int(action.Unknown), "result": false,
	}))
}

// execute sends the goal and returns its result, as a message for the client.
func (g *sentGoal) execute(ctx context.Context) (map[string]any, error) {
	service, err := g.find(ctx)
	if err != nil {
		return nil, err
	}
	request, _, ok := g.client.hub.ServiceType(service)
	if !ok {
		return nil, fmt.Errorf("%w: %s", hub.ErrUnknownType, service.Type)
	}
	goal, err := g.message(request)
	if err != nil {
		return nil, err
	}
	g.request.Arguments, g.request.Data = nil, "" // up to 4 MiB, which are in the message now
	rest := func() error { return nil }
	if g.request.Feedback {
		if rest, err = g.followFeedback(); err != nil {
			return nil, err
		}
	}
	result, err := g.perform(ctx, service, goal)
	if err := rest(); err != nil { // before the result
		return nil, err
	}
	return result, err
}

// perform sends the goal to the server and returns its result, as a message for the client.
func (g *sentGoal) perform(ctx context.Context, service hub.Service, goal *dynamic.Message) (map[string]any, error) {
	if err := g.send(ctx, service, goal); err != nil {
		return nil, err
	}
	close(g.known)
	if g.cancel.Load() {
		g.requestCancel(ctx)
	}
	return g.awaitResult(ctx)
}

// find returns the service of the action that takes goals. It waits a second for one that does not exist.
func (g *sentGoal) find(ctx context.Context) (hub.Service, error) {
	ctx, cancel := context.WithTimeout(ctx, serverTime)
	defer cancel()
	changed := make(chan struct{}, 1)
	stop := g.client.hub.Watch(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer stop()
	want := dynamic.FullName(g.request.ActionType, "action")
	for {
		graph := g.client.hub.Graph()
		if s, ok := graph.Service(g.action + sendGoalService); ok {
			g.rosType = strings.TrimSuffix(s.Type, "_SendGoal")
			if want != "" && want != g.rosType {
				return s, fmt.Errorf("%w: action %s has type %s, not %.80q", ErrMessage, g.action, g.rosType, g.request.ActionType)
			}
			if g.described(s) {
				return s, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if s, ok := graph.Service(g.action + sendGoalService); ok {
				return s, fmt.Errorf("%w: %s", hub.ErrUnknownType, s.Type)
			}
			return hub.Service{}, fmt.Errorf("%w: no node serves the action %.200q", errGoal, g.action)
		}
	}
}

// described reports whether the types of the action's services are known; a node may be asked for them.
func (g *sentGoal) described(s hub.Service) bool {
	_, _, goal := g.client.hub.ServiceType(s)
	_, result, known := g.resultType()
	return goal && known && result != nil
}

// resultType returns the request and response of the service that takes requests for results.
func (g *sentGoal) resultType() (request, response *dynamic.Type, ok bool) {
	graph := g.client.hub.Graph()
	s, ok := graph.Service(g.action + getResultService)
	if !ok {
		return nil, nil, false
	}
	return g.client.hub.ServiceType(s)
}

// message returns the goal request with the client's arguments.
func (g *sentGoal) message(t *dynamic.Type) (*dynamic.Message, error) {
	m := dynamic.New(t)
	f, ok := m.Field("goal")
	if !ok || f.Type == nil {
		return nil, fmt.Errorf("%w: %s has no goal", hub.ErrUnknownType, t.Name)
	}
	goal, err := arguments(f.Type, g.request.Arguments)
	if err != nil {
		return nil, err
	}
	return m, errors.Join(m.Set("goal", goal), setUUID(m, "goal_id", g.id))
}

// setUUID sets a field of the type unique_identifier_msgs/msg/UUID.
func setUUID(m *dynamic.Message, field string, id [16]byte) error {
	v, _ := m.Get(field)
	uuid, ok := v.(*dynamic.Message)
	if !ok {
		return fmt.Errorf("%w: %s has no %s", hub.ErrUnknownType, m.ROSType(), field)
	}
	return uuid.Set("uuid", id[:])
}

// uuidOf returns a field of the type unique_identifier_msgs/msg/UUID.
func uuidOf(m *dynamic.Message, field string) (id [16]byte) {
	v, _ := m.Get(field)
	if uuid, ok := v.(*dynamic.Message); ok {
		b, _ := uuid.Get("uuid")
		octets, _ := b.([]byte)
		copy(id[:], octets)
	}
	return id
}

// send sends the goal to the server. An error matches errGoal if the server rejects it.
func (g *sentGoal) send(ctx context.Context, s hub.Service, goal *dynamic.Message) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, response, _ := g.client.hub.ServiceType(s)
	answer, err := g.call(ctx, s.Name, s.Type, goal, response)
	if err != nil {
		return err
	}
	if accepted, _ := answer.Get("accepted"); accepted != true {
		return fmt.Errorf("%w: the server of %s rejected it", errGoal, g.action)
	}
	return nil
}

func (g *sentGoal) call(ctx context.Context, name, rosType string, request *dynamic.Message, response *dynamic.Type) (*dynamic.Message, error) {
	payload, err := cdr.Marshal(nil, request)
	if err != nil {
		return nil, err
	}
	reply, err := g.client.hub.Call(ctx, name, rosType, payload)
	if err != nil {
		return nil, err
	}
	return dynamic.Decode(response, reply)
}

// cancelGoal asks the server to cancel a goal of the client, which has the id. The result reports whether it did.
func (c *client) cancelGoal(r *request) error {
	name := splitName(r.Action, &r.ID)
	g := c.goals.find(name, r.ID.key)
	if g == nil {
		return fmt.Errorf("%w: no goal of %.200q with the id %.80q is in progress", ErrMessage, name, r.ID.key)
	}
	g.cancel.Store(true)
	select {
	case <-g.known:
	default:
		return nil // canceled when the server has accepted it
	}
	return c.later(func() { g.requestCancel(c.ctx) })
}

// requestCancel sends a cancel request, one at a time. A refusal is reported; the goal continues, and the client may
// cancel it again.
func (g *sentGoal) requestCancel(ctx context.Context) {
	if !g.canceling.CompareAndSwap(false, true) {
		return
	}
	err := g.sendCancel(ctx)
	if err == nil {
		return
	}
	g.canceling.Store(false)
	if ctx.Err() == nil {
		_ = g.client.report(levelError, &g.request.ID, err.Error()) // fails when the client has left
	}
}

// sendCancel sends a cancel request for the goal.
func (g *sentGoal) sendCancel(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	request := action_msgs.CancelGoalRequest{}
	request.GoalInfo.GoalID.UUID = g.id
	payload, err := cdr.Marshal(nil, &request)
	if err != nil {
		return err
	}
	answer, err := g.client.hub.Call(ctx, g.action+cancelGoalService, cancelGoalType, payload)
	if err != nil {
		return err
	}
	var response action_msgs.CancelGoalResponse
	if err := cdr.Unmarshal(answer, &response); err != nil {
		return err
	}
	if response.ReturnCode == action_msgs.CancelGoalResponseErrorNone && len(response.GoalsCanceling) > 0 {
		return nil
	}
	return fmt.Errorf("%w: the server of %s does not cancel the goal (return code %d)", ErrMessage, g.action, response.ReturnCode)
}

// later runs f on a goroutine of its own, unless too many run already.
func (c *client) later(f func()) error {
	select {
	case c.calls <- struct{}{}:
	default:
		return fmt.Errorf("%w: more than %d calls at once", ErrMessage, maxCalls)
	}
	c.group.Go("rosbridge call", func() {
		defer func() { <-c.calls }()
		f()
	})
	return nil
}
