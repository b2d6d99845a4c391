// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/health"
)

// statusBoard holds the latest state published for other goroutines. It is safe for concurrent use.
type statusBoard struct {
	mu     sync.Mutex
	latest health.Status // without the fields that are computed on request
	// For the bus load of the exchanges, and for Nearest, which is computed on request.
	busy, longest time.Duration
	proximity     [8]uint16
	curves        *[8]epuck2.InfraredCurve // nil before the first reading
}

// post stores the state.
func (s *statusBoard) post(b *busState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &s.latest
	l.X, l.Y, l.Theta = b.reading.Pose.X, b.reading.Pose.Y, b.reading.Pose.Theta
	l.V, l.Omega, l.Distance = b.reading.Pose.V, b.reading.Pose.Omega, b.reading.Pose.Distance
	w := &b.wheels
	l.Readings, l.Lost = !b.taken.IsZero(), w.Lost
	l.Exchange, l.Cycle, l.Longest = w.Exchange, w.Cycle, w.Longest
	l.Period, l.Overruns = b.used.Period, w.Overruns
	l.Diagnosis, l.WheelsListen = w.Diagnosis, w.WheelsListen
	s.busy, s.longest = w.Busy, w.LongestExchange
	s.proximity, s.curves = b.reading.Sensors.Proximity, &b.used.Correct.Infrared
	l.NoFloor = b.reading.Ground.Dark
}

// nearest returns the least measured distance in metres.
func nearest(counts *[8]uint16, curves *[8]epuck2.InfraredCurve) float64 {
	least := math.Inf(1)
	for i, c := range counts {
		least = min(least, max(curves[i].Range(c), 0))
	}
	return least
}

// exchanges returns the time that exchanges occupied the bus, and the longest of them.
func (s *statusBoard) exchanges() (busy, longest time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy, s.longest
}

// Status returns a snapshot. It does not disturb the control loop.
func (d *Driver) Status() (s health.Status) {
	d.statusInto(&s)
	return s
}

// statusInto is like Status and reuses the slices of s.
func (d *Driver) statusInto(s *health.Status) {
	topics, statuses := s.Topics[:0], s.Parts[:0]
	d.status.mu.Lock()
	*s = d.status.latest
	if d.status.curves != nil {
		s.Nearest = nearest(&d.status.proximity, d.status.curves)
	}
	d.status.mu.Unlock()
	s.Bus = d.loop.Counters()
	s.Unpublished, s.NoTimeout, s.SameName = d.refused.Load(), d.settings.Load().Timeout == 0, d.names.Others()
	if t := d.thread.Load(); t != nil {
		s.Thread, s.ThreadErr = t.description, t.err
	}
	s.Topics = d.offered.statuses(topics)
	s.Parts = d.board.parts.Statuses(d.bus.parts.Statuses(statuses))
}
