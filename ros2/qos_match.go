// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"math"
	"strings"
	"time"
)

// QoSPolicy is a set of quality-of-service policies.
type QoSPolicy uint8

// The policies that decide whether a publisher and a subscription match.
const (
	PolicyReliability QoSPolicy = 1 << iota
	PolicyDurability
	PolicyDeadline
	PolicyLiveliness
	// PolicyOther is a policy of the transport that ROS does not define.
	PolicyOther
)

// String returns the names of the policies in p joined by ", ".
func (p QoSPolicy) String() string {
	var names []string
	for i, name := range []string{"reliability", "durability", "deadline", "liveliness", "other policies"} {
		if p&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// IncompatiblePolicies returns the policies in which a publisher offers less than a subscription requests; 0 means that
// they match. History, depth and lifespan are not compared.
func IncompatiblePolicies(offered, requested QoS) QoSPolicy {
	var p QoSPolicy
	if offered.Reliability == BestEffort && requested.Reliability == Reliable {
		p |= PolicyReliability
	}
	if offered.Durability == Volatile && requested.Durability == TransientLocal {
		p |= PolicyDurability
	}
	if longer(offered.Deadline, requested.Deadline) {
		p |= PolicyDeadline
	}
	if offered.Liveliness < requested.Liveliness || longer(offered.LivelinessLease, requested.LivelinessLease) {
		p |= PolicyLiveliness
	}
	return p
}

// longer compares periods in which 0 stands for infinity.
func longer(offered, requested time.Duration) bool {
	if requested == 0 {
		return false
	}
	return offered == 0 || offered > requested
}

// PeriodBestAvailable is a [QoS.Deadline] or [QoS.LivelinessLease] of
// [BestAvailableQoS].
const PeriodBestAvailable time.Duration = math.MaxInt64 - 1

// BestAvailableQoS is for tools that should match all existing endpoints (ROS 2 Iron and later): keep last 10, and for
// every other policy the strictest value that matches all endpoints on the topic when the publisher or subscription is
// created. A subscription is reliable if all publishers are, and so on; a publisher is reliable and transient local.
// Later endpoints are not considered, and without any the strictest values are chosen: wait for discovery.
func BestAvailableQoS() QoS {
	return QoS{
		Reliability: ReliabilityBestAvailable, Durability: DurabilityBestAvailable, Liveliness: LivelinessBestAvailable,
		Deadline: PeriodBestAvailable, LivelinessLease: PeriodBestAvailable, Depth: DefaultDepth,
	}
}

// wantsBest reports whether any policy is "best available".
func (q QoS) wantsBest() bool {
	return q.Reliability == ReliabilityBestAvailable || q.Durability == DurabilityBestAvailable || q.Liveliness == LivelinessBestAvailable ||
		q.Deadline == PeriodBestAvailable || q.LivelinessLease == PeriodBestAvailable
}

// best chooses the "best available" policies of an endpoint from those of the others on the topic, as rmw_dds_common
// does.
func (q QoS) best(kind EndpointKind, others []QoS) QoS {
	all := func(ok func(QoS) bool) bool {
		for _, o := range others {
			if !ok(o) {
				return false
			}
		}
		return true
	}
	manual := all(func(o QoS) bool { return o.Liveliness == LivelinessManualByTopic })
	reliable, lasting, pick := true, true, shortest
	if kind == SubscriptionEndpoint {
		reliable = all(func(o QoS) bool { return o.Reliability == Reliable })
		lasting = all(func(o QoS) bool { return o.Durability == TransientLocal })
		pick = longest
	} else {
		manual = !all(func(o QoS) bool { return o.Liveliness != LivelinessManualByTopic })
	}
	if q.Reliability == ReliabilityBestAvailable {
		q.Reliability = choose(!reliable, Reliable, BestEffort)
	}
	if q.Durability == DurabilityBestAvailable {
		q.Durability = choose(lasting, Volatile, TransientLocal)
	}
	if q.Liveliness == LivelinessBestAvailable {
		q.Liveliness = choose(manual, LivelinessAutomatic, LivelinessManualByTopic)
	}
	if q.Deadline == PeriodBestAvailable {
		q.Deadline = pick(others, func(o QoS) time.Duration { return o.Deadline })
	}
	if q.LivelinessLease == PeriodBestAvailable {
		q.LivelinessLease = pick(others, func(o QoS) time.Duration { return o.LivelinessLease })
	}
	return q
}

// longest returns the shortest period that a subscription may request from all these publishers: the longest of theirs,
// or 0, none, if one has none.
func longest(others []QoS, period func(QoS) time.Duration) (p time.Duration) {
	for _, o := range others {
		if period(o) == 0 {
			return 0
		}
		p = max(p, period(o))
	}
	return p
}

// shortest returns the shortest period that these subscriptions request, 0 if there is none.
func shortest(others []QoS, period func(QoS) time.Duration) (p time.Duration) {
	for _, o := range others {
		if d := period(o); d != 0 && (p == 0 || d < p) {
			p = d
		}
	}
	return p
}

// bestQoS chooses the "best available" policies of an endpoint from the graph.
func (n *Node) bestQoS(kind EndpointKind, topic string, q QoS) QoS {
	if !q.wantsBest() {
		return q
	}
	var others []QoS
	for _, e := range n.Graph().EndpointsOn(topic) {
		if e.Kind != kind {
			others = append(others, e.QoS)
		}
	}
	return q.best(kind, others)
}
