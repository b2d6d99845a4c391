// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// interval is the sequence numbers from first to last, both included.
type interval struct{ first, last wire.SequenceNumber }

// maxIntervals bounds an intervals list: a peer that sends GAPs full of holes is answered with requests, not with
// memory.
const maxIntervals = 64

// intervals is a sorted list of disjoint, non-adjacent intervals. A range of any width costs one entry, so that a GAP
// over 2^60 numbers is as cheap as one over two (CVE-2025-64438 is the loop that this avoids).
type intervals []interval

// add unites the list with [first, last] and reports whether there was room.
func (s *intervals) add(first, last wire.SequenceNumber) bool {
	if first > last {
		return true
	}
	// i is the first entry that touches or follows the new one, j the first that follows and does not touch it.
	i, _ := slices.BinarySearchFunc(*s, first, func(e interval, sn wire.SequenceNumber) int {
		if e.last+1 < sn {
			return -1
		}
		return 1
	})
	j := i
	for j < len(*s) && (*s)[j].first <= last+1 {
		first, last = min(first, (*s)[j].first), max(last, (*s)[j].last)
		j++
	}
	if i == j && len(*s) >= maxIntervals {
		return false
	}
	*s = slices.Replace(*s, i, j, interval{first, last})
	return true
}

// find returns the interval that contains sn.
func (s intervals) find(sn wire.SequenceNumber) (interval, bool) {
	i, ok := slices.BinarySearchFunc(s, sn, func(e interval, sn wire.SequenceNumber) int {
		switch {
		case e.last < sn:
			return -1
		case e.first > sn:
			return 1
		}
		return 0
	})
	if !ok {
		return interval{}, false
	}
	return s[i], true
}

// dropBelow forgets everything below sn.
func (s *intervals) dropBelow(sn wire.SequenceNumber) {
	n := 0
	for n < len(*s) && (*s)[n].last < sn {
		n++
	}
	*s = slices.Delete(*s, 0, n)
	if len(*s) > 0 && (*s)[0].first < sn {
		(*s)[0].first = sn
	}
}
