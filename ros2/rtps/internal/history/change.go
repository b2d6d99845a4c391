// SPDX-License-Identifier: Apache-2.0

package history

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// fragmentSize is the size of the pieces larger samples are sent in, one a datagram: with headers 1,428 bytes.
const fragmentSize = 1344

// Change is one sample of a writer, with its buffers, which live on when the sample is gone.
type Change struct {
	// SN is its number, which Push gives it, and At when it was written.
	SN wire.SequenceNumber
	At time.Time
	// Kind says what the payload is.
	Kind wire.PayloadKind
	// Inline are its inline QoS, a parameter list; empty if there are none.
	Inline []byte
	// Related is the related sample identity, which is also in Inline.
	Related wire.SampleIdentity
	// Key is the endpoint that a change of a discovery writer is about.
	Key wire.EntityID
	// Instance and Status are the instance of a keyed writer's change and what became of that. They are also in Inline.
	Instance wire.KeyHash
	Status   wire.StatusInfo
	// Target is the only reader that a directed change is for; Directed says that it is set.
	Target   wire.GUID
	Directed bool

	payloads [][]byte // one for each reader variant; usually one
	size     int      // of all payloads, as counted in History.bytes
	users    int      // transfers that read the buffers now
	gone     bool     // no longer in the history
}

// Payload returns the bytes for a reader of the given variant.
func (c *Change) Payload(variant int) []byte {
	if len(c.payloads) == 0 {
		return nil
	}
	return c.payloads[min(max(variant, 0), len(c.payloads)-1)]
}

// Fragment is the size of the pieces the change is sent in if it is larger: inline QoS take their room in every piece.
func (c *Change) Fragment() int {
	if len(c.Inline) > 0 {
		return fragmentSize - 64
	}
	return fragmentSize
}

// Fragments returns how many pieces that makes for a reader variant.
func (c *Change) Fragments(variant int) wire.FragmentNumber {
	return wire.FragmentNumber(wire.FragmentCount(uint32(len(c.Payload(variant))), uint16(c.Fragment())))
}

// SetPayload copies the payload into the buffer of the change.
func (c *Change) SetPayload(payload []byte) {
	if len(c.payloads) != 1 {
		c.SetPayloads(payload)
		return
	}
	c.payloads[0] = append(c.payloads[0][:0], payload...)
}

// SetRelated puts a related sample identity into the inline QoS.
func (c *Change) SetRelated(id wire.SampleIdentity) {
	c.Related = id
	q := wire.InlineQoS{Related: id, HasRelated: true}
	c.Inline = q.Append(c.Inline[:0])
}

// SetPayloads copies the payloads into the buffers of the change.
func (c *Change) SetPayloads(payloads ...[]byte) {
	for len(c.payloads) < len(payloads) {
		if cap(c.payloads) > len(c.payloads) {
			c.payloads = c.payloads[:len(c.payloads)+1] // takes a buffer of earlier use back
		} else {
			c.payloads = append(c.payloads, nil)
		}
	}
	c.payloads = c.payloads[:len(payloads)]
	for i, b := range payloads {
		c.payloads[i] = append(c.payloads[i][:0], b...)
	}
}

// Use begins a transfer that takes time: the buffers stay until History.Release.
func (c *Change) Use() *Change {
	c.users++
	return c
}
