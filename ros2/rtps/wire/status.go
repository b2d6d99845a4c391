// SPDX-License-Identifier: Apache-2.0

package wire

// StatusInfo is the value of PID_STATUS_INFO, big-endian on the wire
// (DDSI-RTPS 9.6.3.9).
type StatusInfo uint32

// Flags of StatusInfo.
const (
	StatusDisposed     StatusInfo = 1 // the instance was disposed
	StatusUnregistered StatusInfo = 2 // its writer no longer updates it
)

// Gone reports whether the instance was disposed or unregistered.
func (s StatusInfo) Gone() bool { return s&(StatusDisposed|StatusUnregistered) != 0 }

// KeyHash is the 16-byte hash of an instance's key; for the built-in topics it
// is the GUID (9.6.3.8).
type KeyHash [16]byte

// InlineQoS is the part of the inline QoS of a sample that is used.
type InlineQoS struct {
	// Status is PID_STATUS_INFO, 0 if absent.
	Status StatusInfo
	// KeyHash is PID_KEY_HASH, if HasKeyHash.
	KeyHash    KeyHash
	HasKeyHash bool
	// Related is PID_RELATED_SAMPLE_IDENTITY under either of its two numbers, if HasRelated.
	Related    SampleIdentity
	HasRelated bool
	// Original is PID_ORIGINAL_WRITER_INFO, if HasOriginal.
	Original    SampleIdentity
	HasOriginal bool
	// Shared is where the payload is, instead of in the submessage, if HasShared: a parameter of this implementation.
	Shared    SharedReference
	HasShared bool
}

// SharedReference describes a payload in shared memory, which its writer may overwrite at any time.
type SharedReference struct {
	// Offset is where the block begins in the participant's memory, bytes.
	Offset uint64
	// Number is the running number of the block.
	Number uint64
	// Length is the size of the payload, bytes.
	Length uint32
}

// GUID returns the KeyHash of a built-in topic as a GUID.
func (k KeyHash) GUID() GUID { return GUIDFromBytes(k[:]) }
