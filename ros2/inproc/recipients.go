// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync/atomic"
	"time"
)

// recipients is the set of subscriptions to which a [Publisher] passes messages by pointer, laid out for fast
// iteration. It is immutable but for its counts; changes replace it.
type recipients[T any] struct {
	subs       []*Subscriber[T]
	concurrent callbacks[T]     // may run at the same time
	serial     callbacks[T]     // called by the owner of the topic's dispatcher
	dispatched []*Subscriber[T] // those of serial
	informed   bool             // some callbacks need an [Info]
	fewest     int              // smallest and largest limit of waiting messages
	most       int              // of the dispatched subscriptions

	base    int64 // messages published to earlier sets
	usage   *usage
	since   time.Time   // when it became current
	settled atomic.Bool // since is longer ago than matchLag

	sequence *paddedCounter // running number of the messages, if the usage has several stripes
}

// paddedCounter is a counter with its own cache lines: each goroutine that publishes writes it.
type paddedCounter struct {
	_ [128]byte
	n atomic.Int64
	_ [128]byte
}

func newRecipients[T any](subs []*Subscriber[T]) *recipients[T] {
	a := &recipients[T]{subs: subs, since: time.Now()}
	for _, sub := range subs {
		a.informed = a.informed || sub.plain == nil
		if sub.cfg.Concurrent {
			a.concurrent.add(sub)
			continue
		}
		a.serial.add(sub)
		if len(a.dispatched) == 0 || sub.box.limit < a.fewest {
			a.fewest = sub.box.limit
		}
		a.most = max(a.most, sub.box.limit)
		a.dispatched = append(a.dispatched, sub)
	}
	if a.usage = newUsage(a.concurrent.any()); a.usage.stripes() > 1 {
		a.sequence = new(paddedCounter)
	}
	return a
}

func (a *recipients[T]) with(sub *Subscriber[T]) *recipients[T] {
	return newRecipients(append(slices.Clone(a.subs), sub))
}

func (a *recipients[T]) without(sub *Subscriber[T]) *recipients[T] {
	return newRecipients(slices.DeleteFunc(slices.Clone(a.subs), func(x *Subscriber[T]) bool { return x == sub }))
}

// number returns the running number of a message that is the counted one of its stripe. All messages of the recipients
// must be numbered, or none.
func (a *recipients[T]) number(counted int64) int64 {
	if a.sequence == nil {
		return a.base + counted
	}
	return a.base + a.sequence.n.Add(1)
}

// callWaiting passes a message that has waited while newer ones were published to the dispatched subscriptions that are
// not closed and whose limit includes it. It was counted for all.
func (a *recipients[T]) callWaiting(r *Received[T], newer int) {
	if newer < a.fewest && !a.anyClosed() {
		a.serial.call(r)
		return
	}
	for _, sub := range a.dispatched {
		if newer >= sub.box.limit || sub.box.closed.Load() {
			sub.received.Add(-1)
			continue
		}
		sub.call(r.Message, r.Info)
	}
}

func (a *recipients[T]) anyClosed() bool {
	for _, sub := range a.dispatched {
		if sub.box.closed.Load() {
			return true
		}
	}
	return false
}

// drop corrects the counts of the dispatched subscriptions for a message that was not passed.
func (a *recipients[T]) drop() {
	for _, sub := range a.dispatched {
		sub.received.Add(-1)
	}
}

// callbacks are those of several subscriptions.
type callbacks[T any] struct {
	plain    []func(*T)       // with only the message
	informed []func(*T, Info) // the others
}

func (c *callbacks[T]) add(sub *Subscriber[T]) {
	if sub.plain != nil {
		c.plain = append(c.plain, sub.plain)
	} else {
		c.informed = append(c.informed, sub.callback)
	}
}

func (c *callbacks[T]) any() bool { return len(c.plain)+len(c.informed) > 0 }

// call passes a message to all. The plain ones come first: passing two arguments in registers costs half of passing an
// [Info] on the stack. Several calls in each round save a fifth of the time: less is loaded from the stack between.
func (c *callbacks[T]) call(r *Received[T]) {
	m, plain := r.Message, c.plain
	for len(plain) >= 8 {
		p := (*[8]func(*T))(plain)
		p[0](m)
		p[1](m)
		p[2](m)
		p[3](m)
		p[4](m)
		p[5](m)
		p[6](m)
		p[7](m)
		plain = plain[8:]
	}
	for _, call := range plain {
		call(m)
	}
	if len(c.informed) > 0 {
		c.inform(r)
	}
}

// inform passes a message with its metadata to those that need it.
func (c *callbacks[T]) inform(r *Received[T]) {
	m, info, informed := r.Message, r.Info, c.informed
	for len(informed) >= 4 {
		p := (*[4]func(*T, Info))(informed)
		p[0](m, info)
		p[1](m, info)
		p[2](m, info)
		p[3](m, info)
		informed = informed[4:]
	}
	for _, call := range informed {
		call(m, info)
	}
}
