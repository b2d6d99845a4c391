// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// largeFragments is the number of fragments of a sample of 1 MB.
const largeFragments = 744

// TestLossyLinkDoesNotSlowTheWriter: samples of 1 MB arrive at full rate over a link that loses a fifth of all
// submessages and delays each by up to 50 ms: the writer attributes neither the losses nor submessages in flight to a
// full queue.
func TestLossyLinkDoesNotSlowTheWriter(t *testing.T) {
	samples, seeds := 15, 3
	if suite.Long {
		seeds = 12
	}
	for seed := range uint64(seeds) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			withScripted(t, wire.VendorCyclone, func(s *scripted) { sendLargeSamples(s, seed, samples) })
		})
	}
}

// sendLargeSamples writes samples of 1 MB to a cycloneReader, the next when the one before arrived.
func sendLargeSamples(s *scripted, seed uint64, samples int) {
	w := writer(s.t, s.p, reliable, depth(20))
	fragments := make([]wire.FragmentNumber, samples)
	for i := range fragments {
		fragments[i] = largeFragments
	}
	link := lossyLink{loss: linkLoss{0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, jitter: 50 * time.Millisecond}
	r := newCycloneReader(s, w, seed, link, fragments)
	time.Sleep(time.Second)
	for i := range samples {
		begin := time.Now()
		r.locked(func() { r.written, r.begun, r.ended = wire.SequenceNumber(i+1), time.Time{}, time.Time{} })
		write(s.t, w, number(i, largeFragments*1344))
		eventually(s.t, 5*time.Second, "sample "+strconv.Itoa(i), func() (arrived bool) {
			r.locked(func() { arrived = len(r.delivered) > i })
			return arrived
		})
		r.locked(func() {
			d := r.ended.Sub(r.begun)
			s.t.Logf("sample %d: %v, sent within %v", i, time.Since(begin), d)
			if d > 200*time.Millisecond {
				s.t.Errorf("sample %d: %v from the first to the last fragment", i, d)
			}
		})
	}
	r.locked(func() {
		if r.requests > 15*samples {
			s.t.Errorf("%d NACK_FRAGs for %d samples", r.requests, samples)
		}
		if r.fragmentsSent > 2*samples*largeFragments {
			s.t.Errorf("%d fragments sent for %d", r.fragmentsSent, samples*largeFragments)
		}
	})
}
