// SPDX-License-Identifier: Apache-2.0

// Package interval represents sets of sequence numbers as lists of intervals.
package interval

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Span is the sequence numbers from First to Last, both included.
type Span struct{ First, Last wire.SequenceNumber }

// most bounds a list, so that a peer's GAPs with many holes cost requests and not memory.
const most = 64

// List is a sorted list of disjoint, non-adjacent spans. A range of any width costs one entry, so that a GAP over 2^60
// numbers is as cheap as one over two (CVE-2025-64438 is the loop that this avoids).
type List []Span

// Add adds [first, last] to the list and reports whether that was within the limit.
func (s *List) Add(first, last wire.SequenceNumber) bool {
	if first > last {
		return true
	}
	// i is the first entry that touches or follows the new one, j the first that follows without touching it.
	i, _ := slices.BinarySearchFunc(*s, first, func(e Span, sn wire.SequenceNumber) int {
		if e.Last+1 < sn {
			return -1
		}
		return 1
	})
	j := i
	for j < len(*s) && (*s)[j].First <= last+1 {
		first, last = min(first, (*s)[j].First), max(last, (*s)[j].Last)
		j++
	}
	if i == j && len(*s) >= most {
		return false
	}
	*s = slices.Replace(*s, i, j, Span{first, last})
	return true
}

// Find returns the Span that contains sn.
func (s List) Find(sn wire.SequenceNumber) (Span, bool) {
	i, ok := slices.BinarySearchFunc(s, sn, func(e Span, sn wire.SequenceNumber) int {
		switch {
		case e.Last < sn:
			return -1
		case e.First > sn:
			return 1
		}
		return 0
	})
	if !ok {
		return Span{}, false
	}
	return s[i], true
}

// DropBelow removes everything below sn.
func (s *List) DropBelow(sn wire.SequenceNumber) {
	n := 0
	for n < len(*s) && (*s)[n].Last < sn {
		n++
	}
	*s = slices.Delete(*s, 0, n)
	if len(*s) > 0 && (*s)[0].First < sn {
		(*s)[0].First = sn
	}
}
