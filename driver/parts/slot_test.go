// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// fakePart takes as long, fails and is in the state that a test says.
type fakePart struct {
	takes func() // lets the time pass
	err   error
	is    device.State
	news  bool
	halts int
}

func (p *fakePart) Measure(time.Time) (bool, error) {
	if p.takes != nil {
		p.takes()
	}
	return p.news && p.err == nil, p.err
}
func (p *fakePart) State() device.State { return p.is }
func (p *fakePart) String() string      { return "fake part" }
func (p *fakePart) Halt() error {
	p.halts++
	return p.err
}

// handClock is a clock that a test moves.
type handClock struct{ now time.Time }

func (c *handClock) Now() time.Time               { return c.now }
func (c *handClock) pass(d time.Duration)         { c.now = c.now.Add(d) }
func (c *handClock) takes(d time.Duration) func() { return func() { c.pass(d) } }

// epoch is the beginning.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var errBroken = errors.New("broken")

func TestSlotPlansItsNextPoll(t *testing.T) {
	const far = time.Hour
	for _, c := range []struct {
		name  string
		part  fakePart
		takes time.Duration
		polls int
		wait  time.Duration // from the end of the last poll to the next
	}{
		{"running", fakePart{is: device.Running, news: true}, time.Millisecond, 1, 49 * time.Millisecond},
		{"running, the second time", fakePart{is: device.Running, news: true}, time.Millisecond, 2, 49 * time.Millisecond},
		{"slow: rests three times as long", fakePart{is: device.Running}, 20 * time.Millisecond, 1, 60 * time.Millisecond},
		{"starting: soon", fakePart{is: device.Starting}, time.Millisecond, 1, startingPause},
		{"absent: later", fakePart{is: device.Absent}, time.Millisecond, 1, absentPause},
		{"one failure: as ever", fakePart{is: device.Running, err: errBroken}, time.Millisecond, 1, 49 * time.Millisecond},
		{"two failures", fakePart{is: device.Running, err: errBroken}, time.Millisecond, 2, 200 * time.Millisecond},
		{"three failures", fakePart{is: device.Running, err: errBroken}, time.Millisecond, 3, 400 * time.Millisecond},
		{"many failures", fakePart{is: device.Running, err: errBroken}, time.Millisecond, 100, longestPause},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := &handClock{now: epoch}
			part := c.part
			part.takes = clock.takes(c.takes)
			s := NewSlot("fake", &part, nil, 20, nil, clock.now)
			for range c.polls {
				clock.now = s.due(clock.now, clock.now.Add(far))
				s.poll(clock.Now)
			}
			if wait := s.due(clock.now, clock.now.Add(far)).Sub(clock.now); wait != c.wait {
				t.Errorf("next poll in %v, want %v", wait, c.wait)
			}
		})
	}
}

// One slow poll, as on a machine that was busy for a second, has no consequence for the part.
func TestOneSlowPollHasNoConsequence(t *testing.T) {
	clock := &handClock{now: epoch}
	part := &fakePart{is: device.Running, takes: clock.takes(time.Second)}
	s := NewSlot("fake", part, &Guard{now: clock.Now}, 20, nil, clock.now)
	s.poll(clock.Now)
	if s.guard.strict || s.rest.Sub(clock.now) > 4*longestPoll {
		t.Errorf("strict %v, next poll in %v", s.guard.strict, s.rest.Sub(clock.now))
	}
	part.takes = clock.takes(2 * time.Millisecond)
	for n := 0; s.expect > 5*time.Millisecond; n++ {
		if n > 5 {
			t.Fatalf("after %d quick polls the next is expected to take %v", n, s.expect)
		}
		clock.now = s.due(clock.now, clock.now.Add(time.Hour))
		s.poll(clock.Now)
	}
	part.takes = clock.takes(9 * time.Millisecond)
	for range slowPolls {
		s.poll(clock.Now)
	}
	if s.poll(clock.Now); !s.guard.strict {
		t.Error("a part that is always slow is not known to be")
	}
}

// A poll that would overlap the next control cycle is postponed until after it, for a limited time.
func TestSlotWaitsForTheCycle(t *testing.T) {
	clock := &handClock{now: epoch}
	part := &fakePart{is: device.Running, takes: clock.takes(10 * time.Millisecond)}
	s := NewSlot("fake", part, nil, 20, nil, clock.now)
	s.poll(clock.Now)
	clock.now = s.ticks.Next
	limit := clock.now.Add(9 * time.Millisecond)
	if at := s.due(clock.now, limit); !at.Equal(limit) {
		t.Errorf("a poll of 10 ms is due %v before a cycle", limit.Sub(at))
	}
	limit = clock.now.Add(10 * time.Millisecond)
	if at := s.due(clock.now, limit); !at.Equal(clock.now) {
		t.Error("a poll that just fits is not due")
	}
	clock.now = s.polled.Add(starved)
	limit = clock.now.Add(time.Millisecond)
	if at := s.due(clock.now, limit); !at.Equal(clock.now) {
		t.Error("a part that never fits is never polled")
	}
}

func TestSlotSurvivesAClockSetBack(t *testing.T) {
	clock := &handClock{now: epoch}
	s := NewSlot("fake", &fakePart{is: device.Running}, nil, 1, nil, clock.now)
	s.poll(clock.Now)
	clock.pass(-24 * time.Hour)
	if wait := s.due(clock.now, clock.now.Add(time.Hour)).Sub(clock.now); wait > time.Second {
		t.Errorf("next poll in %v", wait)
	}
}

func TestSlotCounts(t *testing.T) {
	clock := &handClock{now: epoch}
	part := &fakePart{is: device.Running, news: true, takes: clock.takes(3 * time.Millisecond)}
	s := NewSlot("fake", part, nil, 20, nil, clock.now)
	s.poll(clock.Now)
	part.err = errBroken
	s.poll(clock.Now)
	part.err, part.news = nil, false
	s.poll(clock.Now)
	c := s.status
	if c.Polls != 3 || c.Readings != 1 || c.Failures != 1 || !errors.Is(c.LastErr, errBroken) || c.Took != 3*time.Millisecond {
		t.Errorf("%+v", c)
	}
}

// Whatever parts take and however they fail, no part takes more than its share of the bus.
func TestNoPartTakesMoreThanItsShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := &handClock{now: epoch}
		part := &fakePart{is: device.Running}
		s := NewSlot("fake", part, nil, rapid.Float64Range(1, 100).Draw(t, "rate"), nil, clock.now)
		var busy time.Duration
		for range rapid.IntRange(10, 60).Draw(t, "polls") {
			takes := time.Duration(rapid.Int64Range(0, 30e6).Draw(t, "takes"))
			part.takes, part.err = clock.takes(takes), nil
			if rapid.Bool().Draw(t, "fails") {
				part.err = errBroken
			}
			clock.now = s.due(clock.now, clock.now.Add(time.Hour))
			s.poll(clock.Now)
			busy += takes
			if all := clock.now.Sub(epoch) + 3*takes; busy > all/busShare+time.Microsecond {
				t.Fatalf("%v of %v", busy, all)
			}
		}
	})
}

// Parts take turns although one of them is always due.
func TestSchedulerStarvesNoPart(t *testing.T) {
	clock := &handClock{now: epoch}
	sc := NewScheduler(clock.Now, nil)
	parts := []*fakePart{}
	for _, takes := range []time.Duration{20 * time.Millisecond, 20 * time.Millisecond, time.Millisecond} {
		p := &fakePart{is: device.Running, takes: clock.takes(takes)}
		parts = append(parts, p)
		sc.Add(NewSlot("fake", p, nil, 100, nil, clock.now))
	}
	for clock.now.Sub(epoch) < 10*time.Second {
		limit := clock.now.Add(44 * time.Millisecond)
		if s := sc.first(clock.now, limit, time.Second); s != nil {
			s.poll(clock.Now)
		} else {
			clock.now = sc.Due(clock.now, limit, time.Second)
		}
	}
	for i, s := range sc.slots {
		if s.status.Polls < 100 {
			t.Errorf("part %d was polled %d times in 10 s", i, s.status.Polls)
		}
	}
	if err := sc.Halt(); err != nil || parts[0].halts+parts[1].halts+parts[2].halts != 3 {
		t.Errorf("halt: %v", err)
	}
}
