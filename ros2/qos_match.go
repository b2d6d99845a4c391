// SPDX-License-Identifier: Apache-2.0

package ros2

import (
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
	// PolicyOther is a policy of the transport that ROS has no name for.
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

// IncompatiblePolicies returns the policies in which a publisher that offers
// less than a subscription requests; 0 means that they match. History, depth
// and lifespan play no part.
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
