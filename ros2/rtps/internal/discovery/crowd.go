// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"time"
)

// Participants that have not answered anything yet are strangers: anyone can announce them, so they are few, in all and
// from one address. A real one answers the first heartbeat within a tenth of a second.
const (
	maxStrangers          = 512
	maxStrangersPerSource = 128
	// strangerPatience is how long a stranger keeps its place when others want it.
	strangerPatience = time.Second
	// displacePeriod is the least time between two participants that give way: it bounds what a flood of announcements
	// costs.
	displacePeriod = 20 * time.Millisecond
)

// place says among whom one must give way before another participant is taken in.
type place uint8

const (
	anyPlace      place = iota // there is room
	placeOfSource              // strangers announced from the same address
	placeOfAny                 // strangers
	placeOfAll                 // all participants

	numPlaces
)

// crowd counts strangers.
type crowd struct {
	strangers int
	sources   map[netip.Addr]int   // strangers of each address
	full      [numPlaces]time.Time // before that none can give way
}

// enter counts a participant that was found.
func (c *crowd) enter(source netip.Addr) {
	c.strangers++
	c.sources[source]++
}

// leave ends it, when it has answered or is gone.
func (c *crowd) leave(source netip.Addr) {
	c.strangers--
	if c.sources[source]--; c.sources[source] <= 0 {
		delete(c.sources, source)
	}
}

// Answered notes that the participant has sent something that only a peer that hears us can send.
func (d *Directory) Answered(r *Participant) {
	if !r.answered {
		r.answered = true
		d.crowd.leave(r.met)
	}
}

// admit makes room for a participant announced from source, and reports whether there is.
func (d *Directory) admit(source netip.Addr, now time.Time) bool {
	var where place
	switch {
	case len(d.remotes) >= d.cfg.MaxParticipants:
		where = placeOfAll
	case d.crowd.sources[source] >= maxStrangersPerSource:
		where = placeOfSource
	case d.crowd.strangers >= maxStrangers:
		where = placeOfAny
	default:
		return true
	}
	if where == placeOfAll {
		d.drops.ParticipantLimit++
		d.host.Complain(now, "more participants than the limit: those that are silent for longest are forgotten first; raise RTPS_MAX_PARTICIPANTS",
			"limit", d.cfg.MaxParticipants, "from", source)
	} else {
		d.drops.Unanswered++
	}
	if now.Before(d.crowd.full[where]) {
		return false
	}
	r, next := d.silent(where, source, now)
	if d.crowd.full[where] = next; r == nil {
		return false
	}
	d.Remove(r, "gave way to another")
	return true
}

// silent returns the participant that is to give way: a stranger before others, then the one that is silent for
// longest. Strangers may be silent for strangerPatience, others for half their lease. It also returns when to look
// again.
func (d *Directory) silent(where place, source netip.Addr, now time.Time) (first *Participant, next time.Time) {
	for _, r := range d.remotes {
		if where != placeOfAll && r.answered || where == placeOfSource && r.met != source {
			continue
		}
		since := r.heard.Add(strangerPatience)
		if r.answered {
			since = r.heard.Add(r.lease / 2)
		}
		switch {
		case since.After(now):
			if next.IsZero() || since.Before(next) {
				next = since
			}
		case first == nil, first.answered && !r.answered, first.answered == r.answered && r.heard.Before(first.heard):
			first = r
		}
	}
	if first != nil {
		next = now.Add(displacePeriod)
	}
	return first, next
}
