// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestWriterAnswersRequestsDespiteRandomLosses: whatever kinds of submessages are lost or reordered, a reader of
// Cyclone DDS misses no sample written since the match, the writer answers a request within maxSilence, and when the
// losses end all samples arrive and the writer stops sending heartbeats. EPUCK_LOSS_SEEDS sets how many seeds are
// tried.
func TestWriterAnswersRequestsDespiteRandomLosses(t *testing.T) {
	seeds := 200
	if !suite.Long {
		seeds = 20
	}
	if n, err := strconv.Atoi(os.Getenv("EPUCK_LOSS_SEEDS")); err == nil {
		seeds = n
	}
	for seed := range uint64(seeds) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			withScripted(t, wire.VendorCyclone, func(s *scripted) { newLossyExchange(seed).exchange(s) })
		})
	}
}

// maxSilence is the longest time from a request to the next submessage of a writer with unacknowledged samples.
const maxSilence = 2 * time.Second

// minRate is the lowest rate of bulk data, bytes per second.
const minRate = 32_000

// randomLosses returns the losses of each kind of submessage, independent or all alike.
func randomLosses(random *rand.Rand) linkLoss {
	share := func() float64 { return [...]float64{0, 0, 0.1, 0.2, 0.5, 0.8}[random.IntN(6)] }
	if all := share(); random.IntN(4) == 0 {
		return linkLoss{all, all, all, all, all, all}
	}
	return linkLoss{data: share(), heartbeat: share(), heartbeatFrag: share(), gap: share(), ack: share(), nackFrag: share()}
}

// lossyExchange is what a writer writes to a cycloneReader, and the link between them.
type lossyExchange struct {
	link      lossyLink
	options   []option
	fragments []wire.FragmentNumber // of each sample
	seed      uint64
	random    *rand.Rand
}

// newLossyExchange returns the exchange of a seed.
func newLossyExchange(seed uint64) *lossyExchange {
	random := rand.New(rand.NewPCG(seed, 0))
	e := &lossyExchange{seed: seed, random: random, options: []option{reliable, depth(20)}}
	e.link = lossyLink{loss: randomLosses(random), jitter: time.Duration(random.IntN(60)) * time.Millisecond}
	if random.IntN(2) == 0 {
		e.link.late = time.Duration(random.IntN(1000)) * time.Millisecond
	}
	if random.IntN(3) == 0 {
		e.options[1] = keepAll
	}
	if random.IntN(3) == 0 {
		e.options = append(e.options, transientLocal)
	}
	for range 1 + random.IntN(12) {
		n := [...]int{0, 0, 2 + random.IntN(3), 10 + random.IntN(60), 300}[random.IntN(5)]
		e.fragments = append(e.fragments, wire.FragmentNumber(n))
	}
	return e
}

// exchange writes the samples, and ends the losses 20 s later.
func (e *lossyExchange) exchange(s *scripted) {
	w := writer(s.t, s.p, e.options...)
	r := newCycloneReader(s, w, e.seed, e.link, e.fragments)
	time.Sleep(time.Duration(e.random.IntN(600)) * time.Millisecond)
	for i, n := range e.fragments {
		r.locked(func() { r.written++ })
		write(s.t, w, number(i, max(int(n)*1344, 100)))
		time.Sleep(time.Duration(e.random.IntN(500)) * time.Millisecond * time.Duration(e.random.IntN(3)))
	}
	e.announceEachSecond(s, 20*time.Second, e.link.loss.ack)
	r.locked(func() { r.loss = linkLoss{} })
	e.awaitAcknowledged(s, r)
	e.checkArrived(s.t, r)
}

// announceEachSecond has the reader's participant announce itself every second for some time; some announcements are
// lost.
func (e *lossyExchange) announceEachSecond(s *scripted, until time.Duration, loss float64) {
	for end := time.Now().Add(until); time.Now().Before(end); time.Sleep(time.Second) {
		if e.random.Float64() >= loss {
			s.announce()
		}
	}
}

// awaitAcknowledged waits until everything is acknowledged: within 10 s, or longer if the losses have brought the rate
// to its minimum.
func (e *lossyExchange) awaitAcknowledged(s *scripted, r *cycloneReader) {
	limit := 10 * time.Second
	for _, n := range e.fragments {
		limit += time.Duration(n) * time.Second * 1472 / minRate
	}
	acked := wire.SequenceNumber(0)
	begin := time.Now()
	for acked < r.written && time.Since(begin) < limit {
		e.announceEachSecond(s, time.Second, 0)
		r.locked(func() { acked = r.acked })
	}
	if acked < r.written {
		s.t.Errorf("%d of %d samples acknowledged %v after the last loss", acked, r.written, limit)
	}
}

// checkArrived checks what was exchanged.
func (e *lossyExchange) checkArrived(t *testing.T, r *cycloneReader) {
	before := 0
	r.locked(func() { before = r.heartbeatsSent })
	time.Sleep(10 * time.Second)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.skipped) > 0 {
		t.Errorf("lost samples %v", r.skipped)
	}
	if len(r.delivered) != len(e.fragments) || !slices.IsSorted(r.delivered) {
		t.Errorf("delivered %v of %d", r.delivered, len(e.fragments))
	}
	if r.longest > maxSilence {
		t.Errorf("%v from a request to an answer", r.longest)
	}
	if n := r.heartbeatsSent - before; n > 1 {
		t.Errorf("%d heartbeats after everything was acknowledged", n)
	}
	if t.Failed() {
		t.Logf("fragments %v, link %+v", e.fragments, e.link)
	}
}
