// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// Received is a message with its metadata.
type Received[T any] = inproc.Received[T]

// NewChannel creates a subscription that delivers its messages through a channel with the depth of qos as its capacity
// (with [KeepAll]: [DefaultDepth]). When it is full the oldest message is dropped, so a slow receiver gets the newest
// ones and does not delay others. Messages do not wait for an executor. Closing the subscription, or its node, closes
// the channel.
func NewChannel[T any, P MessageOf[T]](n *Node, topic string, qos QoS, opts ...SubscriptionOption) (*Subscription[T], <-chan Received[T], error) {
	if qos.Depth < 0 {
		return nil, nil, fmt.Errorf("subscription of %q: %w", topic, qos.Validate())
	}
	f := &latestChannel[T]{ch: make(chan Received[T], qos.EffectiveDepth())}
	opts = append(opts, InGroup(nil), func(o *subscriptionOptions) { o.onClose = f.close })
	s, err := NewSubscription[T, P](n, topic, qos, f.put, opts...)
	if err != nil {
		return nil, nil, err
	}
	return s, f.ch, nil
}

// latestChannel is a channel that drops its oldest value when it is full.
type latestChannel[T any] struct {
	mu     sync.Mutex // serialises put and close
	ch     chan Received[T]
	closed bool
}

func (f *latestChannel[T]) put(m *T, info MessageInfo) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.closed {
		select {
		case f.ch <- Received[T]{Message: m, Info: info}:
			return
		default:
		}
		select {
		case <-f.ch:
		default:
		}
	}
}

func (f *latestChannel[T]) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	close(f.ch)
}
