// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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

// callTime is the time-out of a service call that has none of its own.
const callTime = 60 * time.Second

// callService calls a service, or one of rosapi's, without blocking the reading goroutine.
func (c *client) callService(request *request) error {
	r := *request
	name := splitName(r.Service, &r.ID)
	return c.later(func() {
		ctx, cancel := callContext(c.ctx, r.Timeout)
		defer cancel()
		values, err := c.call(ctx, name, &r)
		answer := r.ID.add(map[string]any{"op": "service_response", "service": r.Service, "values": values, "result": err == nil})
		if err != nil {
			answer["values"] = err.Error()
		}
		if errors.Is(c.answer(&r, answer), outbox.ErrFull) {
			c.box.Close() // the client does not read: it is disconnected
		}
	})
}

// callContext limits a call to a time in seconds; callTime without one; one that is not positive is no limit.
func callContext(ctx context.Context, seconds *float64) (context.Context, context.CancelFunc) {
	switch {
	case seconds == nil:
		return context.WithTimeout(ctx, callTime)
	case *seconds > 0 && *seconds < math.MaxInt32:
		return context.WithTimeout(ctx, time.Duration(*seconds*float64(time.Second)))
	}
	return context.WithCancel(ctx)
}

// call returns the values of the response, as JSON.
func (c *client) call(ctx context.Context, full string, r *request) (any, error) {
	if name, ok := strings.CutPrefix(full, rosapiPrefix); ok {
		return c.rosapi(ctx, name, r.Arguments)
	}
	g := c.hub.Graph()
	s, ok := g.Service(full)
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
	args = rosjson.Strict(args)
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
