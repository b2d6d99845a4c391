// SPDX-License-Identifier: Apache-2.0

package wire

import "slices"

// QoS is the DDS quality of service of a writer or reader, as announced by discovery (DDS 1.4, 2.2.3; DDSI-RTPS table
// 9.12). Start from DefaultWriterQoS or DefaultReaderQoS: in the zero value the deadline is zero, not infinite.
type QoS struct {
	// Reliability is offered or requested.
	Reliability ReliabilityKind
	// MaxBlocking is max_blocking_time: the minimum time that a keep-all writer keeps a sample for slow readers after
	// others have acknowledged it. No write blocks.
	MaxBlocking Duration
	// Durability is offered or requested.
	Durability DurabilityKind
	// DurabilityService configures the history of durability above transient-local. It is only announced, unless nil.
	DurabilityService *DurabilityService
	// History is local; it is announced for information.
	History HistoryKind
	// Depth is the depth of HistoryKeepLast, at least 1.
	Depth int32
	// ResourceLimits are local; they are announced for information, unless nil.
	ResourceLimits *ResourceLimits
	// Deadline is the longest time between two samples.
	Deadline Duration
	// LatencyBudget is a hint of the acceptable delay.
	LatencyBudget Duration
	// Liveliness is how the liveliness of the writer is asserted.
	Liveliness LivelinessKind
	// LivelinessLease is how long after an assertion the writer counts as alive.
	LivelinessLease Duration
	// Lifespan is the age at which a sample expires; writers only.
	Lifespan Duration
	// Ownership is whether several writers may update an instance.
	Ownership OwnershipKind
	// Strength ranks writers of exclusive ownership; writers only.
	Strength int32
	// DestinationOrder is the order among samples of several writers.
	DestinationOrder DestinationOrderKind
	// Presentation is the coherence and order of changes.
	Presentation Presentation
	// Partition is the names of the partitions; nil is the default one.
	Partition []string
	// TimeFilter is the minimum separation of samples; readers only.
	TimeFilter Duration
	// Representation is the list of data representations in order of preference; nil means XCDR1. A writer uses only
	// the first.
	Representation []DataRepresentation
}

// Equal reports whether two QoS have the same policies.
func (q *QoS) Equal(o *QoS) bool {
	return q.Reliability == o.Reliability && q.MaxBlocking == o.MaxBlocking && q.Durability == o.Durability &&
		q.History == o.History && q.Depth == o.Depth && q.Deadline == o.Deadline && q.LatencyBudget == o.LatencyBudget &&
		q.Liveliness == o.Liveliness && q.LivelinessLease == o.LivelinessLease && q.Lifespan == o.Lifespan &&
		q.Ownership == o.Ownership && q.Strength == o.Strength && q.DestinationOrder == o.DestinationOrder &&
		q.Presentation == o.Presentation && q.TimeFilter == o.TimeFilter &&
		equalValues(q.DurabilityService, o.DurabilityService) && equalValues(q.ResourceLimits, o.ResourceLimits) &&
		slices.Equal(q.Partition, o.Partition) && slices.Equal(q.Representation, o.Representation)
}

// equalValues reports whether two pointers are nil or refer to equal values.
func equalValues[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// DefaultWriterQoS returns the policies of a writer that announces none.
func DefaultWriterQoS() QoS {
	q := DefaultReaderQoS()
	q.Reliability = Reliable
	q.MaxBlocking = DurationOf(100e6) // 100 ms, DDS 1.4 2.2.3
	return q
}

// DefaultReaderQoS returns the policies of a reader that announces none.
func DefaultReaderQoS() QoS {
	return QoS{
		Reliability:     BestEffort,
		Depth:           1,
		Deadline:        DurationInfinite,
		LivelinessLease: DurationInfinite,
		Lifespan:        DurationInfinite,
	}
}

// DurabilityService configures the history of a durability service.
type DurabilityService struct {
	// CleanupDelay is how long a disposed instance is kept.
	CleanupDelay Duration
	// History and Depth are as in QoS.
	History HistoryKind
	Depth   int32
	// Limits bounds the history of the service.
	Limits ResourceLimits
}

// ResourceLimits bounds a history; -1 means no limit.
type ResourceLimits struct {
	// MaxSamples is the number of samples of all instances.
	MaxSamples int32
	// MaxInstances is the number of instances.
	MaxInstances int32
	// MaxSamplesPerInstance is the number of samples of each.
	MaxSamplesPerInstance int32
}

// Presentation is the coherence and order of changes.
type Presentation struct {
	// Scope is the set of samples to which coherence and order apply.
	Scope PresentationScope
	// Coherent means that sets of changes become visible together.
	Coherent bool
	// Ordered means that changes become visible in the order in which they were made.
	Ordered bool
}
