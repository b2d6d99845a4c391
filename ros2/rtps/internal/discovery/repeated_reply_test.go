// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"testing"
	"time"
)

// TestReplyIsRepeatedUntilItIsNoticed: a participant may announce itself before it accepts announcements (Fast DDS
// does): the reply is sent again, at first after replyPeriod, then after twice the time, until a message of the
// participant shows that it knows ours, it is gone, or maxRepeats have been sent.
func TestReplyIsRepeatedUntilItIsNoticed(t *testing.T) {
	for _, c := range []struct {
		name string
		stop func(b *bench, r *Participant)
		want int // replies in the first second
	}{
		{"never noticed", func(*bench, *Participant) {}, 1 + maxRepeats},
		{"noticed", func(_ *bench, r *Participant) { r.BecomeAware() }, 1 + 2},
		{"answered", func(b *bench, r *Participant) { b.Answered(r) }, 1 + 2},
		{"gone", func(b *bench, r *Participant) { b.disposes(at(1), r.Prefix()) }, 1 + 2},
	} {
		b := newBench(t)
		b.pass(burstCount*burstPeriod + 100*time.Millisecond) // past the announcements to all
		r := b.announces(1, number(1))
		b.pass(3*replyPeriod + time.Millisecond)
		if len(b.sent) != 1+2 {
			t.Errorf("%s: %d replies after %v", c.name, len(b.sent), 3*replyPeriod)
		}
		c.stop(b, r)
		b.pass(time.Second)
		if len(b.sent) != c.want {
			t.Errorf("%s: %d replies, want %d", c.name, len(b.sent), c.want)
		}
	}
}

// TestAnswersAreNotRepeated: a participant whose announcement was addressed to ours knows it.
func TestAnswersAreNotRepeated(t *testing.T) {
	b := newBench(t)
	r := b.announces(1, number(1))
	if !r.BecomeAware() || r.BecomeAware() {
		t.Error("a new participant knows ours from the start, or is new twice")
	}
}
