// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// change is one sample of a writer, with its buffers, which live on when the sample is gone.
type change struct {
	sn       wire.SequenceNumber
	at       time.Time
	payloads [][]byte // one for each reader variant; usually one
	kind     wire.PayloadKind
	inline   []byte              // inline QoS, a parameter list; empty if there are none
	related  wire.SampleIdentity // also in inline
	key      wire.EntityID       // discovery writers: the endpoint it is about
	instance wire.KeyHash        // keyed writers: its instance; also in inline …
	status   wire.StatusInfo     // … as what became of that
	target   wire.GUID           // directed sample: the only reader it is for
	directed bool                // target is set
	size     int                 // of all payloads, as counted in history.bytes
	users    int                 // transfers that read the buffers now
	gone     bool                // no longer in the history
}

// payload returns the bytes for a reader of the given variant.
func (c *change) payload(variant int) []byte {
	if len(c.payloads) == 0 {
		return nil
	}
	return c.payloads[min(max(variant, 0), len(c.payloads)-1)]
}

// fragment is the size of the pieces the change is sent in if it is larger: inline QoS take their room in every piece.
func (c *change) fragment() int {
	if len(c.inline) > 0 {
		return fragmentSize - 64
	}
	return fragmentSize
}

// fragments returns how many pieces that makes for a reader variant.
func (c *change) fragments(variant int) wire.FragmentNumber {
	return wire.FragmentNumber(wire.FragmentCount(uint32(len(c.payload(variant))), uint16(c.fragment())))
}

// setPayload copies the payload into the buffer of the change.
func (c *change) setPayload(payload []byte) {
	if len(c.payloads) != 1 {
		c.setPayloads(payload)
		return
	}
	c.payloads[0] = append(c.payloads[0][:0], payload...)
}

// setRelated puts a related sample identity into the inline QoS.
func (c *change) setRelated(id wire.SampleIdentity) {
	c.related = id
	q := wire.InlineQoS{Related: id, HasRelated: true}
	c.inline = q.Append(c.inline[:0])
}

// setPayloads copies the payloads into the buffers of the change.
func (c *change) setPayloads(payloads ...[]byte) {
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

// history holds the changes of a writer with sequence numbers in [first, next). A removed change leaves a hole. It is a
// ring that grows up to its limit; buffers of changes that left it are used again, so that in steady state nothing is
// allocated. Guarded by Participant.mu.
type history struct {
	ring  []*change
	limit int // changes held at most
	first wire.SequenceNumber
	next  wire.SequenceNumber
	pool  []*change
	held  int           // bytes of the changes
	bytes *memoryBudget // what all histories hold; nil for those of discovery
}

// maxPooled is how many unused changes a history keeps besides as many as it may hold.
const maxPooled = 4

func newHistory(limit int) history { return history{limit: limit, first: 1, next: 1} }

// get returns the change numbered sn, or nil if it is not there (any more).
func (h *history) get(sn wire.SequenceNumber) *change {
	if sn < h.first || sn >= h.next {
		return nil
	}
	return h.ring[h.slot(sn)]
}

func (h *history) slot(sn wire.SequenceNumber) int { return int(sn % wire.SequenceNumber(len(h.ring))) }

// full reports whether push would have to evict.
func (h *history) full() bool { return h.next-h.first >= wire.SequenceNumber(h.limit) }

// blank returns an empty change to fill in, with used buffers if there are any.
func (h *history) blank() *change {
	if n := len(h.pool); n > 0 {
		c := h.pool[n-1]
		h.pool = h.pool[:n-1]
		return c
	}
	return &change{}
}

// push appends c, gives it the next number, and evicts the oldest change if the history is full.
func (h *history) push(c *change) {
	if h.full() {
		h.remove(h.first)
	}
	if int(h.next-h.first) >= len(h.ring) {
		h.grow()
	}
	c.sn, c.gone = h.next, false
	h.charge(c)
	h.ring[h.slot(c.sn)] = c
	h.next++
}

// charge counts the bytes of a change that enters the history, refund those of one that leaves it.
func (h *history) charge(c *change) {
	if h.bytes == nil {
		return
	}
	c.size = 0
	for _, b := range c.payloads {
		c.size += len(b)
	}
	h.bytes.used += c.size
	h.held += c.size
}

func (h *history) refund(c *change) {
	if h.bytes != nil {
		h.bytes.release(c.size)
		h.held -= c.size
	}
}

// fit removes changes up to the one numbered last, oldest first, until size bytes more fit into the budget of all
// histories.
func (h *history) fit(size int, last wire.SequenceNumber) bool {
	if h.bytes == nil {
		return true
	}
	if h.bytes.used-h.held+size > h.bytes.limit {
		return false // nor if all were removed
	}
	for h.bytes.used+size > h.bytes.limit && h.first < h.next && h.first <= last {
		h.remove(h.first)
	}
	return h.bytes.used+size <= h.bytes.limit
}

// grow doubles the ring and moves the changes to their new slots.
func (h *history) grow() {
	old := h.ring
	h.ring = make([]*change, min(max(2*len(old), 1), h.limit))
	for sn := h.first; sn < h.next; sn++ {
		h.ring[h.slot(sn)] = old[int(sn%wire.SequenceNumber(len(old)))]
	}
}

// remove takes the change numbered sn out and moves first past holes.
func (h *history) remove(sn wire.SequenceNumber) {
	if c := h.get(sn); c != nil {
		h.ring[h.slot(sn)] = nil
		c.gone = true
		h.refund(c)
		h.recycle(c)
	}
	for h.first < h.next && h.ring[h.slot(h.first)] == nil {
		h.first++
	}
}

// clear removes all changes.
func (h *history) clear() {
	for h.first < h.next {
		h.remove(h.first)
	}
}

// use and release bracket a transfer that takes time.
func (c *change) use() *change {
	c.users++
	return c
}

// release ends a transfer; a change that meanwhile left the history is used again.
func (h *history) release(c *change) {
	c.users--
	h.recycle(c)
}

// recycle keeps a change that is not needed any more for later use.
func (h *history) recycle(c *change) {
	if !c.gone || c.users > 0 || len(h.pool) >= h.limit+maxPooled {
		return
	}
	c.inline, c.directed, c.target, c.key = c.inline[:0], false, wire.GUID{}, 0
	c.kind, c.related = wire.PayloadData, wire.SampleIdentity{}
	c.instance, c.status = wire.KeyHash{}, 0
	h.pool = append(h.pool, c)
}
