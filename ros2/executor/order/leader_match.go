// SPDX-License-Identifier: Apache-2.0

package order

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// nameOf returns the name of a participant.
func (l *Leader) nameOf(i int) string {
	if i < 0 {
		return "the leader's process"
	}
	return "member " + l.members[i].name
}

// endpointsLocked returns those of a participant; -1 is the leader's process.
func (l *Leader) endpointsLocked(i int) []wire.Endpoint {
	if i < 0 {
		return l.c.inbox.list(false)
	}
	if p := l.members[i]; p.present() {
		return p.endpoints
	}
	return nil
}

// reaches reports whether messages from one endpoint arrive at another.
func reaches(from, to *wire.Endpoint) bool {
	if from.Name != to.Name || from.Type != to.Type {
		return false
	}
	switch from.Role {
	case wire.Publisher:
		return to.Role == wire.Subscription && (from.Reliable || !to.Reliable) && (from.Kept || !to.Kept)
	case wire.Client:
		return to.Role == wire.Service
	}
	return false
}

// peersLocked counts the endpoints of other processes that an endpoint should match.
func (l *Leader) peersLocked(of int, e *wire.Endpoint) (n int) {
	for i := -1; i < len(l.members); i++ {
		if i == of {
			continue
		}
		for _, o := range l.endpointsLocked(i) {
			if reaches(e, &o) || reaches(&o, e) {
				n++
			}
		}
	}
	return n
}

// postLocked schedules the messages that a participant has sent at the next microstep.
func (l *Leader) postLocked(from int, sends []wire.Send) {
	for _, s := range sends {
		if s.Kind == wire.Reply {
			if q, ok := l.requests[s.To]; ok {
				delete(l.requests, s.To)
				l.mailLocked(q.from, wire.Delivery{Endpoint: q.client, Sum: s.Sum})
			}
			continue
		}
		for i := -1; i < len(l.members); i++ {
			if i == from && (i < 0 || !l.members[i].own) {
				continue // delivered by its own bus
			}
			for _, e := range l.endpointsLocked(i) {
				if !l.reachedLocked(from, &s, &e) {
					continue
				}
				number := l.mailLocked(i, wire.Delivery{Endpoint: e.ID, Sum: s.Sum})
				if s.Kind == wire.Request && s.From > 0 {
					l.requests[number] = requestOf{from, s.From}
				}
			}
		}
	}
}

// reachedLocked reports whether a sent message arrives at an endpoint.
func (l *Leader) reachedLocked(from int, s *wire.Send, to *wire.Endpoint) bool {
	for _, e := range l.endpointsLocked(from) {
		if e.Name == s.Name && (e.Role == wire.Publisher) == (s.Kind == wire.OfTopic) && reaches(&e, to) {
			return true
		}
	}
	return false
}

// unmatchedLocked names a member that has not joined, or an endpoint that is not connected; "" if there is none.
func (l *Leader) unmatchedLocked() string {
	for _, p := range l.members {
		if p.session == "" {
			return fmt.Sprintf("member %s, which has not joined", p.name)
		}
	}
	for from := -1; from < len(l.members); from++ {
		for _, e := range l.endpointsLocked(from) {
			need := l.peersLocked(from, &e)
			if e.Role == wire.Client || e.Role == wire.Service {
				need = min(need, 1)
			}
			if e.Matched < need && e.Role != wire.Service {
				return fmt.Sprintf("%s %s of %s, connected with %d of %d", e.Role, e.Name, l.nameOf(from), e.Matched, need)
			}
		}
	}
	return ""
}
