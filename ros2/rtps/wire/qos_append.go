// SPDX-License-Identifier: Apache-2.0

package wire

// appendParameters appends the policies: reliability, durability, history and data representation always, the others if
// they differ from the defaults, which are the same for writers and readers.
func (q *QoS) appendParameters(dst []byte) []byte {
	def := DefaultReaderQoS()
	dst, start := beginParameter(dst, pidReliability)
	dst = endParameter(appendDuration(appendU32(dst, uint32(q.Reliability)), q.MaxBlocking), start)
	dst = appendU32Parameter(dst, pidDurability, uint32(q.Durability))
	dst, start = beginParameter(dst, pidHistory)
	dst = endParameter(appendHistory(dst, q.History, q.Depth), start)
	dst = q.appendRepresentation(dst)
	dst = appendDurationUnless(dst, pidDeadline, q.Deadline, def.Deadline)
	dst = appendDurationUnless(dst, pidLatencyBudget, q.LatencyBudget, def.LatencyBudget)
	if q.Liveliness != def.Liveliness || q.LivelinessLease != def.LivelinessLease {
		dst, start = beginParameter(dst, pidLiveliness)
		dst = endParameter(appendDuration(appendU32(dst, uint32(q.Liveliness)), q.LivelinessLease), start)
	}
	dst = appendDurationUnless(dst, pidLifespan, q.Lifespan, def.Lifespan)
	return q.appendRare(dst)
}

// appendRare appends the policies that ROS 2 leaves at their defaults.
func (q *QoS) appendRare(dst []byte) []byte {
	if d := q.DurabilityService; d != nil {
		var start int
		dst, start = beginParameter(dst, pidDurabilityService)
		dst = appendHistory(appendDuration(dst, d.CleanupDelay), d.History, d.Depth)
		dst = endParameter(appendLimits(dst, d.Limits), start)
	}
	if q.ResourceLimits != nil {
		var start int
		dst, start = beginParameter(dst, pidResourceLimits)
		dst = endParameter(appendLimits(dst, *q.ResourceLimits), start)
	}
	dst = appendU32Unless(dst, pidOwnership, uint32(q.Ownership), 0)
	dst = appendU32Unless(dst, pidOwnershipStrength, uint32(q.Strength), 0)
	dst = appendU32Unless(dst, pidDestinationOrder, uint32(q.DestinationOrder), 0)
	if p := q.Presentation; p != (Presentation{}) {
		dst = appendParameter(dst, pidPresentation,
			[]byte{byte(p.Scope), 0, 0, 0, octet(p.Coherent), octet(p.Ordered)})
	}
	if len(q.Partition) > 0 {
		var start int
		dst, start = beginParameter(dst, pidPartition)
		dst = appendU32(dst, uint32(len(q.Partition)))
		for _, name := range q.Partition {
			dst = appendString(dst, start, name)
		}
		dst = endParameter(dst, start)
	}
	return appendDurationUnless(dst, pidTimeBasedFilter, q.TimeFilter, durationZero)
}

// appendRepresentation appends DATA_REPRESENTATION, XCDR1 if none is set.
func (q *QoS) appendRepresentation(dst []byte) []byte {
	dst, start := beginParameter(dst, pidDataRepresentation)
	if len(q.Representation) == 0 {
		return endParameter(appendU16(appendU32(dst, 1), uint16(XCDR1)), start)
	}
	dst = appendU32(dst, uint32(len(q.Representation)))
	for _, r := range q.Representation {
		dst = appendU16(dst, uint16(r))
	}
	return endParameter(dst, start)
}

func appendHistory(dst []byte, kind HistoryKind, depth int32) []byte {
	return appendU32(appendU32(dst, uint32(kind)), uint32(depth))
}

func appendLimits(dst []byte, l ResourceLimits) []byte {
	dst = appendU32(appendU32(dst, uint32(l.MaxSamples)), uint32(l.MaxInstances))
	return appendU32(dst, uint32(l.MaxSamplesPerInstance))
}

func appendDurationUnless(dst []byte, id parameterID, d, def Duration) []byte {
	if d == def {
		return dst
	}
	return appendDurationParameter(dst, id, d)
}

func appendU32Unless(dst []byte, id parameterID, v, def uint32) []byte {
	if v == def {
		return dst
	}
	return appendU32Parameter(dst, id, v)
}

func octet(b bool) byte {
	if b {
		return 1
	}
	return 0
}
