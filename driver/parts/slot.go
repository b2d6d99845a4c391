// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/schedule"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// longestPoll is the maximum duration of a poll that a part itself can cause; beyond it the machine was busy, which is
// not expected to repeat.
const longestPoll = PollTransactions * hang

const (
	// absentPause is the pause between two polls of an absent part, startingPause between two steps of the start of a
	// part. The parts themselves address a missing chip at most once a second.
	absentPause   = 200 * time.Millisecond
	startingPause = 5 * time.Millisecond
	// longestPause is the maximum pause after consecutive failures; the pause doubles with each.
	longestPause = time.Second
	// busShare is the inverse of the share of the bus time that one part may take: after a poll the part rests for
	// (busShare − 1) times the poll's duration. Three parts at their maximum leave a quarter to the main processor,
	// which needs an eighth at 20 Hz.
	busShare = 4
	// notYet is the maximum pause after a poll without a new measurement.
	notYet = 20 * time.Millisecond
	// slowPolls is the number of consecutive slow polls after which a part counts as slow.
	slowPolls = 2
	// quietPeriod is the time between two polls of a part without subscribers: short enough to detect its loss, long
	// enough not to load the bus and the processor. A new subscriber gets data within a control cycle.
	quietPeriod = time.Second
	// starved is how long a part may be postponed because its poll does not fit before the next control cycle.
	starved = time.Second
)

// Slot is a part's entry in the schedule of its bus.
type Slot struct {
	name     Name
	part     Part
	guard    *Guard // the part's bus; nil for a part without one
	period   time.Duration
	plan     func() time.Time  // earliest next poll while it runs well; nil: by the period alone
	measures bool              // each poll should yield a measurement
	ticks    schedule.Schedule // while it runs
	rest     time.Time         // earliest next poll
	polled   time.Time         // time of the last poll
	expect   time.Duration
	inRow    int  // consecutive failures
	slow     int  // consecutive slow polls
	news     bool // it has an unpublished measurement
	link     link
	status   Status
}

// NewSlot returns the entry of a part, due at once. guard is its bus, nil for a part without one; topics may be nil.
func NewSlot(name Name, p Part, guard *Guard, rate float64, topics Topics, now time.Time) *Slot {
	period := time.Duration(float64(time.Second) / rate)
	return &Slot{
		name: name, part: p, guard: guard, period: period, ticks: schedule.New(now, period), polled: now,
		link: link{topics: topics}, status: Status{Name: string(name), Device: p.String(), State: p.State()},
	}
}

// Name returns the part's name.
func (s *Slot) Name() Name { return s.name }

// Plan sets a function that returns the earliest time of the next poll while the part runs without failures.
func (s *Slot) Plan(plan func() time.Time) { s.plan = plan }

// PlanWhenWanted polls a part by its period while wanted returns true, and once a second otherwise.
func (s *Slot) PlanWhenWanted(wanted func() bool) {
	s.plan = func() time.Time {
		if wanted() {
			return time.Time{}
		}
		return s.polled.Add(quietPeriod)
	}
}

// Measures declares that each poll should yield a measurement.
func (s *Slot) Measures() { s.measures = true }

// News reports, once, that the part has a new measurement.
func (s *Slot) News() (news bool) {
	news, s.news = s.news, false
	return news
}

// due returns the time of the next poll: one that is expected to end before limit, or else after it. A part that
// never fits is postponed by starved at most.
func (s *Slot) due(now, limit time.Time) time.Time {
	at := later(now, s.since())
	if at.Sub(now) > longestPause+s.period { // the clock was set back
		at = now
	}
	if !at.Add(s.expect).After(limit) {
		return at
	}
	return earlier(limit, later(at, s.polled.Add(starved)))
}

// joins returns the time from which on the part is polled with a control cycle, the one nearest to its time: at most now
// if it is polled with that at now.
func (s *Slot) joins(now time.Time, cycle time.Duration) time.Time {
	notBefore := s.notBefore()
	at := later(s.rest, s.ticks.Next.Add(-cycle/2), notBefore)
	switch quiet := notBefore.Sub(now); {
	case at.Sub(now) <= longestPause+s.period:
		return at
	case quiet > 0 && quiet <= longestPause:
		return notBefore
	}
	return now // the clock was set back
}

// alone reports whether the part can't wait for the next control cycle.
func (s *Slot) alone(cycle time.Duration) bool {
	return s.period < cycle || s.status.State == device.Starting
}

// since returns the time at which the slot becomes or became due.
func (s *Slot) since() time.Time { return later(s.rest, s.planned()) }

// planned returns the time at which the part itself becomes due.
func (s *Slot) planned() time.Time { return later(s.ticks.Next, s.notBefore()) }

// notBefore returns the earliest time of the next poll of a part that runs without failures; zero if at any time.
func (s *Slot) notBefore() (next time.Time) {
	if s.plan != nil && s.status.State == device.Running && s.inRow == 0 {
		next = s.plan()
	}
	return next
}

// poll polls the part and plans its next poll.
func (s *Slot) poll(clock func() time.Time) (news bool) {
	began := clock()
	if s.guard != nil {
		s.guard.begin(s.slow >= slowPolls)
	}
	news, err := s.part.Measure(began)
	now := clock()
	s.count(now.Sub(began), news, err)
	s.polled = now
	s.rest = now.Add((busShare - 1) * min(s.status.Took, longestPoll))
	switch state := s.part.State(); {
	case err != nil && s.inRow > 1:
		s.rest = later(s.rest, now.Add(min(s.period<<min(s.inRow, 16), longestPause)))
	case state == device.Starting:
		s.rest = later(s.rest, now.Add(startingPause))
	case state != device.Running:
		s.rest = later(s.rest, now.Add(absentPause))
	}
	switch {
	case s.part.State() != device.Running:
		s.ticks = schedule.New(now, s.period)
	case s.measures && !news && err == nil: // not yet: poll again soon, not a period later
		s.rest = later(s.rest, now.Add(min(s.period/4, notYet)))
	default:
		s.ticks.Advance(later(now, s.ticks.Next)) // the poll may be early
	}
	return news
}

// count updates the counters after a poll.
func (s *Slot) count(took time.Duration, news bool, err error) {
	c := &s.status
	c.Polls++
	c.Took, c.Longest = took, max(c.Longest, took)
	s.expect = min(max(took, s.expect/2), PollBudget+hang) // the limit for a slow part
	if s.slow++; took <= PollBudget {
		s.slow = 0
	}
	if s.guard != nil {
		c.Busy += s.guard.spent
	}
	if news {
		c.Readings++
	}
	if err == nil {
		s.inRow = 0
	} else {
		s.inRow++
		c.Failures++
		c.LastErr = err
	}
	c.State = s.part.State()
}
