// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync"
)

// Exchange links the publishers and the subscribers of one transport, so that messages pass between them by pointer.
// The zero value is ready; it is safe for concurrent use.
type Exchange struct {
	mu     sync.Mutex
	topics map[string]*exchangeTopic

	// Buffers are the encoding buffers of the transport's publishers.
	Buffers Buffers
}

// exchangeTopic holds the publishers and subscriptions of one topic: publishers are sharers, subscriptions are
// *Subscriber[T] of any T.
type exchangeTopic struct {
	dispatcher    *dispatcher
	publishers    []sharer
	subscriptions []any
}

// sharer is a [Publisher] of any type. It ignores subscriptions of other types.
type sharer interface {
	dispatcherUser
	link(subscription any)
	unlink(subscription any)
}

// dispatcherUser gets the dispatcher of its topic before any other call.
type dispatcherUser interface{ join(*dispatcher) }

// topicLocked returns the topic, creating it if needed.
func (x *Exchange) topicLocked(name string) *exchangeTopic {
	if x.topics == nil {
		x.topics = make(map[string]*exchangeTopic)
	}
	t := x.topics[name]
	if t == nil {
		t = &exchangeTopic{dispatcher: newDispatcher()}
		x.topics[name] = t
	}
	return t
}

func (x *Exchange) addPublisher(topic string, p sharer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	t := x.topicLocked(topic)
	p.join(t.dispatcher)
	t.publishers = append(t.publishers, p)
	for _, s := range t.subscriptions {
		p.link(s)
	}
}

func (x *Exchange) removePublisher(topic string, p sharer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	t := x.topicLocked(topic)
	t.publishers = slices.DeleteFunc(t.publishers, func(q sharer) bool { return q == p })
	for _, s := range t.subscriptions {
		p.unlink(s)
	}
	x.forgetLocked(topic, t)
}

func (x *Exchange) addSubscription(topic string, s dispatcherUser) {
	x.mu.Lock()
	defer x.mu.Unlock()
	t := x.topicLocked(topic)
	s.join(t.dispatcher)
	t.subscriptions = append(t.subscriptions, s)
	for _, p := range t.publishers {
		p.link(s)
	}
}

func (x *Exchange) removeSubscription(topic string, s any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	t := x.topicLocked(topic)
	t.subscriptions = slices.DeleteFunc(t.subscriptions, func(r any) bool { return r == s })
	for _, p := range t.publishers {
		p.unlink(s)
	}
	x.forgetLocked(topic, t)
}

func (x *Exchange) forgetLocked(topic string, t *exchangeTopic) {
	if len(t.publishers)+len(t.subscriptions) == 0 {
		delete(x.topics, topic)
	}
}
