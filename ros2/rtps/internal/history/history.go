// SPDX-License-Identifier: Apache-2.0

// Package history holds a writer's samples for as long as readers may request them. Its buffers are reused: in steady
// state nothing is allocated. It is not safe for concurrent use.
package history

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// History holds the changes of a writer with sequence numbers in [first, next). A removed change leaves a hole. It is a
// ring that grows up to its limit; buffers of removed changes are reused, so that in steady state nothing is allocated.
type History struct {
	ring  []*Change
	limit int32 // changes held at most
	begin int32 // index of first in the ring
	first wire.SequenceNumber
	next  wire.SequenceNumber
	pool  []*Change
	held  int            // bytes of the changes
	bytes *memory.Budget // shared by all histories; nil for those of discovery

	instances instances // nil without a depth per instance
	depth     int32     // of each instance
	reserve   uint16    // see Reserve
}

// maxPooled is how many unused changes a history keeps in addition to its limit.
const maxPooled = 4

// New returns a history of at most limit changes, whose bytes count in a budget unless that is nil.
func New(limit int, bytes *memory.Budget) History {
	return History{limit: int32(min(limit, math.MaxInt32)), first: 1, next: 1, bytes: bytes}
}

// KeepEach limits the history to depth changes of each instance.
func (h *History) KeepEach(depth int) {
	h.instances, h.depth = instances{}, int32(min(depth, math.MaxInt32))
}

// Reserve makes fragments smaller by size bytes, at most 1,024, which the protection of their datagrams needs. It is
// called before the first change is added.
func (h *History) Reserve(size int) { h.reserve = uint16(min(size, 1024)) }

// First returns the lowest number that is held.
func (h *History) First() wire.SequenceNumber { return h.first }

// Next returns the number that the next change gets.
func (h *History) Next() wire.SequenceNumber { return h.next }

// Limit returns the largest number of changes.
func (h *History) Limit() int { return int(h.limit) }

// Get returns the change numbered sn, or nil if it is not in the history.
func (h *History) Get(sn wire.SequenceNumber) *Change {
	if sn < h.first || sn >= h.next {
		return nil
	}
	return h.ring[h.slot(sn)]
}

// slot returns the ring index of a held number or the next one. It avoids division, which an ARM1176 has no instruction
// for.
func (h *History) slot(sn wire.SequenceNumber) int {
	i := int(h.begin) + int(sn-h.first)
	if i >= len(h.ring) {
		i -= len(h.ring)
	}
	return i
}

// Full reports whether Push would evict a change.
func (h *History) Full() bool { return h.next-h.first >= wire.SequenceNumber(h.limit) }

// Blank returns an empty change to fill in, with reused buffers if there are any.
func (h *History) Blank() *Change {
	if n := len(h.pool); n > 0 {
		c := h.pool[n-1]
		h.pool = h.pool[:n-1]
		return c
	}
	return &Change{reserve: h.reserve}
}

// Push appends c, gives it the next number, and evicts the oldest change if the history is full.
func (h *History) Push(c *Change) {
	h.instances.admit(c, h, int(h.depth))
	if h.Full() {
		h.Remove(h.first)
	}
	if int(h.next-h.first) >= len(h.ring) {
		h.grow()
	}
	c.SN, c.gone = h.next, false
	h.charge(c)
	h.ring[h.slot(c.SN)] = c
	h.next++
}

// charge counts the bytes of a change that enters the history, refund those of one that leaves it.
func (h *History) charge(c *Change) {
	if h.bytes == nil {
		return
	}
	c.size = 0
	for _, b := range c.payloads {
		c.size += len(b)
	}
	h.bytes.Used += c.size
	h.held += c.size
}

func (h *History) refund(c *Change) {
	if h.bytes != nil {
		h.bytes.Release(c.size)
		h.held -= c.size
	}
}

// Fit removes changes up to the one numbered last, oldest first, until size bytes more fit into the budget of all
// histories.
func (h *History) Fit(size int, last wire.SequenceNumber) bool {
	if h.bytes == nil {
		return true
	}
	if h.bytes.Used-h.held+size > h.bytes.Limit {
		return false // not even if all were removed
	}
	for h.bytes.Used+size > h.bytes.Limit && h.first < h.next && h.first <= last {
		h.Remove(h.first)
	}
	return h.bytes.Used+size <= h.bytes.Limit
}

// grow doubles the ring and moves the changes to their new slots.
func (h *History) grow() {
	larger := make([]*Change, min(max(2*len(h.ring), 1), h.Limit()))
	for sn := h.first; sn < h.next; sn++ {
		larger[sn-h.first] = h.ring[h.slot(sn)]
	}
	h.ring, h.begin = larger, 0
}

// Remove removes the change numbered sn and advances first past holes.
func (h *History) Remove(sn wire.SequenceNumber) {
	if c := h.Get(sn); c != nil {
		h.ring[h.slot(sn)] = nil
		c.gone = true
		h.refund(c)
		h.recycle(c)
	}
	for h.first < h.next && h.ring[h.slot(h.first)] == nil {
		h.first++
		if h.begin++; int(h.begin) == len(h.ring) {
			h.begin = 0
		}
	}
}

// Keep copies the payload of the change's source, which is released, into the change, if the budget of all histories
// has space for it.
func (h *History) Keep(c *Change) bool {
	payload, source := c.Payload(0), c.source
	if h.bytes != nil {
		if h.bytes.Used+len(payload) > h.bytes.Limit {
			return false
		}
		c.size = len(payload)
		h.bytes.Used += c.size
		h.held += c.size
	}
	c.SetPayload(payload)
	if r, ok := source.(releaser); ok {
		r.Release()
	}
	return true
}

// Clear removes all changes.
func (h *History) Clear() {
	for h.first < h.next {
		h.Remove(h.first)
	}
}

// Release ends a transfer; a change removed meanwhile is recycled.
func (h *History) Release(c *Change) {
	c.users--
	h.recycle(c)
}

// recycle keeps a removed change for reuse.
func (h *History) recycle(c *Change) {
	if !c.gone || c.users > 0 {
		return
	}
	c.endSource()
	if len(h.pool) >= h.Limit()+maxPooled {
		return
	}
	if len(c.Inline) > 0 || c.Directed || c.Key != 0 || c.Kind != wire.PayloadData { // not a plain sample of a topic
		c.Inline, c.Directed, c.Key, c.source = c.Inline[:0], false, 0, nil
		c.Kind = wire.PayloadData
		if c.extra != nil {
			*c.extra = extra{}
		}
	}
	if len(c.payloads) > 1 { // graph messages: rare, and large with many nodes
		c.payloads = nil
	}
	h.pool = append(h.pool, c)
}
