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
	reader *ros2.MatchAllReader
	filter *ros2.DefinitionFilter // of publishers with the definition by which viewers decode
	users  int                    // guarded by the hub's mu, as are reader and held
	held   bool                   // it stays without viewers

	mu        sync.Mutex
	listeners []*listener
	kept      []keptMessage // of transient-local publishers, oldest first
	bytes     int
}

// keptMessage is a message that late viewers get.
type keptMessage struct {
	*Message
	publisher ros2.GID
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
		if err := h.openLocked(s); err != nil {
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
		l.f(m.Message)
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

// openLocked makes the readers of a source.
func (h *Hub) openLocked(s *source) error {
	_, hash := h.types.known(h.cfg.Types, s.key.rosType)
	s.filter = ros2.NewDefinitionFilter(h.cfg.Transport, s.key.name, s.key.rosType,
		h.hashOf(s.key, ros2.EndpointsOn(h.cfg.Transport, s.key.name)), func(p ros2.EndpointInfo) {
			h.cfg.Logger.Warn("viewers do not get the messages of a publisher: its type has another definition than that of the topic's other publishers",
				slog.String("topic", s.key.name), slog.String("type", p.Type), slog.String("node", p.Node.FullName()), slog.String("hash", p.TypeHash))
		})
	r, err := ros2.NewMatchAllReader(h.cfg.Transport, ros2.MatchAllConfig{
		EndpointConfig: ros2.EndpointConfig{
			Node: h.cfg.Node, Topic: s.key.name, Type: s.key.rosType, TypeHash: hash,
			QoS: ros2.QoS{Reliability: ros2.BestEffort, Durability: ros2.Volatile, Depth: keptMessages},
		},
		OnSample: func(sample ros2.Sample, offered ros2.QoS) {
			if s.filter.Accepts(sample.Info.Publisher) {
				s.distribute(sample.Payload, sample.Info, offered.Durability == ros2.TransientLocal)
			}
		},
		OnMixed: func(requested ros2.QoS) {
			h.cfg.Logger.Warn("the publishers differ in quality of service and this transport does not identify them: "+
				"viewers miss kept messages and repairs of some",
				slog.String("topic", s.key.name), slog.String("requested", requested.String()))
		},
	})
	if err != nil {
		return fmt.Errorf("subscription of %s: %w", s.key.name, err)
	}
	s.reader = r
	return nil
}

// distribute copies a message once and passes it to all viewers.
func (s *source) distribute(payload []byte, info ros2.MessageInfo, keep bool) {
	m := &Message{Data: append(make([]byte, 0, len(payload)), payload...), Received: info.ReceivedTime}
	s.mu.Lock()
	defer s.mu.Unlock()
	if keep && len(m.Data) <= keptBytes {
		s.kept = append(s.kept, keptMessage{m, info.Publisher})
		s.bytes += len(m.Data)
		for len(s.kept) > keptMessages || s.bytes > keptBytes {
			s.bytes -= len(s.kept[0].Data)
			s.kept[0] = keptMessage{}
			s.kept = s.kept[1:]
		}
	}
	for _, l := range s.listeners {
		l.f(m)
	}
}

// forget drops the kept messages of publishers that have left: a subscription would not get them either.
func (s *source) forget(endpoints []ros2.EndpointInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) == 0 {
		return
	}
	present := map[ros2.GID]bool{{}: true} // of a transport that does not identify publishers
	for _, e := range endpoints {
		present[e.GID] = present[e.GID] || e.Kind == ros2.PublisherEndpoint
	}
	s.kept = slices.DeleteFunc(slices.Clone(s.kept), func(m keptMessage) bool {
		if present[m.publisher] {
			return false
		}
		s.bytes -= len(m.Data)
		return true
	})
}

// renewSources updates the subscriptions for the publishers of their topics.
func (h *Hub) renewSources() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	for key, s := range h.sources {
		endpoints := ros2.EndpointsOn(h.cfg.Transport, key.name)
		s.filter.SetHash(h.hashOf(key, endpoints))
		if err := s.reader.Update(endpoints); err != nil {
			h.cfg.Logger.Warn("subscription not renewed", slog.String("topic", key.name), slog.Any("error", err))
		}
		s.forget(endpoints)
	}
}
