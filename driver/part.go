// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/schedule"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// part is a part of the robot that may be missing: a chip on a bus, or the battery behind the kernel's files. It
// belongs to the goroutine that owns its bus.
type part interface {
	// poll goes on with whatever the part is at, without waiting for it, and puts a new measurement into the reading.
	// news tells that there is one. The error is for the records: calling again is always right.
	poll(now time.Time, r *reading) (news bool, err error)
	// State says how far the part has been brought up.
	State() device.State
	// String names the part with its bus and address.
	String() string
	// Halt switches the part off.
	Halt() error
}

// partName names a part in the table of topics, in diagnostics and in log lines.
type partName string

// The parts, in the order in which those of one bus are polled.
const (
	partIMU      partName = "imu"
	partToF      partName = "tof"
	partCamera   partName = "camera_sensor"
	partGround   partName = "ground"
	partMag      partName = "mag"
	partIMUField partName = "imu_mag" // the IMU's magnetometer, which has the topic of the other
	partLEDs     partName = "leds"
	partBattery  partName = "battery"
	partButton   partName = "power_button"
	partPictures partName = "camera" // what the camera shows; it has no place in a schedule
)

// PartStatus is a snapshot of what one optional part does.
type PartStatus struct {
	// Name is the part's short name, such as "imu".
	Name string
	// Device names the chip with its bus and address.
	Device string
	// State says how far it has been brought up.
	State device.State
	// Readings counts its measurements, Polls how often it was asked, Failures how often that failed.
	Readings, Polls, Failures uint64
	// Found and Lost count how often it came and went.
	Found, Lost uint64
	// Busy is the time it held its bus in all, Took that of the last poll, Longest of the longest.
	Busy, Took, Longest time.Duration
	// LastErr is the last failure, nil if there was none.
	LastErr error
}

// topics gives the part as whose topics the part publishes.
func (n partName) topics() partName {
	if n == partIMUField {
		return partMag
	}
	return n
}

// longestPoll is the longest that a poll takes because of the part: what takes longer is due to a busy machine, and is
// not expected to be so the next time.
const longestPoll = pollTransactions * hang

const (
	// absentPause lies between two looks at a part that is not there, startingPause between two steps of bringing one
	// up. The parts themselves ask an address where nobody answers once a second at most.
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
	// quietPeriod lies between two polls of a part that nobody listens to: often enough to notice that it has gone, and
	// seldom enough to leave bus and processor alone. The first listener is heard within a control cycle.
	quietPeriod = time.Second
	// starved is how long a part may be put off because its poll does not fit in before the next control cycle.
	starved = time.Second
)

// slot is the place of a part in the schedule of its bus.
type slot struct {
	name     partName
	part     part
	guard    *guard   // between the part and the bus; nil for a part without
	reading  *reading // where its measurements go
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
	link     partLink
	status   PartStatus
}

// newSlot gives a part a place, due at once.
func newSlot(name partName, p part, g *guard, rate float64, now time.Time) *slot {
	period := time.Duration(float64(time.Second) / rate)
	return &slot{
		name: name, part: p, guard: g, period: period, ticks: schedule.New(now, period), polled: now,
		status: PartStatus{Name: string(name), Device: p.String()},
	}
}

// due gives the time of the next poll: one that is expected to end before limit, or else after it. A part that never
// fits is not put off for ever.
func (s *slot) due(now, limit time.Time) time.Time {
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
func (s *slot) joins(now time.Time, cycle time.Duration) bool {
	at := later(s.rest, s.ticks.Next.Add(-cycle/2), s.wish())
	return !at.After(now) || at.Sub(now) > longestPause+s.period // the clock was set back
}

// alone reports whether the part can't wait for the next control cycle.
func (s *slot) alone(cycle time.Duration) bool {
	return s.period < cycle || s.part.State() == device.Starting
}

// since is when the slot becomes due, or became.
func (s *slot) since() time.Time { return later(s.rest, s.planned()) }

// planned is when it becomes due as far as the part itself is concerned.
func (s *slot) planned() time.Time { return later(s.ticks.Next, s.wish()) }

// wish is the time before which a part that runs well has nothing to do, zero if it always has.
func (s *slot) wish() (next time.Time) {
	if s.plan != nil && s.part.State() == device.Running && s.inRow == 0 {
		next = s.plan()
	}
	return next
}

// poll polls the part and plans the next time.
func (s *slot) poll(clock func() time.Time) (news bool) {
	began := clock()
	if s.guard != nil {
		s.guard.begin(s.slow >= slowPolls)
	}
	news, err := s.part.poll(began, s.reading)
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
func (s *slot) count(took time.Duration, news bool, err error) {
	c := &s.status
	c.Polls++
	c.Took, c.Longest = took, max(c.Longest, took)
	s.expect = min(max(took, s.expect/2), pollBudget+hang) // what a slow part gets
	if s.slow++; took <= pollBudget {
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

func later(t time.Time, others ...time.Time) time.Time {
	for _, o := range others {
		if o.After(t) {
			t = o
		}
	}
	return t
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
