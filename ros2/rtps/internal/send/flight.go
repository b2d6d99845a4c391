// SPDX-License-Identifier: Apache-2.0

package send

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// reordering is the longest delay of a datagram that is overtaken by later ones. Retransmissions of Wi-Fi, and paths of
// different lengths, delay single datagrams by tens of milliseconds.
const reordering = 50 * time.Millisecond

// lossDelay is how long after a fragment was sent a report that it is missing shows that it is lost. A report that
// arrives sooner may have been sent while the fragment was still in flight.
const lossDelay = reordering * 3 / 2

// flight records the progress of the first transmission of the latest sample over time.
type flight struct {
	sn    wire.SequenceNumber
	marks [8]mark // ring; they span more than lossDelay
	next  int     // the oldest, overwritten next
}

// mark is the progress at a time: the number of fragments sent.
type mark struct {
	begun, at time.Time
	sent      wire.FragmentNumber
}

// markTime is how long a mark is updated before the next one begins.
const markTime = lossDelay / 6

// record records that fragment number sent is sent now.
func (f *flight) record(sn wire.SequenceNumber, sent wire.FragmentNumber, now time.Time) {
	if f.sn != sn {
		*f = flight{sn: sn}
	}
	last := &f.marks[(f.next+len(f.marks)-1)%len(f.marks)]
	if last.begun.IsZero() || now.Sub(last.begun) >= markTime {
		last = &f.marks[f.next]
		last.begun = now
		f.next = (f.next + 1) % len(f.marks)
	}
	last.at, last.sent = now, sent
}

// settled returns the number of fragments of a sample that were sent so long ago that a missing one is lost. sent is
// the number of all fragments sent.
func (f *flight) settled(sn wire.SequenceNumber, sent wire.FragmentNumber, now time.Time) wire.FragmentNumber {
	if f.sn != sn {
		return sent
	}
	upTo := wire.FragmentNumber(0)
	for _, m := range f.marks {
		if now.Sub(m.at) >= lossDelay {
			upTo = max(upTo, m.sent)
		}
	}
	return min(upTo, sent)
}
