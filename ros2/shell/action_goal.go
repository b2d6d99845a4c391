// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// goalCall is one goal that is sent from the command line.
type goalCall struct {
	s                    *session
	name, rosType        string           // of the action, in full
	request              *dynamic.Message // the goal request
	feedback             *dynamic.Type
	send, result, cancel *caller
	id                   [16]byte
}

func actionSendGoal(ctx context.Context, s *session) (err error) {
	name, err := s.fullName(s.args.value("action_name", ""))
	if err != nil {
		return err
	}
	rosType := dynamic.FullName(s.args.value("action_type", ""), "action")
	c := &goalCall{s: s, name: name, rosType: rosType}
	if err := c.prepare(ctx, rosType, s.args.value("goal", "{}")); err != nil {
		return err
	}
	for _, part := range []struct {
		caller  **caller
		service string
		rosType string
	}{
		{&c.send, "send_goal", rosType + "_SendGoal"},
		{&c.result, "get_result", rosType + "_GetResult"},
		{&c.cancel, "cancel_goal", "action_msgs/srv/CancelGoal"},
	} {
		types, err := s.serviceTypes(part.rosType)
		if err != nil {
			return err
		}
		if *part.caller, err = s.newCaller(name+"/_action/"+part.service, types); err != nil {
			return err
		}
		caller := *part.caller
		defer func() { err = errors.Join(err, caller.close()) }()
	}
	if s.args.flag("--feedback") {
		box, reader, err := s.subscribeAll(name+feedbackTopic, c.feedback.Name, c.feedback.Hash(),
			s.decodable(name+feedbackTopic, c.feedback.Name, c.feedback.Hash()))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, reader.Close()) }()
		return c.run(ctx, box)
	}
	return c.run(ctx, newInbox())
}

// prepare looks up the types of the action and fills the goal.
func (c *goalCall) prepare(ctx context.Context, rosType, values string) error {
	types, err := c.s.serviceTypes(rosType + "_SendGoal")
	if err != nil {
		if ok, err := c.s.learnInterface(ctx, rosType, "action"); err != nil || !ok {
			return errors.Join(err, c.s.invalid("The passed action type is invalid", rosType))
		}
		if types, err = c.s.serviceTypes(rosType + "_SendGoal"); err != nil {
			return err
		}
	}
	if c.feedback, err = dynamic.Resolve(rosType+feedbackType, c.s.lookup); err != nil {
		return err
	}
	c.request = dynamic.New(types.request)
	if _, err := part(c.request, "goal").Fill(values); err != nil {
		return failf("Failed to populate message fields: %v", err)
	}
	_, err = rand.Read(c.id[:])
	c.id[6], c.id[8] = c.id[6]&0x0f|0x40, c.id[8]&0x3f|0x80 // a random UUID (RFC 4122)
	return err
}

// run sends the goal and waits for its result. Ctrl-C cancels the goal, too.
func (c *goalCall) run(ctx context.Context, box *inbox) error {
	c.s.printf("Waiting for an action server to become available...\n")
	stop := c.s.notice(waiting.Peer{Action: true, Name: c.name, Type: c.rosType})
	defer stop()
	for _, part := range []*caller{c.send, c.result, c.cancel} {
		if err := part.await(ctx); err != nil {
			return err
		}
	}
	c.s.printf("Sending goal:\n     %s\n", part(c.request, "goal").YAML(dynamic.Format{Truncate: -1}))
	response, err := c.ask(ctx, c.send, c.request)
	stop()
	if err != nil {
		return err
	}
	if accepted, _ := response.Get("accepted"); accepted != true {
		c.s.printf("Goal was rejected.\n")
		return errSilent
	}
	c.s.printf("Goal accepted with ID: %x\n\n", c.id)
	result, err := c.showFeedback(ctx, box)
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), c.end())
	}
	if err != nil {
		return err
	}
	status, _ := result.Get("status")
	number, _ := status.(int64)
	value, _ := result.Get("result")
	if m, ok := value.(*dynamic.Message); ok {
		c.s.printf("Result:\n    %s\n", m.YAML(dynamic.Format{Truncate: -1}))
	}
	c.s.printf("Goal finished with status: %s\n", action.Status(number))
	return nil
}

// showFeedback prints feedback until the result arrives.
func (c *goalCall) showFeedback(ctx context.Context, box *inbox) (*dynamic.Message, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type ending struct {
		m   *dynamic.Message
		err error
	}
	end := make(chan ending, 1)
	task.Go("result of a goal", func() {
		m, err := c.ask(ctx, c.result, dynamic.New(c.result.types.request))
		end <- ending{m, err}
		stop()
	})
	for {
		list, _, err := box.receive(ctx, c.s.transport)
		for _, sample := range list {
			c.show(sample)
		}
		if err != nil { // the result has arrived, Ctrl-C, or the network is lost
			e := <-end
			return e.m, e.err
		}
	}
}

// ask calls a service of the action with the goal's ID.
func (c *goalCall) ask(ctx context.Context, to *caller, request *dynamic.Message) (*dynamic.Message, error) {
	id := request
	if to == c.cancel {
		id = part(id, "goal_info")
	}
	if err := part(id, "goal_id").Set("uuid", c.id[:]); err != nil {
		return nil, err
	}
	return to.call(ctx, request)
}

// part returns a field that is a message.
func part(m *dynamic.Message, field string) *dynamic.Message {
	v, _ := m.Get(field)
	sub, _ := v.(*dynamic.Message)
	return sub
}

// show writes one feedback, if it is of this goal.
func (c *goalCall) show(sample ros2.Sample) {
	m, err := dynamic.Decode(c.feedback, sample.Payload)
	if err != nil {
		return // not from a server of this type
	}
	if id, _ := part(m, "goal_id").Get("uuid"); fmt.Sprint(id) != fmt.Sprint(c.id[:]) {
		return
	}
	c.s.printf("Feedback:\n    %s\n", part(m, "feedback").YAML(dynamic.Format{Truncate: -1}))
}

// cancelTime is how long the tool waits for a goal to end after Ctrl-C.
const cancelTime = 5 * time.Second

// end cancels the goal.
func (c *goalCall) end() error {
	ctx, stop := context.WithTimeout(context.Background(), cancelTime)
	defer stop()
	c.s.printf("Canceling goal...\n")
	response, err := c.ask(ctx, c.cancel, dynamic.New(c.cancel.types.request))
	if err != nil {
		return failf("Failed to cancel goal: %v", err)
	}
	if err := refusal(response, c.id); err != nil {
		return err
	}
	c.s.printf("Goal canceled.\n")
	return nil
}

// refusal returns why a goal is not canceled. An rclpy server that rejects canceling, as it does by default, returns no
// error: it omits the goal from the list of those being canceled.
func refusal(response *dynamic.Message, id [16]byte) error {
	if code, _ := response.Get("return_code"); fmt.Sprint(code) != "0" {
		return failf("Failed to cancel goal: the server returned %v", code)
	}
	goals, _ := response.Get("goals_canceling")
	list, _ := goals.([]any)
	for _, goal := range list {
		info, ok := goal.(*dynamic.Message)
		if !ok {
			continue
		}
		if found, _ := part(info, "goal_id").Get("uuid"); fmt.Sprint(found) == fmt.Sprint(id[:]) {
			return nil
		}
	}
	return failure("Failed to cancel goal: the server rejected the request")
}

func completeGoal(_ context.Context, s *session) []string {
	t, err := dynamic.Resolve(dynamic.FullName(s.args.value("action_type", ""), "action")+"_Goal", s.lookup)
	if err != nil {
		return nil
	}
	return []string{dynamic.New(t).Flow()}
}
