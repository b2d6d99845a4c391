// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
)

// callTime is the time-out of a service call.
const callTime = 60 * time.Second

// callService calls a service, or one of rosapi's, without blocking the reading goroutine.
func (c *client) callService(r request) error {
	select {
	case c.calls <- struct{}{}:
	default:
		return fmt.Errorf("%w: more than %d calls at once", ErrMessage, maxCalls)
	}
	c.group.Go("rosbridge call", func() {
		defer func() { <-c.calls }()
		ctx, cancel := context.WithTimeout(c.ctx, callTime)
		defer cancel()
		values, err := c.call(ctx, &r)
		answer := map[string]any{"op": "service_response", "service": r.Service, "values": values, "result": err == nil}
		if r.ID != "" {
			answer["id"] = r.ID
		}
		if err != nil {
			answer["values"] = err.Error()
		}
		if errors.Is(c.say(answer), outbox.ErrFull) {
			c.box.Close() // the client does not read: it is disconnected
		}
	})
	return nil
}

// call returns the values of the response, as JSON.
func (c *client) call(ctx context.Context, r *request) (any, error) {
	if name, ok := strings.CutPrefix(fullName(r.Service), "/rosapi/"); ok {
		return c.rosapi(ctx, name, r.Arguments)
	}
	g := c.hub.Graph()
	s, ok := g.Service(fullName(r.Service))
	if !ok {
		return nil, fmt.Errorf("%w: %s", hub.ErrNoService, r.Service)
	}
	if c.role < guard.Drive && !foxglove.Harmless(s.Type) {
		return nil, ErrRights
	}
	requestType, responseType, ok := c.hub.ServiceType(s)
	if !ok {
		return nil, fmt.Errorf("%w: %s", hub.ErrUnknownType, s.Type)
	}
	m, err := arguments(requestType, r.Arguments)
	if err != nil {
		return nil, err
	}
	payload, err := cdr.Marshal(nil, m)
	if err != nil {
		return nil, err
	}
	reply, err := c.hub.Call(ctx, s.Name, s.Type, payload)
	if err != nil {
		return nil, err
	}
	response, err := dynamic.Decode(responseType, reply)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(rosjson.Append(nil, response)), nil
}

// arguments reads a request: an object by names, a list in the order of the fields, or nothing.
func arguments(t *dynamic.Type, args json.RawMessage) (*dynamic.Message, error) {
	var list []json.RawMessage
	if len(args) == 0 || string(args) == "null" {
		return dynamic.New(t), nil
	}
	if json.Unmarshal(args, &list) != nil {
		return rosjson.Decode(t, args)
	}
	if len(list) > len(t.Fields) {
		return nil, fmt.Errorf("%w: %d arguments for %d fields", ErrMessage, len(list), len(t.Fields))
	}
	object := map[string]json.RawMessage{}
	for i, v := range list {
		object[t.Fields[i].Name] = v
	}
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return rosjson.Decode(t, data)
}
