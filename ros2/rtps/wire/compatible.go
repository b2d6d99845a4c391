// SPDX-License-Identifier: Apache-2.0

package wire

import "slices"

// Compatible reports whether the QoS that a writer offers and that which a reader requests match; if not, it returns
// all incompatible policies. The caller compares topic, type and keyedness. PolicyPartition is included, although in
// DDS it prevents the match silently.
func Compatible(offered, requested *QoS) (ok bool, policies []PolicyID) {
	for _, c := range [...]struct {
		policy PolicyID
		ok     bool
	}{
		{PolicyDurability, offered.Durability >= requested.Durability},
		{policyPresentation, offered.Presentation.covers(requested.Presentation)},
		{PolicyDeadline, offered.Deadline <= requested.Deadline},
		{policyLatencyBudget, offered.LatencyBudget <= requested.LatencyBudget},
		{PolicyOwnership, offered.Ownership == requested.Ownership},
		{PolicyLiveliness, offered.Liveliness >= requested.Liveliness &&
			offered.LivelinessLease <= requested.LivelinessLease},
		{PolicyPartition, partitionsMeet(offered.Partition, requested.Partition)},
		{PolicyReliability, offered.Reliability >= requested.Reliability},
		{policyDestinationOrder, offered.DestinationOrder >= requested.DestinationOrder},
		{PolicyDataRepresentation, representable(offered.Representation, requested.Representation)},
	} {
		if !c.ok {
			policies = append(policies, c.policy)
		}
	}
	return len(policies) == 0, policies
}

// covers reports whether an offered presentation satisfies a requested one (DDS 1.4 2.2.3.6).
func (p Presentation) covers(r Presentation) bool {
	return p.Scope >= r.Scope && (p.Coherent || !r.Coherent) && (p.Ordered || !r.Ordered)
}

// representable reports whether a reader accepts the data representation of a writer (XTypes 7.6.3.1.1): the writer
// uses the first of its list; an empty list means XCDR1.
func representable(offered, requested []DataRepresentation) bool {
	first := XCDR1
	if len(offered) > 0 {
		first = offered[0]
	}
	if len(requested) == 0 {
		return first == XCDR1
	}
	return slices.Contains(requested, first)
}

// partitionsMeet reports whether the lists have a partition in common. The
// empty list is the partition with the empty name. A name may be a pattern
// with * and ?, but two patterns never match each other (DDS 1.4 2.2.3.13).
func partitionsMeet(a, b []string) bool {
	if len(a) == 0 {
		a = []string{""}
	}
	if len(b) == 0 {
		b = []string{""}
	}
	for _, x := range a {
		for _, y := range b {
			if partitionMatches(x, y) {
				return true
			}
		}
	}
	return false
}

func partitionMatches(x, y string) bool {
	switch px, py := isPattern(x), isPattern(y); {
	case px && py:
		return false
	case px:
		return glob(x, y)
	case py:
		return glob(y, x)
	}
	return x == y
}
