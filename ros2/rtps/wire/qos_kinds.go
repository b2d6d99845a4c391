// SPDX-License-Identifier: Apache-2.0

package wire

// ReliabilityKind is the RELIABILITY policy; the numbers are those on the wire
// (DDSI-RTPS 9.6.2.2.1).
type ReliabilityKind uint32

// Reliabilities, in rising order.
const (
	BestEffort ReliabilityKind = 1
	Reliable   ReliabilityKind = 2
)

// DurabilityKind is the DURABILITY policy.
type DurabilityKind uint32

// Durabilities, in rising order.
const (
	Volatile       DurabilityKind = 0
	TransientLocal DurabilityKind = 1
	Transient      DurabilityKind = 2
	Persistent     DurabilityKind = 3
)

// HistoryKind is the HISTORY policy.
type HistoryKind uint32

// Histories.
const (
	KeepLast HistoryKind = 0
	KeepAll  HistoryKind = 1
)

// LivelinessKind is the LIVELINESS policy.
type LivelinessKind uint32

// Livelinesses, in rising order.
const (
	LivelinessAutomatic           LivelinessKind = 0
	LivelinessManualByParticipant LivelinessKind = 1
	LivelinessManualByTopic       LivelinessKind = 2
)

// OwnershipKind is the OWNERSHIP policy.
type OwnershipKind uint32

// Ownerships.
const (
	ownershipShared    OwnershipKind = 0
	OwnershipExclusive OwnershipKind = 1
)

// DestinationOrderKind is the DESTINATION_ORDER policy.
type DestinationOrderKind uint32

// Destination orders, in rising order.
const (
	byReceptionTimestamp DestinationOrderKind = 0
	bySourceTimestamp    DestinationOrderKind = 1
)

// PresentationScope is the access scope of the PRESENTATION policy.
type PresentationScope uint32

// Presentation scopes, in rising order.
const (
	PresentInstance PresentationScope = 0
	PresentTopic    PresentationScope = 1
	PresentGroup    PresentationScope = 2
)

// DataRepresentation is an element of the DATA_REPRESENTATION policy (XTypes
// 7.6.3.1.1).
type DataRepresentation int16

// Data representations. ROS 2 uses XCDR1.
const (
	XCDR1 DataRepresentation = 0
	xml   DataRepresentation = 1
	XCDR2 DataRepresentation = 2
)
