// SPDX-License-Identifier: Apache-2.0

package wire

// decode decodes a policy. It returns false if id is not that of a policy.
func (q *QoS) decode(id parameterID, r *paramReader) bool {
	switch id {
	case pidReliability:
		q.Reliability = ReliabilityKind(r.enum(1, 2))
		q.MaxBlocking = r.duration()
	case pidDurability:
		q.Durability = DurabilityKind(r.enum(0, 3))
	case pidHistory:
		q.History, q.Depth = r.history()
	case pidDeadline:
		q.Deadline = r.duration()
	case pidLatencyBudget:
		q.LatencyBudget = r.duration()
	case pidLiveliness:
		q.Liveliness = LivelinessKind(r.enum(0, 2))
		q.LivelinessLease = r.duration()
	case pidLifespan:
		q.Lifespan = r.duration()
	default:
		return q.decodeRare(id, r)
	}
	return true
}

// decodeRare decodes a policy that ROS 2 leaves at its default.
func (q *QoS) decodeRare(id parameterID, r *paramReader) bool {
	switch id {
	case pidDurabilityService:
		var d DurabilityService
		d.CleanupDelay = r.duration()
		d.History, d.Depth = r.history()
		d.Limits = r.limits()
		q.DurabilityService = &d
	case pidResourceLimits:
		l := r.limits()
		q.ResourceLimits = &l
	case pidOwnership:
		q.Ownership = OwnershipKind(r.enum(0, 1))
	case pidOwnershipStrength:
		q.Strength = r.i32()
	case pidDestinationOrder:
		q.DestinationOrder = DestinationOrderKind(r.enum(0, 1))
	case pidPresentation:
		q.Presentation.Scope = PresentationScope(r.enum(0, 2))
		q.Presentation.Coherent, q.Presentation.Ordered = r.boolean(), r.boolean()
	case pidPartition:
		n := r.count(4, maxPartitions)
		for i := 0; i < n && r.err == nil; i++ {
			q.Partition = append(q.Partition, r.str())
		}
	case pidTimeBasedFilter:
		q.TimeFilter = r.duration()
	case pidDataRepresentation:
		q.Representation = r.representations()
	default:
		return false
	}
	return true
}

// history reads kind and depth; KEEP_LAST requires a depth of at least 1.
func (r *paramReader) history() (HistoryKind, int32) {
	kind, depth := HistoryKind(r.enum(0, 1)), r.i32()
	if kind == KeepLast && depth < 1 {
		r.fail(errParameter, "history depth %d", depth)
	}
	return kind, depth
}

func (r *paramReader) limits() ResourceLimits {
	return ResourceLimits{MaxSamples: r.i32(), MaxInstances: r.i32(), MaxSamplesPerInstance: r.i32()}
}

func (r *paramReader) representations() []DataRepresentation {
	n := r.count(2, maxDataRepresentations)
	b := r.next(2 * n)
	if b == nil {
		return nil
	}
	reps := make([]DataRepresentation, n)
	for i := range reps {
		reps[i] = DataRepresentation(r.o.u16(b[2*i:]))
	}
	return reps
}
