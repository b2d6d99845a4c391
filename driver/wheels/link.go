// SPDX-License-Identifier: Apache-2.0

package wheels

import "time"

const (
	// lostAfter is the number of consecutive failed exchanges after which the robot counts as lost. Each has three
	// attempts already; single errors are normal on this bus (about 1 in 1000, GCtronic), five in a row are not.
	lostAfter = 5
	// firstRetry and lastRetry are the minimum and maximum pause between attempts to reach a lost robot; it doubles
	// with each. With a failing attempt and a control cycle, the longest pause is less than a second.
	firstRetry = 50 * time.Millisecond
	lastRetry  = 900 * time.Millisecond
)

// linkEvent is a change of the link's state by an exchange.
type linkEvent uint8

const (
	linkSame linkEvent = iota
	linkLost
	linkBack
)

// link tracks whether the robot answers. The zero value is a link that is up. It belongs to the bus goroutine.
type link struct {
	failures int // consecutive
	lost     bool
	since    time.Time // of the first failure in a row
	pause    time.Duration
	retry    time.Time // next attempt while lost
}

// succeeded records an exchange with a reading.
func (l *link) succeeded() linkEvent {
	was := l.lost
	l.failures, l.lost, l.pause = 0, false, 0
	if was {
		return linkBack
	}
	return linkSame
}

// failed records an exchange without a reading.
func (l *link) failed(now time.Time) linkEvent {
	if l.failures == 0 {
		l.since = now
	}
	l.failures++
	if !l.lost && l.failures < lostAfter {
		return linkSame
	}
	l.pause = min(max(2*l.pause, firstRetry), lastRetry)
	l.retry = now.Add(l.pause)
	if l.lost {
		return linkSame
	}
	l.lost = true
	return linkLost
}

// due returns the time of the next attempt to reach a lost robot. A clock that was set back does not delay it.
func (l *link) due(now time.Time) time.Time {
	if l.retry.Sub(now) > lastRetry {
		return now
	}
	return l.retry
}
