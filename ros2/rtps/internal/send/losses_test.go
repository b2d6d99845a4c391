// SPDX-License-Identifier: Apache-2.0

package send

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// fragments returns the set of fragments from first to last.
func fragments(first, last wire.FragmentNumber) wire.FragmentNumberSet {
	set := wire.FragmentNumberSet{Base: first}
	for f := first; f <= last; f++ {
		set.Add(f)
	}
	return set
}

// reporter is a reader of one large sample that reports every 100 ms.
type reporter struct {
	Losses
	rate Rate
	now  time.Time
}

func newReporter() *reporter {
	return &reporter{rate: NewRate(1_000_000, 32<<10), now: time.Unix(1000, 0)}
}

// report passes the sets of one datagram after sent fragments were sent. It returns the rate and the fragment from
// which on the first set must be resent.
func (r *reporter) report(sent wire.FragmentNumber, pending bool, sets ...wire.FragmentNumberSet) (rate float64, from wire.FragmentNumber) {
	r.now = r.now.Add(100 * time.Millisecond)
	if r.Begin(1, sent, r.now) && pending {
		r.Supersede()
	}
	for i, set := range sets {
		if next := r.Add(set); i == 0 {
			from = next
		}
		r.Judge(&r.rate, r.now) // too early
	}
	r.Judge(&r.rate, r.now.Add(time.Millisecond))
	return r.rate.BytesPerSecond(), from
}

// TestLossesCutTheRateOnce: the sets of one datagram are one report; neither fragments sent before the cut nor a report
// of fragments not yet resent affect the rate after it.
func TestLossesCutTheRateOnce(t *testing.T) {
	r := newReporter()
	if rate, from := r.report(200, false, fragments(101, 150), fragments(151, 200)); rate != 0.5*cutMargin*1e6 || from != 101 {
		t.Fatalf("rate %v after half was lost, from %d", rate, from)
	}
	before := r.rate.BytesPerSecond()
	if rate, _ := r.report(200, true, fragments(101, 200)); rate != before {
		t.Errorf("rate %v after the same report once more, not %v", rate, before)
	}
}

// TestLossesOfRepairsCutTheRate: half of the resent fragments are lost again.
func TestLossesOfRepairsCutTheRate(t *testing.T) {
	r := newReporter()
	r.report(200, false, fragments(101, 200))
	before := r.rate.BytesPerSecond()
	for f := wire.FragmentNumber(101); f <= 200; f++ {
		r.Resent(1, f)
	}
	if rate, _ := r.report(200, false, fragments(151, 200)); rate != 0.5*cutMargin*before {
		t.Errorf("rate %v, before %v", rate, before)
	}
}

// TestLossesSkipFragmentsInFlight: a report that arrives while fragments are being resent skips those just resent.
func TestLossesSkipFragmentsInFlight(t *testing.T) {
	r := newReporter()
	r.report(200, false, fragments(101, 200))
	for f := wire.FragmentNumber(101); f <= 140; f++ {
		r.Resent(1, f)
	}
	if _, from := r.report(200, true, fragments(101, 200)); from != 141 {
		t.Errorf("from fragment %d, not 141", from)
	}
	if _, from := r.report(200, false, fragments(120, 125)); from != 120 {
		t.Errorf("from fragment %d, not 120, when nothing is on its way", from)
	}
}

// TestLossesOfFewFragments: a share of a few fragments is ignored, unless the sample has no more.
func TestLossesOfFewFragments(t *testing.T) {
	r := newReporter()
	if rate, _ := r.report(200, false, fragments(3, 4)); rate != 1e6 {
		t.Errorf("rate %v after 4 fragments", rate)
	}
	if rate, _ := r.report(200, false, fragments(3, 4), fragments(50, 60)); rate >= 1e6 {
		t.Errorf("rate %v after 60 fragments", rate)
	}
}

// TestLossesOfWhatIsOnItsWay: fragments that were sent shortly before a report have an unknown outcome, whether they
// are missing or not; those that were sent again count.
func TestLossesOfWhatIsOnItsWay(t *testing.T) {
	r := newReporter()
	sent := r.now.Add(100 * time.Millisecond) // the first report comes at the same time
	for f := wire.FragmentNumber(1); f <= 200; f++ {
		age := lossDelay - time.Millisecond
		if f <= 100 {
			age = lossDelay + markTime
		}
		r.Sent(1, f, sent.Add(-age))
	}
	if rate, _ := r.report(200, false, fragments(101, 200)); rate != 1e6 {
		t.Fatalf("rate %v although the fragments that are missing may be on their way", rate)
	}
	for f := wire.FragmentNumber(101); f <= 200; f++ {
		r.Resent(1, f)
	}
	if rate, _ := r.report(200, false, fragments(111, 190)); math.Abs(rate-(1-80.0/190)*cutMargin*1e6) > 1 {
		t.Errorf("rate %v after 100 fragments arrived, and 80 of 90 sent again did not", rate)
	}
}

// TestLossesCountEachTransmissionOnce: what a report does not cover counts in a later one, and a fragment that is
// reported twice without having been sent again in between counts once.
func TestLossesCountEachTransmissionOnce(t *testing.T) {
	r := newReporter()
	for _, set := range []wire.FragmentNumberSet{fragments(101, 110), fragments(101, 110), fragments(181, 190)} {
		r.Begin(1, 200, r.now)
		r.Add(set)
		r.now = r.now.Add(100 * time.Millisecond)
	}
	if r.missing != 20 || r.of != 190 {
		t.Errorf("%d of %d missing, not 20 of 190", r.missing, r.of)
	}
}

// TestBits: a set of fragments is as a map of them.
func TestBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bits
		model := map[wire.FragmentNumber]bool{}
		for range rapid.IntRange(0, 50).Draw(t, "steps") {
			f := wire.FragmentNumber(rapid.IntRange(0, 300).Draw(t, "fragment"))
			switch rapid.IntRange(0, 2).Draw(t, "operation") {
			case 0:
				b.set(f)
				model[f] = true
			case 1:
				b.remove(f)
				delete(model, f)
			default:
				b.fill(f)
				for e := range f + 1 {
					model[e] = true
				}
			}
		}
		for f := range wire.FragmentNumber(400) {
			if b.has(f) != model[f] {
				t.Fatalf("fragment %d: %v", f, b.has(f))
			}
		}
	})
}
