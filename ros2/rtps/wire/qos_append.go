// SPDX-License-Identifier: Apache-2.0

package wire

// appendParameters appends the policies. The four that peers like to see are
// always sent; the others if they differ from the defaults, which do not
// depend on writer or reader.
func (q *QoS) appendParameters(dst []byte) []byte {
	def := DefaultReaderQoS()
	dst, start := beginParameter(dst, PIDReliability)
	dst = endParameter(appendDuration(appendU32(dst, uint32(q.Reliability)), q.MaxBlocking), start)
	dst = appendU32Parameter(dst, PIDDurability, uint32(q.Durability))
	dst, start = beginParameter(dst, PIDHistory)
	dst = endParameter(appendHistory(dst, q.History, q.Depth), start)
	dst = q.appendRepresentation(dst)
	dst = appendDurationUnless(dst, PIDDeadline, q.Deadline, def.Deadline)
	dst = appendDurationUnless(dst, PIDLatencyBudget, q.LatencyBudget, def.LatencyBudget)
	if q.Liveliness != def.Liveliness || q.LivelinessLease != def.LivelinessLease {
		dst, start = beginParameter(dst, PIDLiveliness)
		dst = endParameter(appendDuration(appendU32(dst, uint32(q.Liveliness)), q.LivelinessLease), start)
	}
	dst = appendDurationUnless(dst, PIDLifespan, q.Lifespan, def.Lifespan)
	return q.appendRare(dst)
}

// appendRare appends the policies that ROS 2 leaves at their defaults.
func (q *QoS) appendRare(dst []byte) []byte {
	if d := q.DurabilityService; d != nil {
		var start int
		dst, start = beginParameter(dst, PIDDurabilityService)
		dst = appendHistory(appendDuration(dst, d.CleanupDelay), d.History, d.Depth)
		dst = endParameter(appendLimits(dst, d.Limits), start)
	}
	if q.ResourceLimits != nil {
		var start int
		dst, start = beginParameter(dst, PIDResourceLimits)
		dst = endParameter(appendLimits(dst, *q.ResourceLimits), start)
	}
	dst = appendU32Unless(dst, PIDOwnership, uint32(q.Ownership), 0)
	dst = appendU32Unless(dst, PIDOwnershipStrength, uint32(q.Strength), 0)
	dst = appendU32Unless(dst, PIDDestinationOrder, uint32(q.DestinationOrder), 0)
	if p := q.Presentation; p != (Presentation{}) {
		dst = AppendParameter(dst, PIDPresentation,
			[]byte{byte(p.Scope), 0, 0, 0, octet(p.Coherent), octet(p.Ordered)})
	}
	if len(q.Partition) > 0 {
		var start int
		dst, start = beginParameter(dst, PIDPartition)
		dst = appendU32(dst, uint32(len(q.Partition)))
		for _, name := range q.Partition {
			dst = appendString(dst, start, name)
		}
		dst = endParameter(dst, start)
	}
	return appendDurationUnless(dst, PIDTimeBasedFilter, q.TimeFilter, DurationZero)
}

// appendRepresentation appends DATA_REPRESENTATION, XCDR1 if none is set.
func (q *QoS) appendRepresentation(dst []byte) []byte {
	dst, start := beginParameter(dst, PIDDataRepresentation)
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

func appendDurationUnless(dst []byte, id ParameterID, d, def Duration) []byte {
	if d == def {
		return dst
	}
	return appendDurationParameter(dst, id, d)
}

func appendU32Unless(dst []byte, id ParameterID, v, def uint32) []byte {
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
