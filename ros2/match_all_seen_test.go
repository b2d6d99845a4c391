// SPDX-License-Identifier: Apache-2.0

package ros2

import "testing"

// TestMatchAllReaderBoundsSequenceNumbers: of a publisher whose own reader has not received anything yet, another reader
// passes on any number of messages, the memory of which is bounded, and the history that its own reader then receives
// repeats none of the latest maxSeen.
func TestMatchAllReaderBoundsSequenceNumbers(t *testing.T) {
	publisher := GID{1}
	for _, n := range []int64{1, maxSeen, 2*maxSeen + 1, 10 * maxSeen} {
		r := &MatchAllReader{arrivals: map[GID]*arrival{}}
		take := func(sequence int64, own bool) bool {
			return r.accept(MessageInfo{Publisher: publisher, Sequence: sequence}, true, own)
		}
		for i := int64(1); i <= n; i++ {
			if !take(i, false) {
				t.Fatalf("message %d of %d is not passed on", i, n)
			}
			if take(i, false) {
				t.Fatalf("message %d of %d is passed on twice", i, n)
			}
			if seen := len(r.arrivals[publisher].seen); seen > 2*maxSeen {
				t.Fatalf("%d sequence numbers are kept", seen)
			}
		}
		for i := max(1, n-maxSeen+1); i <= n; i++ {
			if take(i, true) {
				t.Fatalf("message %d of %d is passed on again by its own reader", i, n)
			}
		}
		for i := n + 1; i <= n+5; i++ {
			if !take(i, true) || take(i, false) {
				t.Errorf("message %d after %d: want it from its own reader alone", i, n)
			}
		}
		if a := r.arrivals[publisher]; a.seen != nil {
			t.Errorf("%d sequence numbers are kept after the history", len(a.seen))
		}
	}
}

// TestMatchAllReaderBoundsPublishers: of more publishers than maxArrivals, those that have left are forgotten first, and
// of further ones only their own readers' messages are passed on.
func TestMatchAllReaderBoundsPublishers(t *testing.T) {
	r := &MatchAllReader{arrivals: map[GID]*arrival{}}
	take := func(i int, own bool) bool {
		return r.accept(MessageInfo{Publisher: GID{1, byte(i), byte(i >> 8), byte(i >> 16)}, Sequence: 1}, true, own)
	}
	for i := range maxArrivals {
		if !take(i, true) {
			t.Fatalf("publisher %d is not read", i)
		}
	}
	if take(maxArrivals, false) || !take(maxArrivals, true) || len(r.arrivals) != maxArrivals {
		t.Errorf("%d publishers are kept", len(r.arrivals))
	}
	for _, a := range r.arrivals {
		a.known = true
	}
	r.setOffers(nil) // they leave
	if !take(maxArrivals, false) || len(r.arrivals) != 1 {
		t.Errorf("%d publishers are kept after the others have left", len(r.arrivals))
	}
}

// TestMatchAllReaderReadsARestartedPublisher: a publisher that returns with its GID and numbers its messages from 1 again
// is read, although its own reader has received nothing before it left.
func TestMatchAllReaderReadsARestartedPublisher(t *testing.T) {
	publisher := GID{1}
	offers := map[GID]offer{publisher: {Reliable, Volatile}}
	r := &MatchAllReader{arrivals: map[GID]*arrival{}}
	first := MessageInfo{Publisher: publisher, Sequence: 1}
	if !r.accept(first, true, false) || r.accept(first, true, false) {
		t.Error("the first message is not read once")
	}
	r.setOffers(offers)
	r.setOffers(nil)
	r.setOffers(offers)
	if !r.accept(first, true, true) {
		t.Error("the first message after its return is not read")
	}
}
