// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Loan is the right to read a payload in shared memory, where its writer has put it. A reader may have loans of a
// quarter of the writer's shared memory, and 63 in all; samples beyond that are copied. So one that is not released
// costs copies, and the writer never waits (TestLoansInSharedMemory of package rmw). The payload cannot be written, and
// a writer that truncates its file ends the program that reads it.
type Loan interface {
	// Retain keeps the payload valid after the OnSample call, until Release was called as often. Both are safe for
	// concurrent use, also after the participant was closed.
	Retain()
	Release()
}

// Sample is one received sample.
type Sample struct {
	// Payload is the serialized data with its 4-byte encapsulation header, and up to three bytes of padding. It is
	// valid only during the OnSample call, or while Loan is retained.
	Payload []byte
	// Loan is set for a reader with ReaderConfig.Loans if the payload is in the shared memory of its writer.
	Loan Loan
	// Kind is the kind of the payload: wire.PayloadData, except for the end of an instance of a keyed topic, which may
	// come with only the serialized key or with nothing.
	Kind wire.PayloadKind
	// Status is the instance state change of a keyed topic.
	Status wire.StatusInfo
	// Key is the key hash of the instance; zero if the writer did not send it.
	Key wire.KeyHash
	// Writer is the writer of the sample.
	Writer wire.GUID
	// SN is its sequence number.
	SN wire.SequenceNumber
	// SourceTime is when the writer wrote it, by the writer's clock; zero if it was not sent.
	SourceTime time.Time
	// Received is when a sample of a local writer was delivered; zero for those from the network.
	Received time.Time
	// Related is the related sample identity of a service request or reply; zero if there is none.
	Related wire.SampleIdentity
	// Vendor is the implementation that sent it.
	Vendor wire.VendorID
}

// MatchKind is the kind of a match event.
type MatchKind uint8

const (
	// Matched means that data flows from now on.
	Matched MatchKind = iota
	// Unmatched means that the remote endpoint is gone, or does not match any more.
	Unmatched
	// Incompatible means that topic and type agree but the QoS do not: no data flows.
	Incompatible
)

// String names the kind in logs.
func (k MatchKind) String() string {
	switch k {
	case Matched:
		return "matched"
	case Unmatched:
		return "unmatched"
	default:
		return "incompatible QoS"
	}
}

// MatchEvent is a change of the match between a local endpoint and a remote one (or another one of the same
// participant).
type MatchEvent struct {
	// Kind is what happened.
	Kind MatchKind
	// Local and Remote are the two endpoints.
	Local, Remote wire.GUID
	// RemoteData is the discovery data of the remote endpoint.
	RemoteData *wire.EndpointData
	// Policies are the incompatible QoS policies, for Incompatible.
	Policies []wire.PolicyID
}
