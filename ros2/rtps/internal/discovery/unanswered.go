// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"time"
)

// Bounds of participants that have not answered anything yet, in total and per source address: they may be forged. A
// real one answers the first heartbeat within a tenth of a second.
const (
	maxUnanswered          = 512
	maxUnansweredPerSource = 128
	// unansweredTimeout is how long an unanswered participant is kept when another needs its entry.
	unansweredTimeout = time.Second
	// replacePeriod is the minimum time between two replaced participants: it bounds the cost of a flood of
	// announcements.
	replacePeriod = 20 * time.Millisecond
)

// scope is the set of participants of which one must be removed before another is added.
type scope uint8

const (
	noScope         scope = iota // none: below all limits
	sourceScope                  // unanswered ones announced from the same address
	unansweredScope              // unanswered ones
	allScope                     // all

	numScopes
)

// unanswered counts participants that have not answered yet.
type unanswered struct {
	waiting int
	sources map[netip.Addr]int   // by source address
	full    [numScopes]time.Time // until then none can be removed
}

// enter counts a participant that was found.
func (c *unanswered) enter(source netip.Addr) {
	c.waiting++
	c.sources[source]++
}

// leave removes it from the count when it has answered or is gone.
func (c *unanswered) leave(source netip.Addr) {
	c.waiting--
	if c.sources[source]--; c.sources[source] <= 0 {
		delete(c.sources, source)
	}
}

// Answered records that the participant has sent something that only a peer that receives our messages can send.
func (d *Directory) Answered(r *Participant) {
	if !r.answered {
		r.answered = true
		d.unanswered.leave(r.firstSource)
	}
}

// admit reports whether a participant announced from source may be added, after removing another one if needed.
func (d *Directory) admit(source netip.Addr, now time.Time) bool {
	var where scope
	switch {
	case len(d.remotes) >= d.cfg.MaxParticipants:
		where = allScope
	case d.unanswered.sources[source] >= maxUnansweredPerSource:
		where = sourceScope
	case d.unanswered.waiting >= maxUnanswered:
		where = unansweredScope
	default:
		return true
	}
	if where == allScope {
		d.drops.ParticipantLimit++
		d.host.LogRejected(now, "more participants than the limit: those that have been silent longest are removed first; raise RTPS_MAX_PARTICIPANTS",
			"limit", d.cfg.MaxParticipants, "from", source)
	} else {
		d.drops.Unanswered++
	}
	if now.Before(d.unanswered.full[where]) {
		return false
	}
	r, next := d.replaceable(where, source, now)
	if d.unanswered.full[where] = next; r == nil {
		return false
	}
	d.Remove(r, "replaced by a new participant")
	return true
}

// replaceable returns the participant to remove: an unanswered one before others, then the one that has been silent
// longest. An unanswered one may be silent for unansweredTimeout, others for half their lease. It also returns when to
// try again.
func (d *Directory) replaceable(where scope, source netip.Addr, now time.Time) (first *Participant, next time.Time) {
	for _, r := range d.remotes {
		if where != allScope && r.answered || where == sourceScope && r.firstSource != source {
			continue
		}
		since := r.lastReceived.Add(unansweredTimeout)
		if r.answered {
			since = r.lastReceived.Add(r.lease / 2)
		}
		switch {
		case since.After(now):
			if next.IsZero() || since.Before(next) {
				next = since
			}
		case first == nil, first.answered && !r.answered, first.answered == r.answered && r.lastReceived.Before(first.lastReceived):
			first = r
		}
	}
	if first != nil {
		next = now.Add(replacePeriod)
	}
	return first, next
}
