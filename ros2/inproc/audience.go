// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync/atomic"
	"time"
)

// audience is the subscriptions that a [Publisher] passes messages to by
// pointer, laid out for the loop over them. It is replaced, never changed.
type audience[T any] struct {
	subs     []*Subscriber[T]
	plain    []func(*T)       // callbacks that want the message alone
	informed []func(*T, Info) // the others
	fewest   int              // the least and the greatest number of messages
	most     int              // that may wait for one of them

	epoch   int64        // running number of the publisher's audiences
	base    int64        // messages published to those before
	since   time.Time    // when it became the publisher's
	settled atomic.Bool  // that is longer ago than matchLag
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

// call passes a message to all. The plain ones come first: two arguments in
// registers cost a third of what a [Info] does.
func (a *audience[T]) call(r *Received[T]) {
	for _, call := range a.plain {
		call(r.Message)
	}
	m, info := r.Message, r.Info
	for _, call := range a.informed {
		call(m, info)
	}
}

// callWaiting passes a message that has waited, while newer ones came: to whom has
// not closed meanwhile and keeps as many. It was counted for all.
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

// drop counts a message as not passed after all.
func (a *audience[T]) drop() {
	for _, sub := range a.subs {
		sub.received.Add(-1)
	}
}
