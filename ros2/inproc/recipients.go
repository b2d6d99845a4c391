// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync/atomic"
	"time"
)

// recipients is the set of subscriptions to which a [Publisher] passes messages by pointer, laid out for fast
// iteration. It is immutable; changes replace it.
type recipients[T any] struct {
	subs     []*Subscriber[T]
	plain    []func(*T)       // callbacks with only the message
	informed []func(*T, Info) // the others
	fewest   int              // smallest and largest limit of waiting messages
	most     int              // of the subscriptions

	epoch   int64          // running number of the publisher's sets
	base    int64          // messages published to earlier sets
	since   time.Time      // when it became current
	settled atomic.Bool    // since is longer ago than matchLag
	next    *recipients[T] // guarded by the publisher's mu
}

func newRecipients[T any](subs []*Subscriber[T]) *recipients[T] {
	a := &recipients[T]{subs: subs, since: time.Now()}
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

func (a *recipients[T]) with(sub *Subscriber[T]) *recipients[T] {
	return newRecipients(append(slices.Clone(a.subs), sub))
}

func (a *recipients[T]) without(sub *Subscriber[T]) *recipients[T] {
	return newRecipients(slices.DeleteFunc(slices.Clone(a.subs), func(x *Subscriber[T]) bool { return x == sub }))
}

// call passes a message to all. The plain ones come first: passing two arguments in registers costs a third of passing
// an [Info].
func (a *recipients[T]) call(r *Received[T]) {
	for _, call := range a.plain {
		call(r.Message)
	}
	m, info := r.Message, r.Info
	for _, call := range a.informed {
		call(m, info)
	}
}

// callWaiting passes a message that has waited while newer ones were published to the subscriptions that are not closed
// and whose limit includes it. It was counted for all.
func (a *recipients[T]) callWaiting(r *Received[T], newer int) {
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

func (a *recipients[T]) anyClosed() bool {
	for _, sub := range a.subs {
		if sub.box.closed.Load() {
			return true
		}
	}
	return false
}

// drop corrects the count for a message that was not passed.
func (a *recipients[T]) drop() {
	for _, sub := range a.subs {
		sub.received.Add(-1)
	}
}
