// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync/atomic"
	"time"
)

// audience is the set of subscriptions that a [Publisher] passes messages to by pointer, laid out for the loop over
// them. It is immutable; changes replace it.
type audience[T any] struct {
	subs     []*Subscriber[T]
	plain    []func(*T)       // callbacks with only the message
	informed []func(*T, Info) // the others
	fewest   int              // smallest and largest limit of waiting messages
	most     int              // of the subscriptions

	epoch   int64        // running number of the publisher's audiences
	base    int64        // messages published to earlier audiences
	since   time.Time    // when it became current
	settled atomic.Bool  // since is longer ago than matchLag
	next    *audience[T] // guarded by the publisher's mu
}

func newAudience[T any](subs []*Subscriber[T]) *audience[T] {
	a := &audience[T]{subs: subs, since: time.Now()}
	for i, sub := range subs {
		if sub.plain != nil {
			a.plain = append(a.plain, sub.plain)
		} else {
			a.informed = append(a.informed, sub.callback)
		}
		if i == 0 || sub.box.limit < a.fewest {
			a.fewest = sub.box.limit
		}
		a.most = max(a.most, sub.box.limit)
	}
	return a
}

func (a *audience[T]) with(sub *Subscriber[T]) *audience[T] {
	return newAudience(append(slices.Clone(a.subs), sub))
}

func (a *audience[T]) without(sub *Subscriber[T]) *audience[T] {
	return newAudience(slices.DeleteFunc(slices.Clone(a.subs), func(x *Subscriber[T]) bool { return x == sub }))
}

// call passes a message to all. The plain ones come first: passing two arguments in registers costs a third of passing
// an [Info].
func (a *audience[T]) call(r *Received[T]) {
	for _, call := range a.plain {
		call(r.Message)
	}
	m, info := r.Message, r.Info
	for _, call := range a.informed {
		call(m, info)
	}
}

// callWaiting passes a message that has waited while newer ones were published, to those subscriptions that are not
// closed and whose limit includes it. It was counted for all.
func (a *audience[T]) callWaiting(r *Received[T], newer int) {
	if newer < a.fewest && !a.anyClosed() {
		a.call(r)
		return
	}
	for _, sub := range a.subs {
		if newer >= sub.box.limit || sub.box.closed.Load() {
			sub.received.Add(-1)
			continue
		}
		sub.call(r.Message, r.Info)
	}
}

func (a *audience[T]) anyClosed() bool {
	for _, sub := range a.subs {
		if sub.box.closed.Load() {
			return true
		}
	}
	return false
}

// drop uncounts a message that was not passed.
func (a *audience[T]) drop() {
	for _, sub := range a.subs {
		sub.received.Add(-1)
	}
}
