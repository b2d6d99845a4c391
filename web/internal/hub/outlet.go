// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// matchTime is how long a first message waits for subscribers that the graph shows and that are not matched yet: a
// single press of a button must not be lost.
const matchTime = 500 * time.Millisecond

// outletKey identifies a publisher.
type outletKey struct {
	topicKey
	latched bool
}

// outlet is the publisher of a topic, shared by all viewers that publish on it.
type outlet struct {
	key     outletKey
	writer  ros2.Writer
	users   int // guarded by the hub's mu
	matched atomic.Int32
	match   chan struct{} // closed at the first match
	once    sync.Once
}

// Publication is a viewer's publication on a topic. It is safe for concurrent use; Close ends it.
type Publication struct {
	hub  *Hub
	out  *outlet
	once sync.Once
}

// Advertise makes a publication. It is transient local if a subscriber requests that.
func (h *Hub) Advertise(topic, rosType string) (*Publication, error) {
	return h.advertise(topic, rosType, false)
}

// AdvertiseLatched makes a transient local publication, whose last message late subscribers get.
func (h *Hub) AdvertiseLatched(topic, rosType string) (*Publication, error) {
	return h.advertise(topic, rosType, true)
}

func (h *Hub) advertise(topic, rosType string, latched bool) (*Publication, error) {
	if err := ros2.ValidateFullName(topic); err != nil {
		return nil, fmt.Errorf("topic: %w", err)
	}
	typ, hash := h.types.known(h.cfg.Types, rosType)
	if typ == nil {
		return nil, fmt.Errorf("%w: %q", ErrUnknownType, rosType)
	}
	key := outletKey{topicKey{topic, rosType}, latched}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, fmt.Errorf("%s: %w", topic, ErrClosed)
	}
	o := h.outlets[key]
	if o == nil {
		o = &outlet{key: key, match: make(chan struct{})}
		w, err := h.cfg.Transport.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
			Node: h.cfg.Node, Topic: topic, Type: rosType, TypeHash: hash, QoS: h.outletQoS(key), OnMatch: o.matches,
		}})
		if err != nil {
			return nil, fmt.Errorf("publisher of %s: %w", topic, err)
		}
		o.writer = w
		h.outlets[key] = o
	}
	o.users++
	return &Publication{hub: h, out: o}, nil
}

func (o *outlet) matches(n int) {
	o.matched.Store(int32(n))
	if n > 0 {
		o.once.Do(func() { close(o.match) })
	}
}

// outletQoS is reliable, and transient local only if a subscriber requests that: a late subscriber must not get an
// old command.
func (h *Hub) outletQoS(key outletKey) ros2.QoS {
	if key.latched {
		return ros2.LatchedQoS()
	}
	qos := ros2.DefaultQoS()
	for _, e := range ros2.EndpointsOn(h.cfg.Transport, key.name) {
		if e.Kind == ros2.SubscriptionEndpoint && e.Type == key.rosType && e.Node.Name != "" && e.QoS.Durability == ros2.TransientLocal {
			qos.Durability = ros2.TransientLocal
		}
	}
	return qos
}

// Publish sends a message, CDR with its encapsulation header. The first may wait half a second for subscribers that
// the graph shows; ctx ends that.
func (p *Publication) Publish(ctx context.Context, payload []byte) error {
	p.Ready(ctx)
	return p.Send(payload)
}

// Send publishes a message without waiting (TestSlowViewerDelaysNoOther).
func (p *Publication) Send(payload []byte) error {
	p.hub.mu.Lock()
	p.hub.published++
	p.hub.mu.Unlock()
	if err := p.out.writer.Write(payload); err != nil {
		return fmt.Errorf("publish on %s: %w", p.out.key.name, err)
	}
	return nil
}

// Ready waits until a subscriber is matched, if the graph shows one, for half a second at most.
func (p *Publication) Ready(ctx context.Context) {
	if p.out.matched.Load() > 0 {
		return
	}
	g := p.hub.Graph()
	t, ok := g.Topic(p.out.key.name)
	if !ok || len(t.Subscribers) == 0 {
		return
	}
	timeout := time.NewTimer(matchTime)
	defer timeout.Stop()
	select {
	case <-p.out.match:
	case <-timeout.C:
	case <-ctx.Done():
	}
}

// Close ends the publication; the last one of a topic closes the publisher. It may be called more than once.
func (p *Publication) Close() {
	p.once.Do(func() {
		h := p.hub
		h.mu.Lock()
		defer h.mu.Unlock()
		p.out.users--
		if p.out.users > 0 || h.closed {
			return
		}
		delete(h.outlets, p.out.key)
		if err := p.out.writer.Close(); err != nil {
			h.cfg.Logger.Warn("publisher did not close", slog.String("topic", p.out.key.name), slog.Any("error", err))
		}
	})
}
