// SPDX-License-Identifier: Apache-2.0

package inproc

// fifo is a queue in a ring that grows as needed. The zero value is empty.
type fifo[E any] struct {
	ring  []E
	first int
	n     int
}

// push appends a value.
func (f *fifo[E]) push(e E) {
	if f.n == len(f.ring) {
		grown := make([]E, max(4, 2*f.n))
		copy(grown[copy(grown, f.ring[f.first:]):], f.ring[:f.first])
		f.ring, f.first = grown, 0
	}
	f.ring[(f.first+f.n)%len(f.ring)] = e
	f.n++
}

// pop removes the oldest value; there must be one.
func (f *fifo[E]) pop() E {
	var zero E
	e := f.ring[f.first]
	f.ring[f.first] = zero
	f.first = (f.first + 1) % len(f.ring)
	f.n--
	return e
}
