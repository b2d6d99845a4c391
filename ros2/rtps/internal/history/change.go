// SPDX-License-Identifier: Apache-2.0

package history

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// fragmentSize is the size of the fragments of larger samples, one per datagram: 1,428 bytes with headers.
const fragmentSize = 1344

// Source encodes the payload of a change when it is sent, for a history that does not keep it. The bytes are the same
// every time (TestSourceInsteadOfPayload), and valid until another source's Payload is called.
type Source interface{ Payload() []byte }

// releaser is a [Source] that must know when the change is not used any more.
type releaser interface{ Release() }

// Change is one sample of a writer, with its buffers, which are reused after the sample is removed.
type Change struct {
	// SN is its number, set by Push, and At when it was written.
	SN wire.SequenceNumber
	At time.Time
	// Kind is the kind of the payload.
	Kind wire.PayloadKind
	// Directed means that the change is for one reader only, its Target.
	Directed bool
	// reserve is how many bytes fewer than fragmentSize a fragment has, for the protection of datagrams.
	reserve uint16
	// Key is the endpoint that a change of a discovery writer is about.
	Key wire.EntityID
	// Inline are its inline QoS, a parameter list; empty if there are none.
	Inline []byte

	payloads [][]byte // one for each reader variant; usually one
	source   Source   // instead of payloads
	extra    *extra   // nil if it never had any
	size     int      // of all payloads, as counted in History.bytes
	users    int32    // transfers that are reading the buffers
	gone     bool     // no longer in the history
}

// extra holds fields that only changes of services and keyed topics have. It saves memory for the announcements of the
// endpoints of a thousand robots.
type extra struct {
	related  wire.SampleIdentity
	instance wire.KeyHash
	status   wire.StatusInfo
	target   wire.GUID
}

// Related returns the related sample identity, which is also in Inline.
func (c *Change) Related() wire.SampleIdentity { return c.rare().related }

// Instance returns the instance of a keyed writer's change, which is also in Inline.
func (c *Change) Instance() wire.KeyHash { return c.rare().instance }

// Status returns the instance's state change, which is also in Inline.
func (c *Change) Status() wire.StatusInfo { return c.rare().status }

// Target returns the only reader that a directed change is for.
func (c *Change) Target() wire.GUID { return c.rare().target }

// Direct makes the change directed at a single reader.
func (c *Change) Direct(target wire.GUID) { c.Directed, c.addExtra().target = true, target }

// rare returns the extra fields, or zero.
func (c *Change) rare() extra {
	if c.extra == nil {
		return extra{}
	}
	return *c.extra
}

// addExtra returns the extra fields for writing, allocating them if needed. They stay with the change, so that in
// steady state nothing is allocated.
func (c *Change) addExtra() *extra {
	if c.extra == nil {
		c.extra = new(extra)
	}
	return c.extra
}

// Payload returns the bytes for a reader of the given variant.
func (c *Change) Payload(variant int) []byte {
	if c.source != nil {
		return c.source.Payload()
	}
	if len(c.payloads) == 0 {
		return nil
	}
	return c.payloads[min(max(variant, 0), len(c.payloads)-1)]
}

// Fragment returns the change's fragment size, bytes: inline QoS reduce it, since every fragment carries them.
func (c *Change) Fragment() int {
	if len(c.Inline) > 0 {
		return fragmentSize - 64 - int(c.reserve)
	}
	return fragmentSize - int(c.reserve)
}

// Large reports whether the payload for a reader variant does not fit one datagram.
func (c *Change) Large(variant int) bool { return len(c.Payload(variant)) > c.Fragment() }

// Fragments returns the number of fragments for a reader variant.
func (c *Change) Fragments(variant int) wire.FragmentNumber {
	return wire.FragmentNumber(wire.FragmentCount(uint32(len(c.Payload(variant))), uint16(c.Fragment())))
}

// SetPayload copies the payload into the buffer of the change.
func (c *Change) SetPayload(payload []byte) {
	if len(c.payloads) != 1 || c.source != nil {
		c.SetPayloads(payload)
		return
	}
	c.payloads[0] = append(c.payloads[0][:0], payload...)
}

// SetSource makes s encode the payload when it is sent. It does not count in the budget of the histories.
func (c *Change) SetSource(s Source) { c.payloads, c.source = c.payloads[:0], s }

// Source returns the source of the payload, or nil.
func (c *Change) Source() Source { return c.source }

// endSource releases the source.
func (c *Change) endSource() {
	if r, ok := c.source.(releaser); ok {
		c.source = nil
		r.Release()
	}
}

// SetPayloadOf copies the payload or source of another change.
func (c *Change) SetPayloadOf(o *Change) {
	if o.source != nil {
		c.SetSource(o.source)
		return
	}
	c.SetPayload(o.Payload(0))
}

// SetRelated adds a related sample identity to the inline QoS.
func (c *Change) SetRelated(id wire.SampleIdentity) {
	c.addExtra().related = id
	q := wire.InlineQoS{Related: id, HasRelated: true}
	c.Inline = q.Append(c.Inline[:0])
}

// SetPayloads copies the payloads into the buffers of the change.
func (c *Change) SetPayloads(payloads ...[]byte) {
	for len(c.payloads) < len(payloads) {
		if cap(c.payloads) > len(c.payloads) {
			c.payloads = c.payloads[:len(c.payloads)+1] // reuses an earlier buffer
		} else {
			c.payloads = append(c.payloads, nil)
		}
	}
	c.payloads, c.source = c.payloads[:len(payloads)], nil
	for i, b := range payloads {
		c.payloads[i] = append(c.payloads[i][:0], b...)
	}
}

// Use starts a transfer: the buffers are not reused until History.Release.
func (c *Change) Use() *Change {
	c.users++
	return c
}
