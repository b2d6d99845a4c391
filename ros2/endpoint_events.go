// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
)

// onEvent handles a transport's event: it is logged, rate limited, and passed to the owner.
func (e *endpoint) onEvent(ev EndpointEvent) {
	if ev.Kind >= numEventKinds {
		return
	}
	e.logEvent(ev)
	h := &e.handlers
	switch {
	case ev.Kind <= EventRequestedDeadlineMissed && h.deadline != nil:
		h.deadline(DeadlineMissedInfo{ev.Total, ev.Change})
	case ev.Kind == EventLivelinessLost && h.lost != nil:
		h.lost(LivelinessLostInfo{ev.Total, ev.Change})
	case ev.Kind == EventLivelinessChanged && h.liveliness != nil:
		h.liveliness(ev.Liveliness)
	case ev.Kind == EventMessageLost && h.messages != nil:
		h.messages(MessageLostInfo{ev.Total, ev.Change})
	}
}

// logEvent logs a warning with both endpoints, except for matched and unmatched publishers, and for lost messages,
// which are normal with best effort.
func (e *endpoint) logEvent(ev EndpointEvent) {
	var text string
	period := slog.Duration("deadline", e.qos.Deadline)
	there := e.others()
	switch ev.Kind {
	case EventOfferedDeadlineMissed:
		text = "nothing was published within the deadline"
	case EventRequestedDeadlineMissed:
		text = "no message was received within the deadline"
	case EventLivelinessLost:
		text, period = "the publisher did not assert its liveliness within its lease", slog.Duration("lease", e.qos.LivelinessLease)
	case EventLivelinessChanged:
		if ev.Liveliness.NotAliveChange <= 0 {
			return
		}
		text, period = "a publisher's liveliness lease expired", slog.Duration("lease", ev.Remote.QoS.LivelinessLease)
		there = func() string { return ev.Remote.Kind.String() + " of " + nodeOrUnknown(ev.Remote.Node) }
	default:
		return
	}
	if e.badEvents.Load() == nil {
		e.badEvents.CompareAndSwap(nil, new([numEventKinds]limiter))
	}
	if !e.badEvents.Load()[ev.Kind].allow(e.node.clock.Now()) {
		return
	}
	e.node.asyncLog.Warn(text, slog.String("topic", e.topic), slog.String("here", e.kind.String()), slog.String("there", there()),
		period, slog.Int("times", ev.Total))
}

// others returns a function that lists the endpoints on the other side of the topic.
func (e *endpoint) others() func() string {
	return func() string {
		other := PublisherEndpoint
		if e.kind == PublisherEndpoint {
			other = SubscriptionEndpoint
		}
		var nodes []string
		for _, info := range e.node.transport.Graph().Endpoints {
			if info.Kind == other && info.Topic == e.topic && !slices.Contains(nodes, nodeOrUnknown(info.Node)) {
				nodes = append(nodes, nodeOrUnknown(info.Node))
			}
		}
		if len(nodes) == 0 {
			return fmt.Sprintf("no %v", other)
		}
		return fmt.Sprintf("%v of %s", other, strings.Join(nodes, ", "))
	}
}

// onIncompatible handles an endpoint that does not match.
func (e *endpoint) onIncompatible(remote EndpointInfo, policies QoSPolicy) {
	e.logIncompatible(remote, policies)
	if policies == 0 || e.handlers.incompatible == nil {
		return
	}
	total := int(e.incompatible.Add(1))
	e.handlers.incompatible(IncompatibleQoSInfo{Total: total, Change: 1, Policies: policies, Remote: remote})
}

// supervised reports whether messages must be written even without subscriptions: with a deadline, or with a liveliness
// that publishing asserts.
func (q *QoS) supervised() bool {
	return q.Deadline > 0 || q.Liveliness != LivelinessAutomatic && q.LivelinessLease > 0
}

// LivelinessAsserter is implemented by a [Writer] whose transport supervises
// liveliness.
type LivelinessAsserter interface {
	// AssertLiveliness asserts that the writer is alive although it writes nothing.
	AssertLiveliness() error
}

// AssertLiveliness asserts to subscriptions that the publisher is alive although it publishes nothing. It is needed
// with [LivelinessManualByTopic] and a lease.
func (p *Publisher[T]) AssertLiveliness() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isClosed.Load() || p.writer == nil {
		return fmt.Errorf("assert liveliness on %s: %w", p.topic, ErrClosed)
	}
	w, ok := p.writer.(LivelinessAsserter)
	if !ok {
		return nil
	}
	if err := w.AssertLiveliness(); err != nil {
		return fmt.Errorf("assert liveliness on %s: %w", p.topic, err)
	}
	return nil
}

// AssertLiveliness asserts to subscriptions that the publisher is alive although it publishes nothing.
func (s *SharedPublisher[T]) AssertLiveliness() error { return s.pub.AssertLiveliness() }
