// SPDX-License-Identifier: Apache-2.0

package order

import (
	"cmp"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// inbox holds messages from other processes until they are delivered.
type inbox struct {
	mu        sync.Mutex
	arrived   sync.Cond // broadcast at each arrival, and at Close
	last      int       // number of the latest endpoint
	endpoints []wire.Endpoint
	held      []heldMessage
	ended     bool
	changed   bool   // the endpoints changed since list was called
	notify    func() // called after arrivals and changes; must not block; may be nil
}

// heldMessage is a received message.
type heldMessage struct {
	endpoint int
	sum      wire.Sum
	payload  []byte
	open     func(payload []byte, number int64)
}

func endpointOf(role wire.Role, cfg *ros2.EndpointConfig) wire.Endpoint {
	e := wire.Endpoint{
		Role: role, Name: cfg.Topic, Type: cfg.Type,
		Reliable: cfg.QoS.Reliability == ros2.Reliable, Kept: cfg.QoS.Durability == ros2.TransientLocal,
	}
	if role == wire.Subscription {
		e.Node = cfg.Node.FullName()
	}
	return e
}

// add numbers an endpoint, from 1.
func (b *inbox) add(e wire.Endpoint) int {
	b.mu.Lock()
	b.last++
	e.ID = b.last
	b.endpoints = append(b.endpoints, e)
	b.mu.Unlock()
	b.change()
	return e.ID
}

// match sets the number of an endpoint's matches; id 0 is ignored.
func (b *inbox) match(id, matched int) {
	b.mu.Lock()
	if i := slices.IndexFunc(b.endpoints, func(e wire.Endpoint) bool { return e.ID == id }); i >= 0 {
		b.endpoints[i].Matched = matched
	}
	b.mu.Unlock()
	b.change()
}

// remove deletes an endpoint and its messages.
func (b *inbox) remove(id int) {
	b.mu.Lock()
	b.endpoints = slices.DeleteFunc(b.endpoints, func(e wire.Endpoint) bool { return e.ID == id })
	b.held = slices.DeleteFunc(b.held, func(l heldMessage) bool { return l.endpoint == id })
	b.mu.Unlock()
	b.change()
}

func (b *inbox) change() {
	b.mu.Lock()
	b.changed = true
	news := b.notify
	b.arrived.Broadcast()
	b.mu.Unlock()
	if news != nil {
		news()
	}
}

// hold stores a message until await requests it.
func (b *inbox) hold(l heldMessage) {
	b.mu.Lock()
	b.held = append(b.held, l)
	news := b.notify
	b.arrived.Broadcast()
	b.mu.Unlock()
	if news != nil {
		news()
	}
}

// await waits for a message and returns it. It returns false if the endpoint was removed; the error is [ErrClosed].
func (b *inbox) await(d wire.Delivery) (heldMessage, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		i := slices.IndexFunc(b.held, func(l heldMessage) bool { return l.endpoint == d.Endpoint && l.sum == d.Sum })
		if i >= 0 {
			l := b.held[i]
			b.held = slices.Delete(b.held, i, i+1)
			return l, true, nil
		}
		if b.ended {
			return heldMessage{}, false, ErrClosed
		}
		if !slices.ContainsFunc(b.endpoints, func(e wire.Endpoint) bool { return e.ID == d.Endpoint }) {
			return heldMessage{}, false, nil
		}
		b.arrived.Wait()
	}
}

// wake ends all waiting await calls.
func (b *inbox) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.arrived.Broadcast()
}

// waiting returns the held messages, sorted.
func (b *inbox) waiting() []wire.Arrival {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []wire.Arrival
	for _, l := range b.held {
		i := slices.IndexFunc(all, func(a wire.Arrival) bool { return a.Endpoint == l.endpoint && a.Sum == l.sum })
		if i < 0 {
			i = len(all)
			all = append(all, wire.Arrival{Endpoint: l.endpoint, Sum: l.sum})
		}
		all[i].Count++
	}
	slices.SortStableFunc(all, func(a, b wire.Arrival) int { return cmp.Compare(a.Endpoint, b.Endpoint) })
	return all
}

// list returns all endpoints; with onlyNews it returns nil if they have not changed since the last call.
func (b *inbox) list(onlyNews bool) []wire.Endpoint {
	b.mu.Lock()
	defer b.mu.Unlock()
	if onlyNews && !b.changed {
		return nil
	}
	b.changed = b.changed && !onlyNews
	return slices.Clone(b.endpoints)
}

// nameOf returns the name of an endpoint, as in "subscription /scan".
func (b *inbox) nameOf(id int) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.endpoints {
		if e.ID == id {
			return string(e.Role) + " " + e.Name
		}
	}
	return "a closed endpoint"
}
