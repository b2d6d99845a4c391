// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// caller calls one service. It is used by one goroutine; close it when done.
type caller struct {
	s         *session
	name      string
	types     *serviceTypes
	requester ros2.Requester
	available chan struct{} // holds a token after each change
	replies   chan reply
	last      int64 // number of the last request
}

type reply struct {
	sequence int64
	payload  []byte
}

// newCaller creates a client of a service, given its full name.
func (s *session) newCaller(name string, types *serviceTypes) (*caller, error) {
	if err := s.join(s.env.Node); err != nil {
		return nil, err
	}
	transport, ok := s.transport.(ros2.ServiceTransport)
	if !ok {
		return nil, errNoServices
	}
	c := &caller{s: s, name: name, types: types, available: make(chan struct{}, 1), replies: make(chan reply, 16)}
	requester, err := transport.NewRequester(ros2.ClientConfig{
		ServiceConfig: ros2.ServiceConfig{
			Node: s.node, Name: name, Type: types.name, QoS: ros2.ServicesQoS(),
			RequestHash: types.request.Hash(), ResponseHash: types.response.Hash(),
		},
		OnReply: func(sequence int64, sample ros2.Sample) {
			select {
			case c.replies <- reply{sequence, append([]byte(nil), sample.Payload...)}:
			default: // a reply of a further server
			}
		},
		OnAvailable: func(bool) {
			select {
			case c.available <- struct{}{}:
			default:
			}
		},
	})
	c.requester = requester
	return c, err
}

// peer is the server that the caller waits for.
func (c *caller) peer() waiting.Peer {
	return waiting.Peer{Kind: ros2.ServiceEndpoint, Name: c.name, Type: c.types.name, Own: c.s.node}
}

func (c *caller) close() error { return c.requester.Close() }

// ready waits for a server, up to the limit, and reports whether one is available. An error is final.
func (c *caller) ready(ctx context.Context, limit time.Duration) (bool, error) {
	short, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := c.await(short)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}

// await waits for a server. It fails if twice in a row all discovered servers have another type: the first one
// discovered may be a wrong one in addition to a right one.
func (c *caller) await(ctx context.Context) error {
	tick := time.NewTicker(typeCheckPeriod)
	defer tick.Stop()
	wrong := false
	for !c.requester.Available() {
		select {
		case <-c.available:
		case <-tick.C:
			types := c.s.transport.Graph().ServerTypes(c.name)
			last := wrong
			if wrong = len(types) > 0 && !slices.Contains(types, c.types.name); wrong && last {
				return failf("Service '%s' has the type '%s', not '%s'", c.name, strings.Join(types, "' and '"), c.types.name)
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-c.s.transport.Done():
			return c.s.transport.Err()
		}
	}
	return nil
}

// typeCheckPeriod is how often a caller without a server checks for servers of another type.
const typeCheckPeriod = 250 * time.Millisecond

// call sends a request to an available server and waits for its reply.
func (c *caller) call(ctx context.Context, request *dynamic.Message) (*dynamic.Message, error) {
	payload, err := cdr.Marshal(nil, request)
	if err != nil {
		return nil, err
	}
	if err := c.await(ctx); err != nil {
		return nil, err
	}
	c.last++
	if err := c.requester.Send(c.last, payload); err != nil {
		return nil, fmt.Errorf("service %s: %w", c.name, err)
	}
	for {
		select {
		case r := <-c.replies:
			if r.sequence == c.last {
				return dynamic.Decode(c.types.response, r.payload)
			}
		case <-c.available:
			if !c.requester.Available() {
				return nil, failf("Exception while calling service: the server of %s left", c.name)
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.s.transport.Done():
			return nil, c.s.transport.Err()
		}
	}
}

// serviceTimeout is how long the tools wait for a service of a discovered node, and for its reply.
const serviceTimeout = 5 * time.Second

// ask makes one call of a service with the request filled by fill. The client is kept for further calls.
func (s *session) ask(ctx context.Context, name, rosType string, fill func(request *dynamic.Message) error) (*dynamic.Message, error) {
	c := s.callers[name]
	if c == nil {
		types, err := s.serviceTypes(rosType)
		if err != nil {
			return nil, err
		}
		if c, err = s.newCaller(name, types); err != nil {
			return nil, err
		}
		s.callers[name] = c
	}
	request := dynamic.New(c.types.request)
	if err := fill(request); err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(ctx, serviceTimeout)
	defer cancel()
	response, err := c.call(limit, request)
	if err != nil && limit.Err() != nil && ctx.Err() == nil {
		return nil, failf("Wait for service timed out: %s\n%s", name, waiting.Text(s.transport.Graph(), c.peer()))
	}
	return response, err
}

// askType requests the description of a topic's type from the nodes with an endpoint on it. Nodes of ROS 2 Iron and
// later answer.
func (s *session) askType(ctx context.Context, rosType string, g ros2.Graph, topic string) (*dynamic.Type, bool) {
	return s.describe(ctx, rosType, g, g.EndpointsOn(topic))
}

// isServiceOf reports whether t is a service whose request has the hash: endpoints of services announce that one.
func isServiceOf(t *dynamic.Type, hash string) bool {
	request := field(t, "request_message")
	return request != nil && request.Hash() == hash
}

// describe requests the description of a type from the nodes of the endpoints.
func (s *session) describe(ctx context.Context, rosType string, g ros2.Graph, endpoints []ros2.EndpointInfo) (*dynamic.Type, bool) {
	for _, e := range endpoints {
		service := e.Node.FullName() + "/get_type_description"
		if e.Type != rosType || e.TypeHash == "" || !hasService(service)(g) {
			continue
		}
		response, err := s.ask(ctx, service, "type_description_interfaces/srv/GetTypeDescription", func(r *dynamic.Message) error {
			if err := r.Set("type_name", rosType); err != nil {
				return err
			}
			return r.Set("type_hash", e.TypeHash)
		})
		if err != nil {
			continue
		}
		v, _ := response.Get("type_description")
		if d, ok := v.(*dynamic.Message); ok {
			if t, err := dynamic.FromDescription(d); err == nil && t.Name == rosType && (t.Hash() == e.TypeHash || isServiceOf(t, e.TypeHash)) {
				return t, true
			}
		}
	}
	return nil, false
}
