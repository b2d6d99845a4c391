// SPDX-License-Identifier: Apache-2.0

package fifo

import "sync/atomic"

// Inbox is a bounded queue of any number of producers and one consumer at a time. None of them waits for a lock: it is
// Dmitry Vyukov's bounded MPMC queue (1024cores.net, 2010), of which the consumer needs no atomic position. Values of
// one producer are in its order. A producer that stops between reserving a cell and filling it delays the values behind
// it. It is created by [NewInbox].
type Inbox[E any] struct {
	cells []cell[E]
	_     [128]byte // processors fetch cache lines in pairs of 64 bytes
	tail  atomic.Uintptr
	_     [128]byte
	head  uintptr // the consumer's
}

// cell is a position in an [Inbox].
type cell[E any] struct {
	// sequence is the position for which the cell is free, or one more if it has that position's value.
	sequence atomic.Uintptr
	value    E
}

// NewInbox returns an empty queue of a capacity that is a power of two, at least two.
func NewInbox[E any](capacity int) *Inbox[E] {
	q := &Inbox[E]{cells: make([]cell[E], capacity)}
	for i := range q.cells {
		q.cells[i].sequence.Store(uintptr(i))
	}
	return q
}

// Push appends a value; it returns false if the queue is full.
func (q *Inbox[E]) Push(e E) bool {
	for {
		at := q.tail.Load()
		c := &q.cells[at&uintptr(len(q.cells)-1)]
		switch lead := int(c.sequence.Load() - at); {
		case lead < 0: // the value of the round before is still there
			return false
		case lead == 0 && q.tail.CompareAndSwap(at, at+1):
			c.value = e
			c.sequence.Store(at + 1)
			return true
		}
	}
}

// Ready reports whether Pop returns a value. Only the consumer calls it.
func (q *Inbox[E]) Ready() bool {
	return q.cells[q.head&uintptr(len(q.cells)-1)].sequence.Load() == q.head+1
}

// Pop removes and returns the oldest value, if there is one and its producer has filled the cell. Only the consumer
// calls it.
func (q *Inbox[E]) Pop() (e E, ok bool) {
	c := &q.cells[q.head&uintptr(len(q.cells)-1)]
	if c.sequence.Load() != q.head+1 {
		return e, false
	}
	var zero E
	e, c.value = c.value, zero
	c.sequence.Store(q.head + uintptr(len(q.cells)))
	q.head++
	return e, true
}
