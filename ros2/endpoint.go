// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"log/slog"
	"sync/atomic"
)

// endpoint is the part that publishers and subscriptions share: the number of matches, event handlers, and logging of
// incompatible endpoints.
type endpoint struct {
	node         *Node
	kind         EndpointKind
	topic        string
	typ          string
	message      Message // an empty message of the type
	qos          QoS
	matched      atomic.Int32
	onMatch      func(int)
	badQoS       limiter
	handlers     eventHandlers
	badEvents    atomic.Pointer[[numEventKinds]limiter] // nil before the first event
	incompatible atomic.Int64
	isClosed     atomic.Bool
}

// init resolves the name and checks the QoS; it returns the transport's configuration.
func (e *endpoint) init(n *Node, kind EndpointKind, topic string, m Message, qos QoS) (EndpointConfig, error) {
	full, err := n.ResolveName(topic)
	if err == nil {
		qos, err = n.overrideQoS(kind, full, qos)
		qos = n.bestQoS(kind, full, qos)
	}
	if err != nil {
		return EndpointConfig{}, fmt.Errorf("%v of %q: %w", kind, topic, err)
	}
	e.node, e.kind, e.topic, e.typ, e.message, e.qos = n, kind, full, m.ROSType(), m, qos
	return EndpointConfig{
		Node: n.name, Topic: full, Type: e.typ, TypeHash: m.TypeHash(), QoS: qos,
		OnMatch: e.setMatched, OnIncompatible: e.onIncompatible, OnEvent: e.onEvent,
	}, nil
}

func (e *endpoint) setMatched(count int) {
	if e.matched.Swap(int32(count)) != int32(count) && e.onMatch != nil {
		e.onMatch(count)
	}
}

// logIncompatible logs both endpoints: incompatible QoS are the most common reason why messages do not arrive in ROS 2.
func (e *endpoint) logIncompatible(remote EndpointInfo, policies QoSPolicy) {
	if policies == 0 || !e.badQoS.allow(e.node.clock.Now()) {
		return
	}
	offered, requested := e.qos, remote.QoS
	if e.kind == SubscriptionEndpoint {
		offered, requested = requested, offered
	}
	e.node.asyncLog.Warn("incompatible quality of service: no messages will be exchanged",
		slog.String("topic", e.topic),
		slog.String("here", e.kind.String()),
		slog.String("there", remote.Kind.String()+" of "+nodeOrUnknown(remote.Node)),
		slog.String("policies", policies.String()),
		slog.String("offered", offered.String()),
		slog.String("requested", requested.String()))
}

func nodeOrUnknown(n NodeName) string {
	if n.Name == "" {
		return "unknown node"
	}
	return n.FullName()
}

// Topic returns the full name of the topic.
func (e *endpoint) Topic() string { return e.topic }

// Type returns the interface name of the messages.
func (e *endpoint) Type() string { return e.typ }

// QoS returns the effective quality of service: the one given at creation, after the overrides of the arguments.
func (e *endpoint) QoS() QoS { return e.qos }
