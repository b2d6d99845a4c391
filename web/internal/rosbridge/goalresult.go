// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
)

// awaitResult waits for the result and returns it as a message for the client.
func (g *sentGoal) awaitResult(ctx context.Context) (map[string]any, error) {
	request, response, ok := g.resultType()
	if !ok {
		return nil, fmt.Errorf("%w: the server of %s has left", errGoal, g.action)
	}
	m := dynamic.New(request)
	if err := setUUID(m, "goal_id", g.id); err != nil {
		return nil, err
	}
	ctx, stop := g.untilServerLeaves(ctx)
	defer stop(nil)
	answer, err := g.call(ctx, g.action+getResultService, g.rosType+"_GetResult", m, response)
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errGoal) {
			return nil, cause
		}
		return nil, err
	}
	status, _ := answer.Get("status")
	result, _ := answer.Get("result")
	values, ok := result.(*dynamic.Message)
	if !ok {
		return nil, fmt.Errorf("%w: %s has no result", hub.ErrUnknownType, response.Name)
	}
	return g.request.ID.add(map[string]any{
		"op": "action_result", "action": g.request.Action, "values": json.RawMessage(rosjson.Append(nil, values)),
		"status": status, "result": true,
	}), nil
}

// untilServerLeaves returns a context that ends when no node serves the action for a second: its result would never
// come.
func (g *sentGoal) untilServerLeaves(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, end := context.WithCancelCause(ctx)
	changed := make(chan struct{}, 1)
	changed <- struct{}{}
	stop := g.client.hub.Watch(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	g.client.group.Go("rosbridge goal, server", func() {
		defer stop()
		var gone <-chan time.Time
		for {
			select {
			case <-ctx.Done():
				return
			case <-gone:
				end(fmt.Errorf("%w: the server of %s has left", errGoal, g.action))
				return
			case <-changed:
			}
			graph := g.client.hub.Graph()
			if _, ok := graph.Service(g.action + getResultService); ok {
				gone = nil
			} else if gone == nil {
				gone = time.After(serverTime)
			}
		}
	})
	return ctx, end
}

// followFeedback sends the goal's feedback to the client until rest is called, which sends what is queued.
func (g *sentGoal) followFeedback() (rest func() error, err error) {
	rosType := g.rosType + feedbackSuffix
	graph := g.client.hub.Graph()
	topic, _ := graph.TopicOfType(g.action+feedbackTopic, rosType)
	typ, err := g.client.hub.Known(rosType)
	if err != nil {
		var ok bool
		if typ, ok = g.client.hub.Type(topic); !ok {
			return nil, fmt.Errorf("%w: %s", hub.ErrUnknownType, rosType)
		}
	}
	flow := g.client.box.Flow(outbox.FlowOptions{Depth: maxFeedback})
	cancel, err := g.client.hub.Subscribe(g.action+feedbackTopic, rosType, func(m *hub.Message) {
		flow.Put(outbox.Frame{Body: m.Data, Text: true, Split: func(body []byte) [][]byte { return g.feedback(typ, body) }})
	})
	if err != nil {
		flow.Close()
		return nil, err
	}
	return func() error {
		cancel()
		for _, f := range flow.Take() {
			for _, part := range f.Split(f.Body) {
				if err := g.client.box.Answer(outbox.Frame{Head: part, Text: true}); err != nil {
					return err
				}
			}
		}
		return nil
	}, nil
}

// maxFeedback bounds the queued feedback of a goal.
const maxFeedback = 20

// feedback returns the message for the client, in fragments if it demands them; nothing if it is of another goal.
func (g *sentGoal) feedback(t *dynamic.Type, body []byte) [][]byte {
	m, err := dynamic.Decode(t, body)
	if err != nil || uuidOf(m, "goal_id") != g.id {
		return nil
	}
	v, _ := m.Get("feedback")
	values, ok := v.(*dynamic.Message)
	if !ok {
		return nil
	}
	text, err := json.Marshal(g.request.ID.add(map[string]any{
		"op": "action_feedback", "action": g.request.Action, "values": json.RawMessage(rosjson.Append(nil, values)),
	}))
	if err != nil {
		return nil
	}
	if g.request.Compression == "png" {
		text = pngBody(text)
	}
	id := g.client.fragments.next()
	return split(text, g.request.fragmentSize(), &id)
}
