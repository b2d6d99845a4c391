// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Message is a message of a topic. It is shared by all viewers and must not be modified.
type Message struct {
	// Data is CDR with its encapsulation header.
	Data []byte
	// Received is the time of its arrival.
	Received time.Time
}

// Limits of the messages of a transient-local topic that are kept for late viewers.
const (
	keptMessages = 200
	keptBytes    = 256 << 10
)

// source is the subscription of a topic, shared by all its viewers.
type source struct {
	key    topicKey
	reader ros2.Reader
	qos    ros2.QoS
	users  int  // guarded by the hub's mu, as are reader, qos and held
	held   bool // it stays without viewers

	mu        sync.Mutex
	listeners []*listener
	kept      []*Message // of a transient-local topic, oldest first
	bytes     int
}

type listener struct{ f func(*Message) }

// Subscribe calls f with each message of a topic until cancel is called, first with the kept messages of a
// transient-local topic. f runs on a goroutine of the network, which may be the one that drives a robot's wheels: it
// must return at once and must not call the hub. f is not called after cancel has returned.
func (h *Hub) Subscribe(topic, rosType string, f func(*Message)) (cancel func(), err error) {
	key := topicKey{topic, rosType}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, fmt.Errorf("%s: %w", topic, ErrClosed)
	}
	s := h.sources[key]
	if s == nil {
		s = &source{key: key}
		if err := h.openLocked(s, h.qosFor(key)); err != nil {
			return nil, err
		}
		h.sources[key] = s
	}
	s.users++
	l := &listener{f}
	s.add(l)
	var once sync.Once
	return func() { once.Do(func() { h.unsubscribe(s, l) }) }, nil
}

// Keep subscribes to a topic until the hub is closed, so that viewers get what was published before they came, as far
// as the kept messages of a transient-local topic go.
func (h *Hub) Keep(topic, rosType string) error {
	if _, err := h.Subscribe(topic, rosType, func(*Message) {}); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.sources[topicKey{topic, rosType}]; s != nil { // else it was closed meanwhile
		s.held = true
	}
	return nil
}

func (s *source) add(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.kept {
		l.f(m)
	}
	s.listeners = append(s.listeners, l)
}

// unsubscribe removes l, and with the last listener the subscription.
func (h *Hub) unsubscribe(s *source, l *listener) {
	s.mu.Lock()
	s.listeners = slices.DeleteFunc(s.listeners, func(other *listener) bool { return other == l })
	s.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	s.users--
	if s.users > 0 || h.closed {
		return
	}
	delete(h.sources, s.key)
	if err := s.reader.Close(); err != nil {
		h.cfg.Logger.Warn("subscription did not close", slog.String("topic", s.key.name), slog.Any("error", err))
	}
}

// openLocked makes the reader of a source.
func (h *Hub) openLocked(s *source, qos ros2.QoS) error {
	s.mu.Lock()
	s.kept, s.bytes = nil, 0
	s.mu.Unlock()
	_, hash := h.types.known(h.cfg.Types, s.key.rosType)
	keeps := qos.Durability == ros2.TransientLocal
	r, err := h.cfg.Transport.NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{Node: h.cfg.Node, Topic: s.key.name, Type: s.key.rosType, TypeHash: hash, QoS: qos},
		OnSample:       func(sample ros2.Sample) { s.distribute(sample.Payload, sample.Info.ReceivedTime, keeps) },
	})
	if err != nil {
		return fmt.Errorf("subscription of %s: %w", s.key.name, err)
	}
	s.reader, s.qos = r, qos
	return nil
}

// distribute copies a message once and passes it to all viewers.
func (s *source) distribute(payload []byte, received time.Time, keep bool) {
	m := &Message{Data: append(make([]byte, 0, len(payload)), payload...), Received: received}
	s.mu.Lock()
	defer s.mu.Unlock()
	if keep && len(m.Data) <= keptBytes {
		s.kept = append(s.kept, m)
		s.bytes += len(m.Data)
		for len(s.kept) > keptMessages || s.bytes > keptBytes {
			s.bytes -= len(s.kept[0].Data)
			s.kept[0] = nil
			s.kept = s.kept[1:]
		}
	}
	for _, l := range s.listeners {
		l.f(m)
	}
}

// renewSources renews subscriptions whose quality of service no longer fits the topic's publishers.
func (h *Hub) renewSources() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	for key, s := range h.sources {
		qos := h.qosFor(key)
		if qos == s.qos {
			continue
		}
		old := s.reader
		if err := h.openLocked(s, qos); err != nil {
			h.cfg.Logger.Warn("subscription not renewed", slog.String("topic", key.name), slog.Any("error", err))
			continue
		}
		if err := old.Close(); err != nil {
			h.cfg.Logger.Warn("subscription did not close", slog.String("topic", key.name), slog.Any("error", err))
		}
	}
}

// qosFor requests the most that all publishers of the topic offer, so that it matches every one of them.
func (h *Hub) qosFor(key topicKey) ros2.QoS {
	qos := ros2.DefaultQoS().WithDepth(keptMessages)
	publishers := 0
	reliable, lasting := true, true
	for _, e := range ros2.EndpointsOn(h.cfg.Transport, key.name) {
		if e.Kind != ros2.PublisherEndpoint || e.Type != key.rosType {
			continue
		}
		publishers++
		reliable = reliable && e.QoS.Reliability == ros2.Reliable
		lasting = lasting && e.QoS.Durability == ros2.TransientLocal
	}
	qos.Reliability, qos.Durability = ros2.BestEffort, ros2.Volatile
	if publishers > 0 && reliable {
		qos.Reliability = ros2.Reliable
	}
	if publishers > 0 && lasting {
		qos.Durability = ros2.TransientLocal
	}
	return qos
}
