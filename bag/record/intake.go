// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// class groups the publishers of a topic by quality of service: a subscription that requests more than a publisher
// offers does not match it, and one that requests less misses retransmissions or kept messages. So there is a reader
// for each class, and a message is taken from the reader of its publisher's class only.
type class struct {
	reliability ros2.Reliability
	durability  ros2.Durability
}

func classOf(q ros2.QoS) class { return class{q.Reliability, q.Durability} }

// readerDepth is the number of messages of a transient-local publisher that a new reader requests.
const readerDepth = 1000

// subscription is the subscription of one topic.
type subscription struct {
	r       *Recorder
	topic   string
	rosType string
	number  uint16
	readers map[class]io.Closer // of the goroutine that watches the graph
	warned  bool                // a publisher of another type was reported; of that goroutine, too

	classes atomic.Pointer[map[ros2.GID]class] // of the known publishers
	forced  bool                               // quality of service is overridden: one reader for all

	mu      sync.Mutex
	ready   bool      // messages are put into the cache: the definition is known or given up
	defined bool      // the definition of the type is known
	pending []pending // messages received before
	bytes   int
	early   map[ros2.GID]map[uint32]bool // sequence numbers of messages from unknown publishers; nil at first
	some    atomic.Bool                  // early is not empty
}

// pending is a message that waits for the definition of its type.
type pending struct {
	sequence             uint32
	logTime, publishTime uint64
	data                 []byte
}

// maxPending is the maximum size of these messages for one topic, bytes; for all topics it is the cache's size.
const maxPending = 4 << 20

// update updates the readers for the publishers of the topic.
func (s *subscription) update(publishers []ros2.EndpointInfo) error {
	classes := map[ros2.GID]class{}
	wanted := map[class]bool{}
	if q, ok := s.r.cfg.QoS[s.topic]; ok {
		s.forced = true
		return s.open(classOf(q), q)
	}
	for _, p := range publishers {
		classes[p.GID] = classOf(p.QoS)
		wanted[classOf(p.QoS)] = true
	}
	if len(wanted) == 0 {
		wanted[class{}] = true
	}
	s.classes.Store(&classes)
	s.forget(classes)
	var errs []error
	for c := range wanted {
		errs = append(errs, s.open(c, ros2.QoS{Reliability: c.reliability, Durability: c.durability, Depth: readerDepth}))
	}
	return errors.Join(errs...)
}

// open creates the reader of a class.
func (s *subscription) open(c class, q ros2.QoS) error {
	if s.readers[c] != nil {
		return nil
	}
	reader, err := s.r.cfg.Node.Transport().NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{Node: s.r.cfg.Node.Name(), Topic: s.topic, Type: s.rosType, TypeHash: s.r.hashOf(s.number), QoS: q},
		OnSample:       func(m ros2.Sample) { s.store(c, m) },
	})
	if err != nil {
		return err
	}
	s.readers[c] = reader
	return nil
}

// store puts a message into the cache. It runs on a goroutine of the transport and only waits for other calls of
// store.
func (s *subscription) store(c class, m ros2.Sample) {
	own := c
	if !s.forced {
		var known bool
		if own, known = (*s.classes.Load())[m.Info.Publisher]; known && own != c {
			return // the reader of the publisher's class receives it
		}
		if (!known || s.some.Load()) && s.again(m.Info, known) {
			return
		}
	}
	logTime, ok := s.r.stamp(m.Info)
	if !ok {
		return
	}
	publishTime := logTime
	if t := m.Info.SourceTime; !t.IsZero() {
		publishTime = uint64(max(0, t.UnixNano()))
	}
	sequence := uint32(m.Info.Sequence)
	kept := !s.r.paused.Load() && (s.held(sequence, logTime, publishTime, m.Payload) ||
		s.r.cache.put(s.number, sequence, logTime, publishTime, m.Payload))
	if own.durability == ros2.TransientLocal && s.topic != rosout {
		s.r.latched.put(s.number, m.Info.Publisher, sequence, logTime, publishTime, m.Payload, kept)
	}
}

// maxEarly is the maximum number of sequence numbers kept for an unknown publisher, maxEarlyPublishers that of these
// publishers.
const (
	maxEarly           = 1000
	maxEarlyPublishers = 100
)

// again reports whether a message was stored before: messages that a publisher sent before it was in the graph may be
// received by readers of several classes, and again by the reader of its own class, which is opened then.
func (s *subscription) again(info ros2.MessageInfo, known bool) bool {
	if info.Publisher.IsZero() || info.Sequence == 0 {
		return false // of a transport without sequence numbers
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sequence := uint32(info.Sequence)
	taken := s.early[info.Publisher]
	if taken[sequence] {
		return true
	}
	if known || len(taken) >= maxEarly || taken == nil && len(s.early) >= maxEarlyPublishers {
		return false
	}
	if taken == nil {
		if s.early == nil {
			s.early = map[ros2.GID]map[uint32]bool{}
		}
		taken = map[uint32]bool{}
		s.early[info.Publisher] = taken
		s.some.Store(true)
	}
	taken[sequence] = true
	return false
}

// forget drops the sequence numbers of publishers that have left.
func (s *subscription) forget(present map[ros2.GID]class) {
	if !s.some.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.early, func(g ros2.GID, _ map[uint32]bool) bool {
		_, there := present[g]
		return !there && len(s.early) > maxPublishers
	})
	s.some.Store(len(s.early) > 0)
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
	var errs []error
	for _, reader := range s.readers {
		errs = append(errs, reader.Close())
	}
	return errors.Join(errs...)
}
