// SPDX-License-Identifier: Apache-2.0

package send

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Losses evaluates one reader's reports about the large sample that it requested last, and adapts a Rate to them. A
// report may consist of several NACK_FRAGs in one datagram.
//
// Each transmission of a fragment counts once, in the first report that covers it. A first transmission does not count
// while it may still be in flight, overtaken by later ones; if it is then resent, the outcome of that counts.
type Losses struct {
	sn       wire.SequenceNumber
	at       time.Time           // time of the current report
	sent     wire.FragmentNumber // how many fragments had been sent then
	arriving wire.FragmentNumber // those after this one may have been in flight then, in their first transmission
	covered  wire.FragmentNumber // how far the current report has been read
	skip     wire.FragmentNumber // fragments up to this one were just resent, and may be in flight
	resent   wire.FragmentNumber // the last one sent again

	again   bits // fragments sent again
	known   bits // fragments whose last transmission has been counted, or was at an earlier rate
	missing int  // transmissions lost, not yet judged …
	of      int  // … of so many
	cuts    int  // of the rate at which the others were sent

	first flight
}

// Sent records that a fragment was sent for the first time.
func (l *Losses) Sent(sn wire.SequenceNumber, f wire.FragmentNumber, now time.Time) {
	l.first.record(sn, f, now)
}

// Begin handles the header of a NACK_FRAG received at now: its sample, of which sent fragments were sent. It reports
// whether that starts a new report, which supersedes the requests of the previous one.
func (l *Losses) Begin(sn wire.SequenceNumber, sent wire.FragmentNumber, now time.Time) bool {
	if l.sn != sn {
		clear(l.again)
		clear(l.known)
		l.sn, l.at, l.resent = sn, time.Time{}, 0
	}
	if l.at == now {
		return false
	}
	l.at, l.sent, l.covered, l.skip = now, sent, 0, 0
	l.arriving = l.first.settled(sn, sent, now)
	return true
}

// Supersede records that the report arrived before everything requested by the previous one was resent.
func (l *Losses) Supersede() { l.skip = l.resent }

// Add counts the fragments of a NACK_FRAG. It returns the first fragment that must be resent: those before were just
// sent.
func (l *Losses) Add(set wire.FragmentNumberSet) (from wire.FragmentNumber) {
	for f := l.covered + 1; f < set.Base && f <= l.sent; f++ {
		l.count(f, false)
	}
	end := min(set.Base+wire.FragmentNumber(set.NumBits), l.sent+1)
	for f := set.Base; f < end; f++ {
		l.count(f, set.Contains(f))
	}
	if end > set.Base {
		l.covered = max(l.covered, end-1)
	}
	return max(set.Base, l.skip+1)
}

// count counts a fragment of a report as missing or received.
func (l *Losses) count(f wire.FragmentNumber, missing bool) {
	switch again := l.again.has(f); {
	case l.known.has(f), again && f <= l.skip:
		return
	case !again && f > l.arriving:
		if !missing {
			l.known.set(f)
		}
		return
	}
	l.known.set(f)
	l.of++
	if missing {
		l.missing++
	}
}

// Resent records that a fragment was resent.
func (l *Losses) Resent(sn wire.SequenceNumber, f wire.FragmentNumber) {
	if l.sn == sn {
		l.resent = f
		l.again.set(f)
		l.known.remove(f)
	}
}

// Judge adapts the rate to a complete report: one received at another time than now.
func (l *Losses) Judge(rate *Rate, now time.Time) {
	if l.of == 0 || l.at == now {
		return
	}
	if l.cuts == rate.Cuts() { // else another reader's report has changed it
		rate.Lost(l.missing, l.of)
	}
	l.missing, l.of = 0, 0
	if l.cuts != rate.Cuts() {
		l.cuts = rate.Cuts()
		l.known.fill(l.sent)
	}
}

// bits is a set of fragments.
type bits []uint64

func (b bits) has(f wire.FragmentNumber) bool {
	return int(f/64) < len(b) && b[f/64]>>(f%64)&1 != 0
}

func (b *bits) set(f wire.FragmentNumber) {
	b.extend(f)
	(*b)[f/64] |= 1 << (f % 64)
}

func (b bits) remove(f wire.FragmentNumber) {
	if int(f/64) < len(b) {
		b[f/64] &^= 1 << (f % 64)
	}
}

// fill adds all fragments up to f.
func (b *bits) fill(f wire.FragmentNumber) {
	b.extend(f)
	for i := range f / 64 {
		(*b)[i] = ^uint64(0)
	}
	(*b)[f/64] |= 1<<(f%64+1) - 1
}

// extend makes space for fragments up to f.
func (b *bits) extend(f wire.FragmentNumber) {
	if missing := int(f/64) + 1 - len(*b); missing > 0 {
		*b = append(*b, make([]uint64, missing)...)
	}
}
