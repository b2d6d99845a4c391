// SPDX-License-Identifier: Apache-2.0

package ros2

import "maps"

// offer is what decides which reader receives a publisher's messages.
type offer struct {
	reliability Reliability
	durability  Durability
}

func offerOf(q QoS) offer { return offer{q.Reliability, q.Durability} }

func (o offer) of(q QoS) QoS { return q.WithReliability(o.reliability).WithDurability(o.durability) }

// setOffers stores what the publishers offer, and which of them have left.
func (r *MatchAllReader) setOffers(offers map[GID]offer) {
	r.samples.Lock()
	defer r.samples.Unlock()
	r.offers = offers
	for gid, a := range r.arrivals {
		o, present := offers[gid]
		switch {
		case !present:
			a.gone = a.known
		case a.gone && !a.own: // it begins again, and may number its messages so
			*a = arrival{offer: o, known: true}
		default:
			a.offer, a.known, a.gone = o, true, false
		}
	}
	if len(r.arrivals) >= maxArrivals {
		maps.DeleteFunc(r.arrivals, func(_ GID, a *arrival) bool { return a.gone })
	}
}

// receives reports whether the messages of a publisher are taken from the reader o: what another reader misses of them is
// not lost. A publisher that is not known is that of every reader.
func (r *MatchAllReader) receives(o offer, publisher GID) bool {
	r.samples.Lock()
	defer r.samples.Unlock()
	offered, known := r.offerLocked(publisher)
	return !known || offered == o
}

// take reports whether a message is to be taken from the reader o, and what its publisher offers.
func (r *MatchAllReader) take(o offer, info MessageInfo) (offer, bool) {
	r.samples.Lock()
	defer r.samples.Unlock()
	offered, known := r.offerLocked(info.Publisher)
	if !known {
		offered = o
	}
	ok := r.accept(info, known, offered == o)
	if a := r.arrivals[info.Publisher]; a != nil && known {
		a.offer, a.known = offered, true
	}
	return offered, ok
}

// offerLocked returns what a publisher offers, which the graph may know before Update does.
func (r *MatchAllReader) offerLocked(publisher GID) (o offer, known bool) {
	if o, known = r.offers[publisher]; known || publisher.IsZero() {
		return o, known
	}
	switch a := r.arrivals[publisher]; {
	case a != nil && a.gone:
		return a.offer, true
	case a != nil && len(a.seen) >= maxLookups:
		return o, false
	}
	for _, e := range EndpointsOn(r.t, r.cfg.Topic) {
		if e.GID == publisher && e.Kind == PublisherEndpoint {
			r.offers[publisher] = offerOf(e.QoS)
			return r.offers[publisher], true
		}
	}
	return o, false
}

// accept reports whether a message is new and to be taken from this reader: own, that of its publisher's combination,
// or another one before that has received its first message.
func (r *MatchAllReader) accept(info MessageInfo, known, own bool) bool {
	if info.Publisher.IsZero() || info.Sequence == 0 {
		return own // of a transport without them
	}
	a := r.arrivals[info.Publisher]
	if a == nil {
		if len(r.arrivals) >= maxArrivals {
			return own
		}
		a = &arrival{}
		r.arrivals[info.Publisher] = a
	}
	own = own && known
	switch _, again := a.seen[info.Sequence]; {
	case own:
		a.own = true
		if info.Sequence >= a.last {
			a.seen = nil
		}
		return !again
	case a.own || again:
		return false
	}
	if a.seen == nil {
		a.seen = map[int64]struct{}{}
	}
	a.seen[info.Sequence] = struct{}{}
	a.last = max(a.last, info.Sequence)
	if len(a.seen) > 2*maxSeen {
		maps.DeleteFunc(a.seen, func(n int64, _ struct{}) bool { return n <= a.last-maxSeen })
	}
	return true
}

// setMatched reports the number of matched publishers: at least that of the reader with most.
func (r *MatchAllReader) setMatched(o offer, n int) {
	if r.cfg.OnMatch == nil {
		return
	}
	r.matches.Lock()
	defer r.matches.Unlock()
	r.matched[o] = n
	most := 0
	for _, n := range r.matched {
		most = max(most, n)
	}
	r.cfg.OnMatch(most)
}
