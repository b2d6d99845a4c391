// SPDX-License-Identifier: Apache-2.0

package wire

// SequenceNumber numbers the changes of one writer from 1 (DDSI-RTPS 8.3.5.4).
// On the wire it is a signed high word followed by an unsigned low one.
type SequenceNumber int64

// SequenceNumberUnknown is SEQUENCENUMBER_UNKNOWN: high -1, low 0.
const SequenceNumberUnknown SequenceNumber = -1 << 32

// maxSequenceNumber is the highest valid number: a complete set fits above any valid base.
const maxSequenceNumber SequenceNumber = 1<<63 - 1 - maxSetBits

// valid reports whether sn can number a change.
func (sn SequenceNumber) valid() bool { return sn >= 1 && sn <= maxSequenceNumber }

// FragmentNumber numbers the fragments of one sample from 1 (8.3.5.6).
type FragmentNumber uint32

// Count numbers the HEARTBEAT, ACKNACK, HEARTBEAT_FRAG or NACK_FRAG
// submessages of one entity, so that repeated ones can be ignored (8.3.5.10).
type Count int32

// NewerThan reports whether c is after last, also across an overflow.
func (c Count) NewerThan(last Count) bool { return c-last > 0 }

// SampleIdentity identifies one sample; in a service reply it is that of the request (DDS-RPC 7.5.1.1.1).
type SampleIdentity struct {
	// Writer is the writer of the sample, zero if unknown.
	Writer GUID
	// SN is its sequence number.
	SN SequenceNumber
}

// IsZero reports whether id is absent.
func (id SampleIdentity) IsZero() bool { return id == SampleIdentity{} }
