// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"time"
)

// qosOverride is one policy that a read-only parameter may override. The
// parameters are named "qos_overrides./full/topic.publisher.depth" and so on, as
// in rclcpp; they exist where the command line or a parameter file names them.
type qosOverride struct {
	policy string
	typ    ParameterType
	oneOf  []string
	apply  func(*QoS, ParameterValue)
}

func qosOverrides() []qosOverride {
	word := func(policy, zero, one string, set func(*QoS, bool)) qosOverride {
		return qosOverride{policy, ParameterString, []string{zero, one}, func(q *QoS, v ParameterValue) { set(q, v.Str() == one) }}
	}
	period := func(policy string, set func(*QoS, time.Duration)) qosOverride {
		return qosOverride{policy, ParameterInteger, nil, func(q *QoS, v ParameterValue) { set(q, time.Duration(v.Integer())) }}
	}
	return []qosOverride{
		word("reliability", "reliable", "best_effort", func(q *QoS, one bool) { q.Reliability = choose(one, Reliable, BestEffort) }),
		word("durability", "volatile", "transient_local", func(q *QoS, one bool) { q.Durability = choose(one, Volatile, TransientLocal) }),
		word("history", "keep_last", "keep_all", func(q *QoS, one bool) { q.History = choose(one, KeepLast, KeepAll) }),
		word("liveliness", "automatic", "manual_by_topic", func(q *QoS, one bool) {
			q.Liveliness = choose(one, LivelinessAutomatic, LivelinessManualByTopic)
		}),
		{"depth", ParameterInteger, nil, func(q *QoS, v ParameterValue) { q.Depth = int(v.Integer()) }},
		period("deadline", func(q *QoS, d time.Duration) { q.Deadline = d }),
		period("lifespan", func(q *QoS, d time.Duration) { q.Lifespan = d }),
		period("liveliness_lease_duration", func(q *QoS, d time.Duration) { q.LivelinessLease = d }),
	}
}

func choose[E any](one bool, a, b E) E {
	if one {
		return b
	}
	return a
}

// overrideQoS returns the quality of service of an endpoint after the overrides
// for its topic. Periods are in nanoseconds, 0 being none.
func (n *Node) overrideQoS(kind EndpointKind, topic string, q QoS) (QoS, error) {
	for _, o := range qosOverrides() {
		name := fmt.Sprintf("qos_overrides.%s.%v.%s", topic, kind, o.policy)
		if !n.params.overridden(name) {
			continue
		}
		value, err := n.params.Get(name)
		if err != nil { // the first endpoint of this kind on the topic
			value, err = n.params.Declare(ParameterDescriptor{
				Name: name, Type: o.typ, OneOf: o.oneOf, ReadOnly: true,
				Description: "Overrides the quality of service that the program asks for.",
			})
		}
		if err != nil {
			return q, err
		}
		o.apply(&q, value)
	}
	return q, q.Validate()
}
