// SPDX-License-Identifier: Apache-2.0

package send

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Losses is what one reader has reported of the large sample that it asked for last, and adapts a Rate to it. A report
// may take several NACK_FRAGs, which are in one datagram.
type Losses struct {
	sn   wire.SequenceNumber
	at   time.Time           // of the present report
	sent wire.FragmentNumber // how many fragments had been sent then
	upTo wire.FragmentNumber // the state of those up to this one is known, or they were sent at an earlier rate
	cuts int                 // of the rate at which the others were sent

	last    wire.FragmentNumber // the last one missing in the report
	missing int                 // fragments missing in it that were sent once
	again   int                 // fragments missing in it that had been sent again before
	skip    wire.FragmentNumber // fragments up to this one were just sent again, and may be on their way
	highest wire.FragmentNumber // ever asked for
	asked   wire.FragmentNumber // the same before this report

	repaired int                 // fragments sent again since the last report without others on their way
	resent   wire.FragmentNumber // the last one that was
}

// minReport is of how many fragments the state must be known before the share that was lost means something.
const minReport = 32

// Begin takes of which sample, of which so many fragments were sent, a NACK_FRAG received at now is. It reports whether
// that begins a report, which supersedes the requests of the one before.
func (l *Losses) Begin(sn wire.SequenceNumber, sent wire.FragmentNumber, now time.Time) bool {
	if l.sn != sn {
		*l = Losses{sn: sn, cuts: l.cuts}
	}
	if l.at == now {
		return false
	}
	l.at, l.sent, l.last, l.missing, l.again, l.skip, l.asked = now, sent, 0, 0, 0, 0, l.highest
	return true
}

// Supersede says that the report came before all that the one before asked for was sent again.
func (l *Losses) Supersede() { l.skip = l.resent }

// Add counts the fragments of a NACK_FRAG. It returns from which fragment on they are to be sent again: those before
// were just sent.
func (l *Losses) Add(set wire.FragmentNumberSet) (from wire.FragmentNumber) {
	for f := set.Base; f < set.Base+wire.FragmentNumber(set.NumBits) && f <= l.sent; f++ {
		if !set.Contains(f) {
			continue
		}
		switch {
		case f > l.upTo:
			l.missing++
			l.last = f
		case f > l.skip && f <= l.asked:
			l.again++
		}
		l.highest = max(l.highest, f)
	}
	return max(set.Base, l.skip+1)
}

// Resent says that a fragment was sent again.
func (l *Losses) Resent(sn wire.SequenceNumber, f wire.FragmentNumber) {
	if l.sn == sn {
		l.resent = f
		l.repaired++
	}
}

// Judge adapts the rate to a report that is complete: one of another time than now. Each fragment counts when it is
// first reported, and those that were sent again in the next report that has no others on their way.
func (l *Losses) Judge(rate *Rate, now time.Time) {
	if l.missing+l.again == 0 || l.at == now {
		return
	}
	known := int(l.last) - int(l.upTo)
	switch {
	case l.cuts != rate.Cuts(): // after another reader's report
		l.upTo, l.repaired = l.sent, 0
	case l.missing > 0 && (known >= minReport || l.last == l.sent):
		rate.Lost(float64(l.missing) / float64(known))
		l.upTo, l.repaired = l.last, 0
	case l.missing == 0 && l.skip == 0 && l.repaired >= minReport && l.again <= l.repaired:
		rate.Lost(float64(l.again) / float64(l.repaired))
		l.repaired = 0
	case l.skip == 0:
		l.repaired = 0
	}
	l.missing, l.again = 0, 0
	if l.cuts != rate.Cuts() {
		l.upTo, l.cuts = max(l.sent, l.upTo), rate.Cuts()
	}
}
