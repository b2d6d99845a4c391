// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// GoneAfter is how long a part must have been absent or failing before its topics are removed, and goneFailures the
// number of consecutive failures. A part that was reset returns much sooner; its subscribers only notice a gap. A part
// that answers too slowly keeps its topics: often the machine is busy.
const (
	GoneAfter    = 2 * time.Second
	goneFailures = 3
)

// link holds the topics of a part, which exist while the part is present.
type link struct {
	topics Topics
	open   bool
	ran    time.Time // last time it ran
	retry  time.Time // next attempt to create the topics after a failure
}

// Topics returns the part's topics, nil if it has none.
func (s *Slot) Topics() Topics { return s.link.topics }

// Offered reports whether the topics exist.
func (s *Slot) Offered() bool { return s.link.open }

// Wanted reports whether there is a subscription of a topic of the part.
func (s *Slot) Wanted() bool { return s.link.open && s.link.topics != nil && s.link.topics.Wanted() }

// updateTopics creates the part's topics when it appears, removes them when it disappears, and notifies the watcher.
func (s *Slot) updateTopics(now time.Time, w Watcher) {
	l := &s.link
	running := s.part.State() == device.Running
	if running && s.inRow == 0 {
		l.ran = now
	}
	gone := !running || s.inRow >= goneFailures && !errors.Is(s.status.LastErr, device.ErrPostponed)
	switch {
	case running && s.inRow == 0 && !l.open && !now.Before(l.retry):
		s.offer(now, w)
	case gone && l.open && now.Sub(l.ran) >= GoneAfter:
		err := s.Withdraw()
		s.status.Lost++
		w.Lost(s.status, err)
	}
}

// offer creates the topics of a part that was found, unless another part has them.
func (s *Slot) offer(now time.Time, w Watcher) {
	l := &s.link
	opened := true
	if l.topics != nil {
		var err error
		if opened, err = l.topics.Open(); err != nil {
			l.retry = now.Add(longestPause)
			w.NotOffered(s.status, now, err)
			return
		}
	}
	if !opened {
		return
	}
	l.open = true
	s.status.Device = s.part.String()
	s.status.Found++
	w.Found(s.status)
}

// Withdraw removes the topics.
func (s *Slot) Withdraw() error {
	if !s.link.open {
		return nil
	}
	s.link.open = false
	if s.link.topics == nil {
		return nil
	}
	return s.link.topics.Close()
}
