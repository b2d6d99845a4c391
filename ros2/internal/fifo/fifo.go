// SPDX-License-Identifier: Apache-2.0

// Package fifo has the queue of waiting messages and callbacks.
package fifo

// Queue is a queue in a ring that grows as needed. The zero value is empty.
type Queue[E any] struct {
	ring  []E // its length is a power of two
	first int
	n     int
}

// maxKept is how many values an empty queue has space for: more is released.
const maxKept = 1024

// Len returns the number of values.
func (q *Queue[E]) Len() int { return q.n }

// Push appends a value.
func (q *Queue[E]) Push(e E) {
	if q.n == len(q.ring) {
		grown := make([]E, max(4, 2*q.n))
		copy(grown[copy(grown, q.ring[q.first:]):], q.ring[:q.first])
		q.ring, q.first = grown, 0
	}
	q.ring[(q.first+q.n)&(len(q.ring)-1)] = e
	q.n++
}

// First returns the oldest value; there must be one.
func (q *Queue[E]) First() E { return q.ring[q.first] }

// Pop removes the oldest value; there must be one.
func (q *Queue[E]) Pop() E {
	var zero E
	e := q.ring[q.first]
	q.ring[q.first] = zero
	q.first = (q.first + 1) & (len(q.ring) - 1)
	q.n--
	if q.n == 0 && len(q.ring) > maxKept {
		q.ring, q.first = nil, 0
	}
	return e
}
