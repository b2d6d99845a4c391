// SPDX-License-Identifier: Apache-2.0

package ros2

import "slices"

// audience is the subscriptions that a [SharedPublisher] passes messages to by
// pointer, laid out for the loop over them. It is replaced, never changed.
type audience[T any] struct {
	subs   []*Subscription[T]
	calls  []func(*T, MessageInfo) // their callbacks
	fewest int                     // the least and the greatest number of messages
	most   int                     // that may wait for one of them
}

func newAudience[T any](subs []*Subscription[T]) *audience[T] {
	a := &audience[T]{subs: subs, calls: make([]func(*T, MessageInfo), 0, len(subs))}
	for i, sub := range subs {
		a.calls = append(a.calls, sub.callback)
		if i == 0 || sub.box.limit < a.fewest {
			a.fewest = sub.box.limit
		}
		a.most = max(a.most, sub.box.limit)
	}
	return a
}

func (a *audience[T]) with(sub *Subscription[T]) *audience[T] {
	return newAudience(append(slices.Clone(a.subs), sub))
}

func (a *audience[T]) without(sub *Subscription[T]) *audience[T] {
	return newAudience(slices.DeleteFunc(slices.Clone(a.subs), func(x *Subscription[T]) bool { return x == sub }))
}

// call passes a message to all.
func (a *audience[T]) call(r Received[T]) {
	for _, call := range a.calls {
		call(r.Message, r.Info)
	}
}

// callWaiting passes a message that has waited, while newer ones came: to whom has
// not closed meanwhile and keeps as many. It was counted for all.
func (a *audience[T]) callWaiting(r Received[T], newer int) {
	for i, sub := range a.subs {
		if newer >= sub.box.limit || sub.box.closed.Load() {
			sub.received.Add(-1)
			continue
		}
		a.calls[i](r.Message, r.Info)
	}
}

// drop counts a message as not passed after all.
func (a *audience[T]) drop() {
	for _, sub := range a.subs {
		sub.received.Add(-1)
	}
}
