// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// topics holds the channels with their numbers, which do not change. It is safe for concurrent use.
type topics struct {
	mu       sync.Mutex
	byName   map[string]uint16
	byNumber map[uint16]*topicRecord
	schemas  map[string]*mcap.Schema // by type and hash
	state    topicState
}

// topicState is the number of topics that a file has.
type topicState struct {
	defined   int // number of definitions
	redefined int // number of definitions that replaced a missing one
}

// errRedefined: the definition of a topic's type was received late, and can't be added to a file that has the topic
// already.
var errRedefined = errors.New("record: definition of a type received late")

type topicRecord struct {
	channel *mcap.Channel // nil until its type is known
	qos     []ros2.QoS    // offered by its publishers, each once
	hash    string
	typ     string
}

func newTopics() *topics {
	return &topics{byName: map[string]uint16{}, byNumber: map[uint16]*topicRecord{}, schemas: map[string]*mcap.Schema{}}
}

// number returns a topic's number.
func (t *topics) number(name, rosType, hash string) uint16 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, known := t.byName[name]; known {
		return n
	}
	n := uint16(len(t.byName) + 1)
	t.byName[name] = n
	t.byNumber[n] = &topicRecord{typ: rosType, hash: hash}
	return n
}

// offered adds the quality of service offered by the publishers of a topic.
func (t *topics) offered(n uint16, list []ros2.QoS) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.byNumber[n]
	for _, q := range list {
		if !slices.Contains(r.qos, q) {
			r.qos = append(r.qos, q)
		}
	}
}

// define completes a topic with the definition of its type.
func (t *topics) define(n uint16, name, encoding, text string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.byNumber[n]
	key := r.typ + " " + r.hash + " " + encoding
	if t.schemas[key] == nil {
		t.schemas[key] = &mcap.Schema{ID: uint16(len(t.schemas) + 1), Name: r.typ, Encoding: encoding, Data: []byte(text)}
	}
	qos, err := bag.EncodeQoS(r.qos)
	if err != nil {
		return err
	}
	meta := map[string]string{bag.KeyQoS: qos}
	if r.hash != "" {
		meta[bag.KeyHash] = r.hash
	}
	if r.channel != nil {
		t.state.redefined++
	}
	r.channel = &mcap.Channel{ID: n, Schema: t.schemas[key], Topic: name, MessageEncoding: "cdr", Metadata: meta}
	t.state.defined++
	return nil
}

// register adds to a file all complete channels that it lacks. known is the file's state; register returns the new one.
// The error is [errRedefined] if the file has a topic without the definition of its type, which is now known.
func (t *topics) register(w *mcap.Writer, known topicState) (topicState, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == known {
		return known, nil
	}
	if known.defined > 0 && known.redefined != t.state.redefined {
		return known, errRedefined
	}
	for _, n := range slices.Sorted(maps.Keys(t.byNumber)) {
		if c := t.byNumber[n].channel; c != nil {
			if err := w.Register(c); err != nil {
				return known, err
			}
		}
	}
	return t.state, nil
}

// list returns the topics for metadata with the counts of their messages.
func (t *topics) list(counts map[uint16]uint64) []*bag.Topic {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []*bag.Topic
	for _, n := range slices.Sorted(maps.Keys(t.byNumber)) {
		if r := t.byNumber[n]; r.channel != nil {
			out = append(out, &bag.Topic{Name: r.channel.Topic, Type: r.typ, Format: "cdr", Hash: r.hash, QoS: slices.Clone(r.qos), Messages: counts[n]})
		}
	}
	return out
}
