// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// subscription is a client's subscription of a topic. Requests with several ids share it: each message is sent once,
// as the protocol demands, because clients deliver it to all who listen to the topic.
type subscription struct {
	topic   string
	typ     *dynamic.Type
	demands map[string]demand // by the id of the request
	cancel  func()

	mu    sync.Mutex // guards what follows
	flow  *outbox.Flow
	frame outbox.Frame // without a body
}

// demand is what a request demands of a subscription.
type demand struct {
	period      time.Duration
	queue       int
	fragment    int // bytes, 0 is none
	compression string
}

func demandOf(r *request) (demand, error) {
	w := demand{
		period:   time.Duration(math.Min(math.Max(r.Throttle, 0), 3_600_000) * float64(time.Millisecond)),
		queue:    int(math.Min(math.Max(r.Queue, 1), maxQueue)),
		fragment: r.fragmentSize(), compression: r.Compression,
	}
	if compressionRank(w.compression) < 0 {
		return w, fmt.Errorf("%w: compression %.20q: there are none, png, cbor and cbor-raw", ErrMessage, r.Compression)
	}
	return w, nil
}

// compressionRank orders compressions: if requests for one topic differ, the highest is used; −1 is no compression.
func compressionRank(name string) int {
	switch name {
	case "", "none":
		return 0
	case "png":
		return 1
	case "cbor":
		return 2
	case "cbor-raw":
		return 3
	}
	return -1
}

// merged returns what satisfies all requests: the least period and fragment, the longest queue, the best compression.
func (s *subscription) merged() demand {
	m := demand{period: math.MaxInt64}
	for _, w := range s.demands {
		m.period, m.queue = min(m.period, w.period), max(m.queue, w.queue)
		if w.fragment > 0 && (m.fragment == 0 || w.fragment < m.fragment) {
			m.fragment = w.fragment
		}
		if compressionRank(w.compression) > compressionRank(m.compression) {
			m.compression = w.compression
		}
	}
	return m
}

func (s *subscription) close() {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flow.Close()
}

// put queues a message of the topic.
func (s *subscription) put(m *hub.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	frame := s.frame
	frame.Body = m.Data
	s.flow.Put(frame)
}

// apply makes a flow for what the requests demand.
func (s *subscription) apply(c *client) error {
	w := s.merged()
	convert, text, err := encoder(s.topic, s.typ, w.compression)
	if err != nil {
		return err
	}
	frame := outbox.Frame{Convert: convert, Text: text}
	if w.fragment > 0 && text {
		frame.Convert, frame.Split = nil, func(body []byte) [][]byte {
			id := c.fragments.next()
			return split(convert(body), w.fragment, &id)
		}
	}
	flow := c.box.Flow(outbox.FlowOptions{Depth: w.queue, Period: w.period})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flow != nil {
		s.flow.Close()
	}
	s.flow, s.frame = flow, frame
	return nil
}

// requests counts the client's requests for subscriptions.
func (c *client) requests() (n int) {
	for _, s := range c.subscriptions {
		n += len(s.demands)
	}
	return n
}

// subscribe subscribes to a topic. Who subscribes gets the messages of a latched topic, also if the client has a
// subscription of the topic already.
func (c *client) subscribe(r *request) error {
	topic := fullName(r.Topic)
	w, err := demandOf(r)
	if err != nil {
		return err
	}
	typ, err := c.subscribedType(topic, r.Type)
	if err != nil {
		return err
	}
	s := &subscription{topic: topic, typ: typ, demands: map[string]demand{}}
	old := c.subscriptions[topic]
	if old != nil {
		s.demands = old.demands
	}
	if _, again := s.demands[r.ID.key]; !again && c.requests() >= maxTopics {
		return fmt.Errorf("%w: more than %d subscriptions", ErrMessage, maxTopics)
	}
	if old != nil {
		// The hub keeps its readers on the network meanwhile: no message is lost.
		if release, err := c.hub.Subscribe(topic, typ.Name, func(*hub.Message) {}); err == nil {
			defer release()
		}
		old.close()
		delete(c.subscriptions, topic)
	}
	s.demands[r.ID.key] = w
	if err := s.apply(c); err != nil {
		return err
	}
	if s.cancel, err = c.hub.Subscribe(topic, typ.Name, s.put); err != nil {
		s.flow.Close()
		return err
	}
	c.subscriptions[topic] = s
	return nil
}

// subscribedType is typeOf; a topic that is subscribed keeps its type.
func (c *client) subscribedType(topic, named string) (*dynamic.Type, error) {
	old := c.subscriptions[topic]
	if old == nil {
		return c.typeOf(topic, named)
	}
	if named != "" && dynamic.FullName(named, "msg") != old.typ.Name {
		return nil, fmt.Errorf("%w: topic %s has type %s, not %.80q", ErrMessage, topic, old.typ.Name, named)
	}
	return old.typ, nil
}

// unsubscribe ends the subscription of an id, or without an id all of the topic.
func (c *client) unsubscribe(r *request) error {
	topic := fullName(r.Topic)
	s := c.subscriptions[topic]
	if s == nil {
		return fmt.Errorf("%w: unsubscribe: topic %.200q is not subscribed", errWarning, topic)
	}
	before := s.merged()
	delete(s.demands, r.ID.key)
	if r.ID.key == "" || len(s.demands) == 0 {
		s.close()
		delete(c.subscriptions, topic)
		return nil
	}
	if s.merged() == before {
		return nil
	}
	return s.apply(c)
}
