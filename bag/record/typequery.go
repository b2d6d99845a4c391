// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/type_description_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

const (
	// queryTimeout is the timeout of one request for a definition.
	queryTimeout = 3 * time.Second
	// maxQueries is the number of requests to a node that does not respond. A node that refuses is queried once.
	maxQueries = 3
	// definitionTimeout is how long the messages of a topic wait for the definition of its type.
	definitionTimeout = 15 * time.Second
	// maxConcurrentQueries is the maximum number of concurrent requests.
	maxConcurrentQueries = 16
)

// Reasons for a missing definition.
var (
	errNoHash   = fmt.Errorf("%w: its endpoints announce no type hash, as in ROS 2 Humble and older", dynamic.ErrUnknownType)
	errLeft     = fmt.Errorf("%w: its endpoints have left", dynamic.ErrUnknownType)
	errNoNode   = fmt.Errorf("%w: the nodes of its endpoints are unknown: no ros_discovery_info message names them", dynamic.ErrUnknownType)
	errRefused  = fmt.Errorf("%w: refused", dynamic.ErrUnknownType)
	errMismatch = fmt.Errorf("%w: described differently", dynamic.ErrUnknownType)
	errHeldFull = errors.New("record: too many messages while the definition was requested")
	errEnded    = errors.New("record: the recording ended before the definition was received")
)

// typeQuery requests the definition of a topic's type from the topic's nodes (~/get_type_description of ROS 2 Iron and
// later).
type typeQuery struct {
	s        *subscription
	until    time.Time // until then the messages of the topic wait
	attempts map[ros2.NodeName]int
	cause    error // reason for the missing definition
}

// candidates returns the endpoints whose nodes can be queried. more reports whether others may follow: endpoints whose
// node is still unknown.
func (q *typeQuery) candidates() (list []ros2.EndpointInfo, more bool) {
	node := q.s.r.cfg.Node
	hash := q.s.r.hashOf(q.s.number)
	cause := errLeft
	for _, e := range ros2.EndpointsOn(node.Transport(), q.s.topic) {
		if e.Node == node.Name() || e.Type != q.s.rosType || hash != "" && e.TypeHash != hash {
			continue
		}
		switch {
		case e.TypeHash == "":
			cause = errNoHash
		case e.Node.Name == "":
			more, cause = true, errNoNode
		case q.attempts[e.Node] < maxQueries:
			list = append(list, e)
		}
	}
	if len(q.attempts) == 0 || more {
		q.cause = cause
	}
	return list, more
}

// round queries all candidates until one has the definition.
func (q *typeQuery) round(ctx context.Context, list []ros2.EndpointInfo) (definition, bool) {
	r := q.s.r
	for _, e := range list {
		if time.Now().After(q.until) {
			q.s.complete(definition{}, q.cause)
		}
		if q.attempts[e.Node] >= maxQueries {
			continue // another endpoint of a node that has refused
		}
		select {
		case r.querySlots <- struct{}{}:
		case <-ctx.Done():
			return definition{}, false
		}
		t, err := queryNode(ctx, r.cfg.Node, e, r.cfg.Types)
		<-r.querySlots
		if err == nil {
			return definition{encodingMsg, schemaText(t)}, true
		}
		if q.attempts[e.Node]++; errors.Is(err, errRefused) || errors.Is(err, errMismatch) {
			q.attempts[e.Node] = maxQueries
		}
		if ctx.Err() == nil {
			q.cause = err
		}
	}
	return definition{}, false
}

// findDefinition requests the definition of the topic's type until a node has responded or ctx ends. The messages wait
// for definitionTimeout at most, and only while further nodes may be found. A definition that arrives later is written
// to the files begun after it.
func (s *subscription) findDefinition(ctx context.Context) {
	changed := make(chan struct{}, 1)
	defer s.r.cfg.Node.Transport().OnGraphChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})()
	limit := time.NewTimer(definitionTimeout)
	defer limit.Stop()
	q := typeQuery{s: s, attempts: map[ros2.NodeName]int{}, cause: errLeft, until: time.Now().Add(definitionTimeout)}
	for ctx.Err() == nil {
		list, more := q.candidates()
		if len(list) > 0 {
			if d, ok := q.round(ctx, list); ok {
				s.complete(d, nil)
				return
			}
			continue
		}
		if !more {
			s.complete(definition{}, q.cause)
		}
		select {
		case <-changed:
			pause(ctx, graphInterval)
		case <-limit.C:
			s.complete(definition{}, q.cause)
		case <-ctx.Done():
		}
	}
	s.complete(definition{}, fmt.Errorf("%w (%w)", errEnded, q.cause))
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// queryNode queries the node of an endpoint. The response must have the hash that the endpoint announces.
func queryNode(ctx context.Context, n *ros2.Node, e ros2.EndpointInfo, lookup dynamic.Lookup) (*dynamic.Type, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	client, err := ros2.NewClient(n, type_description_interfaces.GetTypeDescription{}, e.Node.FullName()+"/get_type_description")
	if err != nil {
		return nil, err
	}
	defer func() { _ = client.Close() }() // the request was answered or failed
	if err := client.WaitAvailable(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", client.Name(), err)
	}
	answer, err := client.Call(ctx, &type_description_interfaces.GetTypeDescriptionRequest{TypeName: e.Type, TypeHash_: e.TypeHash})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", client.Name(), err)
	}
	if !answer.Successful {
		return nil, fmt.Errorf("%w by %s: %s", errRefused, client.Name(), answer.FailureReason)
	}
	payload, err := cdr.Marshal(nil, &answer.TypeDescription)
	if err != nil {
		return nil, err
	}
	shape, err := dynamic.Resolve(answer.TypeDescription.ROSType(), lookup)
	if err != nil {
		return nil, err
	}
	described, err := dynamic.Decode(shape, payload)
	if err != nil {
		return nil, err
	}
	t, err := dynamic.FromDescription(described)
	if err == nil && (t.Name != e.Type || t.Hash() != e.TypeHash) {
		err = fmt.Errorf("%w: %s has %s with the hash %s instead of %s", errMismatch, client.Name(), t.Name, t.Hash(), e.TypeHash)
	}
	return t, err
}
