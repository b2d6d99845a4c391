// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"slices"
	"time"
)

// qosOverride is one policy that a read-only parameter may override. The parameters are named
// "qos_overrides./full/topic.publisher.depth" and so on, as in rclcpp; they are declared only if the command line or a
// parameter file sets them.
type qosOverride struct {
	policy string
	typ    ParameterType
	oneOf  []string
	apply  func(*QoS, ParameterValue)
}

// qosOverrides returns the policies that may be overridden. The words are those of rclcpp, in the order of the values;
// "system_default" is the first of them.
func qosOverrides() []qosOverride {
	word := func(policy string, set func(*QoS, int), words ...string) qosOverride {
		return qosOverride{policy, ParameterString, append(words, systemDefault), func(q *QoS, v ParameterValue) {
			set(q, max(slices.Index(words, v.Str()), 0))
		}}
	}
	period := func(policy string, set func(*QoS, time.Duration)) qosOverride {
		return qosOverride{policy, ParameterInteger, nil, func(q *QoS, v ParameterValue) { set(q, time.Duration(v.Integer())) }}
	}
	return []qosOverride{
		word("reliability", func(q *QoS, i int) { q.Reliability = Reliability(i) }, "reliable", "best_effort", bestAvailable),
		word("durability", func(q *QoS, i int) { q.Durability = Durability(i) }, "volatile", "transient_local", bestAvailable),
		word("history", func(q *QoS, i int) { q.History = History(i) }, "keep_last", "keep_all"),
		word("liveliness", func(q *QoS, i int) { q.Liveliness = Liveliness(i) }, "automatic", "manual_by_topic", bestAvailable),
		{"depth", ParameterInteger, nil, func(q *QoS, v ParameterValue) { q.Depth = int(v.Integer()) }},
		period("deadline", func(q *QoS, d time.Duration) { q.Deadline = d }),
		period("lifespan", func(q *QoS, d time.Duration) { q.Lifespan = d }),
		period("liveliness_lease_duration", func(q *QoS, d time.Duration) { q.LivelinessLease = d }),
	}
}

// Special values.
const (
	systemDefault = "system_default"
	bestAvailable = "best_available"
)

func choose[E any](one bool, a, b E) E {
	if one {
		return b
	}
	return a
}

// overrideQoS returns the quality of service of an endpoint after the overrides for its topic. Periods are in
// nanoseconds; 0 is none.
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
				Description: "Overrides the quality of service that the program requests.",
			})
		}
		if err != nil {
			return q, err
		}
		o.apply(&q, value)
	}
	return q, q.Validate()
}
