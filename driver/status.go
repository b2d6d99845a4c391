// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// Status is a snapshot of what the driver does, for a status line or diagnostics.
type Status struct {
	// X and Y are the position in metres and Theta the heading in radians in the odometry frame.
	X, Y, Theta float64
	// V is the measured forward speed in m/s, Omega the turn rate in rad/s.
	V, Omega float64
	// Distance is the length of the path driven, in metres.
	Distance float64
	// Nearest is the least distance any infrared sensor sees, in metres: 0 when one is saturated, +Inf if none sees
	// anything.
	Nearest float64
	// NoFloor tells that the ground sensors measured nothing at all last, no floor and no light.
	NoFloor bool
	// Readings tells whether there was any reading; what comes before in this struct is zero until then.
	Readings bool
	// Lost tells that the robot does not answer.
	Lost bool
	// WheelsListen tells that the wheels are known to take a new speed at once. They do not for up to 0.66 s after the
	// robot's first command, see [mcu.Dev.WheelsListen].
	WheelsListen bool
	// Diagnosis is what the last exchange says about the robot or, while it is lost, what was found out when it got
	// lost; with advice for the user.
	Diagnosis mcu.Diagnosis
	// Bus counts exchanges, retries and errors.
	Bus mcu.Stats
	// Exchange is what the last exchange took, Cycle the last control cycle with it, Longest the longest of these.
	Exchange, Cycle, Longest time.Duration
	// Period is the time from one control cycle to the next, Overruns counts those left out because one took too long.
	Period   time.Duration
	Overruns uint64
	// Unpublished counts messages that the transport did not take.
	Unpublished uint64
	// Topics holds every topic that is published now, in the order of the table of topics; those of optional parts
	// follow.
	Topics []TopicStatus
	// Parts holds the optional parts that are looked for: those on the robot's bus, then those of the board.
	Parts []PartStatus
}

// PartStatus is a snapshot of what one optional part does.
type PartStatus = parts.Status

// TopicStatus is the state of one published topic.
type TopicStatus struct {
	// Name is the topic's name as in the table of topics.
	Name string
	// Subscribers is the number of matched subscriptions.
	Subscribers int
	// Messages is the number of messages built and handed to the transport.
	Messages uint64
}

// Subscribed gives the number of topics with a subscriber.
func (s Status) Subscribed() int {
	n := 0
	for _, t := range s.Topics {
		if t.Subscribers > 0 {
			n++
		}
	}
	return n
}

// statusBoard is where the goroutine that publishes leaves the latest state for others. It is safe for concurrent use.
type statusBoard struct {
	mu     sync.Mutex
	latest Status // without what is asked for at each look
	// Of the wheels' exchanges, and what Nearest is made of at each question.
	busy, longest time.Duration
	proximity     [8]uint16
	curves        *[8]InfraredCurve // nil before the first reading
}

// post stores the state.
func (s *statusBoard) post(b *busState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &s.latest
	l.X, l.Y, l.Theta = b.reading.pose.X, b.reading.pose.Y, b.reading.pose.Theta
	l.V, l.Omega, l.Distance = b.reading.pose.V, b.reading.pose.Omega, b.reading.pose.Distance
	w := &b.wheels
	l.Readings, l.Lost = !b.taken.IsZero(), w.Lost
	l.Exchange, l.Cycle, l.Longest = w.Exchange, w.Cycle, w.Longest
	l.Period, l.Overruns = b.used.period, w.Overruns
	l.Diagnosis, l.WheelsListen = w.Diagnosis, w.WheelsListen
	s.busy, s.longest = w.Busy, w.LongestExchange
	s.proximity, s.curves = b.reading.sensors.Proximity, &b.used.correct.infrared
	l.NoFloor = b.reading.ground.dark
}

// nearest gives the least distance seen in metres.
func nearest(counts *[8]uint16, curves *[8]InfraredCurve) float64 {
	least := math.Inf(1)
	for i, c := range counts {
		least = min(least, max(curves[i].Range(c), 0))
	}
	return least
}

// exchanges gives how long the bus was busy with exchanges, and the longest of them.
func (s *statusBoard) exchanges() (busy, longest time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy, s.longest
}

// Status gives a snapshot. It does not disturb the control loop.
func (d *Driver) Status() (s Status) {
	d.statusInto(&s)
	return s
}

// statusInto is Status that uses the slices of s again.
func (d *Driver) statusInto(s *Status) {
	topics, statuses := s.Topics[:0], s.Parts[:0]
	d.status.mu.Lock()
	*s = d.status.latest
	if d.status.curves != nil {
		s.Nearest = nearest(&d.status.proximity, d.status.curves)
	}
	d.status.mu.Unlock()
	s.Bus = d.loop.Counters()
	s.Unpublished = d.refused.Load()
	s.Topics = d.offered.statuses(topics)
	s.Parts = d.board.parts.Statuses(d.bus.parts.Statuses(statuses))
}
