// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// repairing reports whether something is yet to be sent again.
func (r *readerProxy) repairing() bool {
	return r.again.c != nil || len(r.frags) > 0 || r.wantsSamples()
}

func (r *readerProxy) wantsSamples() bool {
	return r.wantedAt < r.wanted.Base+wire.SequenceNumber(r.wanted.NumBits)
}

// stepRepair sends one piece that the reader asked for again.
func (r *readerProxy) stepRepair(now time.Time) bool {
	if r.again.c != nil {
		r.stepTransfer(&r.again, now)
		return true
	}
	for r.wantsSamples() {
		sn := r.wantedAt
		r.wantedAt++
		if r.wanted.Contains(sn) {
			r.resend(sn, now)
			return true
		}
	}
	for len(r.frags) > 0 {
		if r.stepFragments(&r.frags[0], now) {
			return true
		}
		r.frags = slices.Delete(r.frags, 0, 1)
	}
	return false
}

// resend sends one sample again, begins to if it is large, or says that it and the wanted ones after it are irrelevant.
func (r *readerProxy) resend(sn wire.SequenceNumber, now time.Time) {
	c := r.w.hist.Get(sn)
	switch {
	case sn >= r.next: // not yet sent at all
		return
	case sn < r.base || !r.w.relevant(c, r, now):
		last := sn
		for r.wanted.Contains(last+1) && last+1 < r.next && (last+1 < r.base || !r.w.relevant(r.w.hist.Get(last+1), r, now)) {
			last++
		}
		r.wantedAt = last + 1
		r.sendGap(sn, last)
	case !r.large(c):
		r.w.p.stats.SamplesResent++
		r.sendData(c, r.guid.Entity)
	case sn != r.againSN || now.Sub(r.againAt) > nackSuppression:
		r.again = transfer{c: c.Use(), next: 1}
	}
}

// nackSuppression is how long a large sample just sent again is not started once more: the request was under way
// already.
const nackSuppression = 50 * time.Millisecond

// stepFragments sends the next fragment of a request, if there is one.
func (r *readerProxy) stepFragments(q *fragmentRequest, now time.Time) bool {
	c := r.w.hist.Get(q.sn)
	if !r.w.relevant(c, r, now) || !r.large(c) {
		return false
	}
	end := min(q.set.Base+wire.FragmentNumber(q.set.NumBits), c.Fragments(r.variant)+1)
	if r.fresh.c == c { // still on its way for the first time
		end = min(end, r.fresh.next)
	}
	for ; q.next < end; q.next++ {
		if q.set.Contains(q.next) {
			r.sendFragment(c, q.next, fragmentOnly, now)
			q.next++
			r.w.p.stats.FragmentsResent++
			return true
		}
	}
	return false
}
