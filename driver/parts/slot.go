// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/schedule"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// longestPoll is the longest that a poll takes because of the part: what takes longer is due to a busy machine, and is
// not expected to be so the next time.
const longestPoll = PollTransactions * hang

const (
	// absentPause lies between two looks at a part that is not there, startingPause between two steps of bringing one
	// up. The parts themselves ask an address without an answer once a second at most.
	absentPause   = 200 * time.Millisecond
	startingPause = 5 * time.Millisecond
	// longestPause bounds the pause after failures in a row, which doubles with each.
	longestPause = time.Second
	// busShare is the part of the bus's time that one part may take, as its inverse: whatever a poll took, the part
	// rests for (busShare − 1) times as long. Three parts at their most leave a quarter to the main processor, which
	// needs an eighth at 20 Hz.
	busShare = 4
	// notYet is the longest pause after a poll of a part that had no new measurement.
	notYet = 20 * time.Millisecond
	// slowPolls is how many polls in a row must be slow for a part to count as slow.
	slowPolls = 2
	// quietPeriod lies between two polls of a part without subscribers: often enough to notice that it has gone, and
	// seldom enough to leave bus and processor alone. The first listener is heard within a control cycle.
	quietPeriod = time.Second
	// starved is how long a part may be put off because its poll does not fit in before the next control cycle.
	starved = time.Second
)

// Slot is the place of a part in the schedule of its bus.
type Slot struct {
	name     Name
	part     Part
	guard    *Guard // between the part and the bus; nil for a part without
	period   time.Duration
	plan     func() time.Time  // not before, while it runs well; nil: by the period alone
	measures bool              // each poll at its time is to give a measurement
	ticks    schedule.Schedule // while it runs
	rest     time.Time         // not before
	polled   time.Time         // when it was polled last
	expect   time.Duration
	inRow    int  // failures
	slow     int  // slow polls in a row
	news     bool // it has measured something that is not published yet
	link     link
	status   Status
}

// NewSlot gives a part a place, due at once. guard is its bus, nil for a part without; topics may be nil.
func NewSlot(name Name, p Part, guard *Guard, rate float64, topics Topics, now time.Time) *Slot {
	period := time.Duration(float64(time.Second) / rate)
	return &Slot{
		name: name, part: p, guard: guard, period: period, ticks: schedule.New(now, period), polled: now,
		link: link{topics: topics}, status: Status{Name: string(name), Device: p.String()},
	}
}

// Name is the part's name.
func (s *Slot) Name() Name { return s.name }

// Plan has the part polled not before the time that plan gives, while it runs well.
func (s *Slot) Plan(plan func() time.Time) { s.plan = plan }

// PlanWhenWanted plans a part by its period while it is wanted, and a look a second at it otherwise.
func (s *Slot) PlanWhenWanted(wanted func() bool) {
	s.plan = func() time.Time {
		if wanted() {
			return time.Time{}
		}
		return s.polled.Add(quietPeriod)
	}
}

// Measures says that each poll at its time is to give a measurement.
func (s *Slot) Measures() { s.measures = true }

// News reports, once, that the part has measured something.
func (s *Slot) News() (news bool) {
	news, s.news = s.news, false
	return news
}

// due gives the time of the next poll: one that is expected to end before limit, or else after it. A part that never
// fits is not put off for ever.
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

// joins reports whether the part is polled with the control cycle at now: the one that is nearest to its time.
func (s *Slot) joins(now time.Time, cycle time.Duration) bool {
	wish := s.wish()
	if quiet := wish.Sub(now); quiet > 0 && quiet <= longestPause {
		return false // as most are while their topics have no subscriber
	}
	at := later(s.rest, s.ticks.Next.Add(-cycle/2), wish)
	return !at.After(now) || at.Sub(now) > longestPause+s.period // the clock was set back
}

// alone reports whether the part can't wait for the next control cycle.
func (s *Slot) alone(cycle time.Duration) bool {
	return s.period < cycle || s.part.State() == device.Starting
}

// since is when the slot becomes due, or became.
func (s *Slot) since() time.Time { return later(s.rest, s.planned()) }

// planned is when it becomes due as far as the part itself is concerned.
func (s *Slot) planned() time.Time { return later(s.ticks.Next, s.wish()) }

// wish is the time before which a part that runs well has nothing to do, zero if it always has.
func (s *Slot) wish() (next time.Time) {
	if s.plan != nil && s.part.State() == device.Running && s.inRow == 0 {
		next = s.plan()
	}
	return next
}

// poll polls the part and plans the next time.
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
	case s.measures && !news && err == nil: // not yet: soon again, and not a period later
		s.rest = later(s.rest, now.Add(min(s.period/4, notYet)))
	default:
		s.ticks.Advance(later(now, s.ticks.Next)) // which may be early
	}
	return news
}

// count keeps the records of a poll.
func (s *Slot) count(took time.Duration, news bool, err error) {
	c := &s.status
	c.Polls++
	c.Took, c.Longest = took, max(c.Longest, took)
	s.expect = min(max(took, s.expect/2), PollBudget+hang) // what a slow part gets
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
