// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"errors"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Recorded is one message that a publisher of the transport sent.
type Recorded struct {
	// Payload is the encoded message with its encapsulation header.
	Payload []byte
	Info    ros2.MessageInfo
	// Batch is the number of the outermost Cork … Uncork in which the message was sent, from 1; 0 outside.
	Batch int
}

// Record starts recording the messages of the transport's publishers. Messages that a publisher does not encode because
// there are no subscriptions are not recorded.
func (t *Transport) Record() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recorded == nil {
		t.recorded = make(map[string][]Recorded)
	}
}

// Recorded returns the messages sent on the topic since Record, oldest first.
func (t *Transport) Recorded(topic string) []Recorded {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.recorded[topic])
}

// RecordedTopics returns the topics with recorded messages, sorted.
func (t *Transport) RecordedTopics() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var topics []string
	for topic := range t.recorded {
		topics = append(topics, topic)
	}
	slices.Sort(topics)
	return topics
}

// Messages decodes the messages sent on the topic since Record.
func Messages[T any, P ros2.MessageOf[T]](tb testing.TB, t *Transport, topic string) []*T {
	tb.Helper()
	var out []*T
	for i, r := range t.Recorded(topic) {
		m := new(T)
		if err := cdr.Unmarshal(r.Payload, P(m)); err != nil {
			tb.Fatalf("message %d on %s: %v", i, topic, err)
		}
		out = append(out, m)
	}
	return out
}

func (t *Transport) record(topic string, payload []byte, info ros2.MessageInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recorded == nil {
		return
	}
	r := Recorded{Payload: slices.Clone(payload), Info: info}
	if t.corked > 0 {
		r.Batch = t.batches
	}
	t.recorded[topic] = append(t.recorded[topic], r)
}

// Cork begins a batch, which only the records show: messages are delivered at once.
func (t *Transport) Cork() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.corked == 0 {
		t.batches++
	}
	t.corked++
}

// Uncork ends a batch. Without a Cork it breaks the transport with [ErrUncork].
func (t *Transport) Uncork() {
	t.mu.Lock()
	t.corked--
	balanced := t.corked >= 0
	t.mu.Unlock()
	if !balanced {
		t.fail(ErrUncork)
	}
}

// ErrUncork means that Uncork was called more often than Cork.
var ErrUncork = errors.New("ros2test: Uncork without Cork")

// Batches returns how many outermost batches were begun.
func (t *Transport) Batches() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.batches
}

// FailWrites makes every Write fail with err until it is called with nil.
func (t *Transport) FailWrites(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writeErr = err
}

// Break simulates a lost network: Done is closed, Err and every Write return reason.
func (t *Transport) Break(reason error) { t.fail(reason) }

func (t *Transport) writeError() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	return t.writeErr
}
