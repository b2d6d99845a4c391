// SPDX-License-Identifier: Apache-2.0

package send

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// reordering is for how long a datagram may be on its way behind later ones. Retransmissions of Wi-Fi, and paths of
// different lengths, delay single datagrams by tens of milliseconds.
const reordering = 50 * time.Millisecond

// settling is how long after a fragment was sent a report that lacks it shows that it is lost. The report was on its
// way as well: one that arrives sooner may have been sent while the fragment was still on its way.
const settling = reordering * 3 / 2

// flight records how far the sample that is being sent for the first time, or was last, had been sent some time ago.
type flight struct {
	sn    wire.SequenceNumber
	marks [8]mark // ring; they span more than settling
	next  int     // the oldest, overwritten next
}

// mark is how far a sample had been sent at a time.
type mark struct {
	begun, at time.Time
	sent      wire.FragmentNumber
}

// markTime is how long a mark is moved along before the next one begins.
const markTime = settling / 6

// record takes that a fragment is sent now.
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

// settled returns up to which fragment of a sample, of which so many were sent, they were sent so long ago that those
// missing are lost.
func (f *flight) settled(sn wire.SequenceNumber, sent wire.FragmentNumber, now time.Time) wire.FragmentNumber {
	if f.sn != sn {
		return sent
	}
	upTo := wire.FragmentNumber(0)
	for _, m := range f.marks {
		if now.Sub(m.at) >= settling {
			upTo = max(upTo, m.sent)
		}
	}
	return min(upTo, sent)
}
