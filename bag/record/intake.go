// SPDX-License-Identifier: Apache-2.0

package record

import (
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// readerDepth is the number of messages of a transient-local publisher that a new reader requests.
const readerDepth = 1000

// subscription is the subscription of one topic.
type subscription struct {
	r       *Recorder
	topic   string
	rosType string
	number  uint16
	reader  ros2.Reader // of the goroutine that watches the graph
	warned  bool        // a publisher of another type was reported; of that goroutine, too

	filter *ros2.DefinitionFilter // of publishers that have the recorded definition; they are warned of by checkTypes

	mu      sync.Mutex
	ready   bool      // messages are put into the cache: the definition is known or given up
	defined bool      // the definition of the type is known
	pending []pending // messages received before
	bytes   int
}

// pending is a message that waits for the definition of its type.
type pending struct {
	sequence             uint32
	logTime, publishTime uint64
	data                 []byte
}

// maxPending is the maximum size of these messages for one topic, bytes; for all topics it is the cache's size.
const maxPending = 4 << 20

// update updates the readers for the publishers of the topic: one for each quality of service among them, or one for
// all if it is overridden.
func (s *subscription) update(publishers []ros2.EndpointInfo) error {
	if r, ok := s.reader.(*ros2.MatchAllReader); ok {
		return r.Update(publishers)
	}
	if s.reader != nil {
		return nil
	}
	cfg := ros2.EndpointConfig{
		Node: s.r.cfg.Node.Name(), Topic: s.topic, Type: s.rosType, TypeHash: s.r.hashOf(s.number), QoS: ros2.QoS{Depth: readerDepth},
		OnEvent: s.onEvent,
	}
	q, forced := s.r.cfg.QoS[s.topic]
	if forced {
		cfg.QoS = q
		reader, err := s.r.cfg.Node.Transport().NewReader(ros2.ReaderConfig{
			EndpointConfig: cfg, OnSample: func(m ros2.Sample) { s.store(m, q) },
		})
		if err == nil {
			s.reader = reader
		}
		return err
	}
	reader, err := ros2.NewMatchAllReader(s.r.cfg.Node.Transport(), ros2.MatchAllConfig{
		EndpointConfig: cfg, OnSample: s.store, OnMixed: func(q ros2.QoS) {
			s.r.cfg.Logger.Warn("the publishers differ in quality of service and this transport does not identify them: "+
				"kept messages and repairs of some are not recorded", "topic", s.topic, "requested", q)
		},
	})
	if err == nil {
		s.reader = reader
	}
	return err
}

// store puts a message into the cache. It runs on a goroutine of the transport and only waits for other calls of
// store.
func (s *subscription) store(m ros2.Sample, offered ros2.QoS) {
	logTime, ok := s.r.stamp(m.Info)
	if !ok {
		return
	}
	if !s.filter.Accepts(m.Info.Publisher) {
		if !s.r.paused.Load() {
			s.r.missed.otherType.Add(1)
		}
		return
	}
	publishTime := logTime
	if t := m.Info.SourceTime; !t.IsZero() {
		publishTime = uint64(max(0, t.UnixNano()))
	}
	sequence := uint32(m.Info.Sequence)
	kept := !s.r.paused.Load() && (s.held(sequence, logTime, publishTime, m.Payload) ||
		s.r.cache.put(s.number, sequence, logTime, publishTime, m.Payload))
	if offered.Durability == ros2.TransientLocal && s.topic != rosout {
		s.r.latched.put(s.number, m.Info.Publisher, sequence, logTime, publishTime, m.Payload, kept)
	}
}

// onEvent counts lost messages, unless they would not have been recorded.
func (s *subscription) onEvent(ev ros2.EndpointEvent) {
	if !s.r.paused.Load() {
		s.r.missed.onEvent(ev)
	}
}

// rosout is transient local with a depth of 1000, but its messages are old.
const rosout = "/rosout"

// held keeps a message whose type's definition is still being requested. If the limit is exceeded, the topic is
// recorded without the definition.
func (s *subscription) held(sequence uint32, logTime, publishTime uint64, data []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready {
		return false
	}
	if s.bytes+len(data) > maxPending || s.r.held.Load()+int64(len(data)) > int64(s.r.cfg.Cache) {
		s.completeLocked(definition{}, errHeldFull)
		return false
	}
	s.bytes += len(data)
	s.r.held.Add(int64(len(data)))
	s.pending = append(s.pending, pending{sequence, logTime, publishTime, slices.Clone(data)})
	return true
}

// complete sets the definition of the topic's type and stores the messages that waited for it. Without a definition,
// cause is the reason; a definition may follow later, for the files begun after it.
func (s *subscription) complete(d definition, cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.completeLocked(d, cause)
}

func (s *subscription) completeLocked(d definition, cause error) {
	if s.ready && d.encoding == "" || s.defined {
		return
	}
	log := s.r.cfg.Logger.With("topic", s.topic, "type", s.rosType)
	if err := s.r.topics.define(s.number, s.topic, d.encoding, d.text); err != nil {
		log.Error("a topic can't be recorded", "error", err)
		return
	}
	switch s.defined = d.encoding != ""; {
	case !s.defined:
		log.Warn("recorded without the definition of its type: programs that do not know the type can't read the messages", "error", cause)
	case s.ready:
		log.Info("definition of the type received: it is in the files from now on")
		return
	}
	log.Info("recording topic")
	for _, m := range s.pending {
		s.r.cache.put(s.number, m.sequence, m.logTime, m.publishTime, m.data)
	}
	s.r.held.Add(-int64(s.bytes))
	s.pending, s.bytes, s.ready = nil, 0, true
}

func (s *subscription) close() error {
	if s.reader == nil {
		return nil
	}
	return s.reader.Close()
}
