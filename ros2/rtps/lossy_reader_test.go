// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// lossyReader answers as a reader of Cyclone DDS 0.10 does (ddsi_acknack.c, q_radmin.c), behind a link that loses
// submessages and delays each by itself: a NACK_FRAG names at most 256 fragments from the first missing one on, and
// what overlaps the one before waits for 100 ms (its NackDelay).
type lossyReader struct {
	s              *scripted
	reader, writer wire.EntityID
	loss           float64
	jitter         time.Duration
	random         *rand.Rand
	coming         []delayed // in either direction

	sn         wire.SequenceNumber // the sample that is missing
	size       wire.FragmentNumber // its number of fragments
	has        map[wire.FragmentNumber]bool
	advertised wire.FragmentNumber
	nackAt     time.Time // when it asks next; zero if it does not
	nackedAt   time.Time
	nackedTo   wire.FragmentNumber // the fragment after the last one it asked for
	nacks      int

	fragments int // sent to it
	begun     time.Time
	finished  time.Duration // from the first to the last fragment sent for the first time
}

// delayed is something on its way.
type delayed struct {
	due  time.Time
	take func()
}

// carry loses something or has it arrive later.
func (l *lossyReader) carry(take func()) {
	if l.random.Float64() >= l.loss {
		l.coming = append(l.coming, delayed{time.Now().Add(time.Duration(l.random.Int64N(int64(l.jitter) + 1))), take})
	}
}

// awaitComplete lets a sample of so many fragments arrive, and returns how long that took.
func (l *lossyReader) awaitComplete(sn wire.SequenceNumber, size wire.FragmentNumber, limit time.Duration) time.Duration {
	l.sn, l.size, l.advertised, l.has, l.nackedTo, l.nackAt = sn, size, 0, map[wire.FragmentNumber]bool{}, 0, time.Time{}
	start := time.Now()
	for len(l.has) < int(size) && time.Since(start) < limit {
		time.Sleep(time.Millisecond)
		l.step()
	}
	took := time.Since(start)
	l.s.send(func(b *wire.Builder) {
		b.AckNack(&wire.AckNack{Reader: l.reader, Writer: l.writer, State: wire.SequenceNumberSet{Base: sn + 1}, Count: l.s.count(), Final: true})
	})
	l.coming = nil
	return took
}

// step takes what was sent and what arrives, and asks when it is time to.
func (l *lossyReader) step() {
	for _, h := range l.s.heard(func(heard) bool { return true }) {
		switch {
		case h.frag != nil && h.frag.SN == l.sn:
			l.recordFragment(h.frag.First)
			l.carry(func() { l.has[h.frag.First] = true })
		case h.heartbeat != nil && h.heartbeat.Writer == l.writer && h.heartbeat.Last >= l.sn:
			l.carry(func() { l.advertise(l.size, 0) })
		case h.heartbeatFrag != nil && h.heartbeatFrag.SN == l.sn:
			l.carry(func() { l.advertise(h.heartbeatFrag.Last, nackDelay) })
		}
	}
	now := time.Now()
	waiting := l.coming
	l.coming = nil
	for _, d := range waiting {
		if d.due.After(now) {
			l.coming = append(l.coming, d)
		} else {
			d.take()
		}
	}
	if !l.nackAt.IsZero() && !now.Before(l.nackAt) {
		l.nack(now)
	}
}

// nackDelay is the NackDelay of Cyclone DDS.
const nackDelay = 100 * time.Millisecond

// recordFragment takes a fragment that was sent.
func (l *lossyReader) recordFragment(f wire.FragmentNumber) {
	l.fragments++
	if f == 1 && len(l.has) == 0 {
		l.begun = time.Now()
	}
	if f == l.size && l.nackedTo < l.size {
		l.finished = time.Since(l.begun)
	}
}

// advertise takes which fragments there are, and asks for those missing after a while.
func (l *lossyReader) advertise(last wire.FragmentNumber, after time.Duration) {
	l.advertised = max(l.advertised, last)
	now := time.Now()
	at := now.Add(after)
	if next := l.nackedAt.Add(nackDelay); next.After(at) && l.missing().Base < l.nackedTo {
		at = next
	}
	if l.nackAt.IsZero() || at.Before(l.nackAt) {
		l.nackAt = at
	}
}

// missing returns the fragments that it can ask for at a time.
func (l *lossyReader) missing() (set wire.FragmentNumberSet) {
	for f := wire.FragmentNumber(1); f <= l.advertised; f++ {
		switch {
		case l.has[f]:
			continue
		case set.Base == 0:
			set.Base = f
		case f >= set.Base+256:
			return set
		}
		set.Add(f)
	}
	return set
}

// nack asks.
func (l *lossyReader) nack(now time.Time) {
	l.nackAt = time.Time{}
	set := l.missing()
	if set.NumBits == 0 {
		return
	}
	l.nackedAt, l.nackedTo = now, set.Base+wire.FragmentNumber(set.NumBits)
	l.nacks++
	m := wire.NackFrag{Reader: l.reader, Writer: l.writer, SN: l.sn, State: set, Count: l.s.count()}
	l.carry(func() { l.s.send(func(b *wire.Builder) { b.NackFrag(&m) }) })
}

// newLossyReader makes a lossy reader of a writer of ours.
func newLossyReader(s *scripted, w *rtps.Writer, loss float64, jitter time.Duration) *lossyReader {
	r := s.endpoint(wire.KindReader, reliable)
	return &lossyReader{
		s: s, reader: r.Entity, writer: w.GUID().Entity, loss: loss, jitter: jitter,
		random: rand.New(rand.NewPCG(5, 6)),
	}
}

// TestLossyLinkDoesNotSlowTheWriter: samples of 1 MB over a link that loses a fifth of the fragments and has them
// overtake each other keep arriving as the reader asks for what is missing: the writer takes neither the loss nor what
// is still on its way for a full queue.
func TestLossyLinkDoesNotSlowTheWriter(t *testing.T) {
	const samples, fragments = 15, 744
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable, depth(20))
		l := newLossyReader(s, w, 0.2, 50*time.Millisecond)
		time.Sleep(time.Second)
		for i := range samples {
			write(t, w, number(i, fragments*1344))
			nacks := l.nacks
			took := l.awaitComplete(wire.SequenceNumber(1+i), fragments, 30*time.Second)
			t.Logf("sample %d: %v, %d NACK_FRAGs, sent within %v", i, took, l.nacks-nacks, l.finished)
			if took > 5*time.Second {
				t.Errorf("sample %d: %v", i, took)
			}
			if l.finished > 200*time.Millisecond {
				t.Errorf("sample %d: %v from the first to the last fragment", i, l.finished)
			}
		}
		if l.nacks > 15*samples {
			t.Errorf("%d NACK_FRAGs for %d samples", l.nacks, samples)
		}
		if l.fragments > 2*samples*fragments {
			t.Errorf("%d fragments sent for %d", l.fragments, samples*fragments)
		}
	})
}
