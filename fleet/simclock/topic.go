// SPDX-License-Identifier: Apache-2.0

package simclock

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const (
	// topicPeriod is the shortest time between two messages on /clock, of simulated time.
	topicPeriod = 10 * time.Millisecond
	// repeatPeriod is the period, of the machine's time, at which an unchanged time is published again.
	repeatPeriod = 100 * time.Millisecond
)

// Topic publishes the time of a clock on /clock. It is safe for concurrent use.
type Topic struct {
	clock     *Clock
	publisher *ros2.SharedPublisher[rosgraph_msgs.Clock]

	mu          sync.Mutex
	published   time.Time // latest time on /clock
	publishedAt time.Time // of the machine's clock
}

// NewTopic creates the publisher of /clock on a node.
func NewTopic(n *ros2.Node, c *Clock) (*Topic, error) {
	qos := ros2.ClockQoS()
	qos.Reliability = ros2.Reliable // subscriptions that request it match, too
	p, err := ros2.NewSharedPublisher[rosgraph_msgs.Clock](n, "/clock", qos)
	if err != nil {
		return nil, fmt.Errorf("simclock: %w", err)
	}
	return &Topic{clock: c, publisher: p}, nil
}

// Tick publishes the time if it is due: once a step, and repeatedly for new subscribers while the clock is paused. A
// failed publication is ignored: the next one follows.
func (t *Topic) Tick() {
	now := t.clock.Now()
	if !t.due(now) {
		return
	}
	var m rosgraph_msgs.Clock
	m.Clock = builtin_interfaces.TimeOf(now)
	_ = t.publisher.Publish(&m)
}

// due reports whether the time is to be published, and if so records it as published.
func (t *Topic) due(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.published) < topicPeriod && time.Since(t.publishedAt) < repeatPeriod {
		return false
	}
	t.published, t.publishedAt = now, time.Now()
	return true
}

// Close closes the publisher.
func (t *Topic) Close() error { return t.publisher.Close() }

// Repeat calls tick ten times a second of the machine's time until ctx ends. It is for [Topic.Tick]: nothing else calls
// it while the clock is paused.
func Repeat(ctx context.Context, tick func()) {
	ticker := time.NewTicker(repeatPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			tick()
		}
	}
}
