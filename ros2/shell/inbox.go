// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Limits of an [inbox]. A terminal may be slower than a network.
const (
	inboxMessages = 1024
	inboxBytes    = 64 << 20
)

// inbox holds received messages that are not yet shown. Transports must not wait for terminals, so the oldest messages
// are dropped when it is full. It is created by newInbox and safe for concurrent use.
type inbox struct {
	wake chan struct{} // holds one token while there are messages
	// noticed ends the notice that no message was received; it is nil if there is none.
	noticed func()

	mu    sync.Mutex
	list  []ros2.Sample
	bytes int
	last  map[ros2.GID]int64 // sequence number of each publisher's last message
	lost  int                // messages since the last take
}

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), last: map[ros2.GID]int64{}}
}

// put adds a message. It does not block.
func (b *inbox) put(s ros2.Sample) {
	s.Payload = append([]byte(nil), s.Payload...)
	b.mu.Lock()
	defer b.mu.Unlock()
	if last, known := b.last[s.Info.Publisher]; known && s.Info.Sequence > last+1 {
		b.lost += int(min(s.Info.Sequence-last-1, 1<<30))
	}
	b.last[s.Info.Publisher] = max(s.Info.Sequence, b.last[s.Info.Publisher])
	for len(b.list) > 0 && (len(b.list) >= inboxMessages || b.bytes+len(s.Payload) > inboxBytes) {
		b.bytes -= len(b.list[0].Payload)
		b.list = b.list[1:]
		b.lost++
	}
	b.list = append(b.list, s)
	b.bytes += len(s.Payload)
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// receive waits for messages and returns all available ones, with the number lost since the last call.
func (b *inbox) receive(ctx context.Context, t ros2.Transport) (list []ros2.Sample, lost int, err error) {
	defer b.endNotice()
	select {
	case <-b.wake:
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	case <-t.Done():
		return nil, 0, t.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	list, lost = b.list, b.lost
	b.list, b.bytes, b.lost = nil, 0, 0
	return list, lost, nil
}

func (b *inbox) endNotice() {
	if b.noticed != nil {
		b.noticed()
		b.noticed = nil
	}
}

// subscribe subscribes to a topic with exactly this quality of service and returns the inbox of its messages. The hash
// may be empty. filter is of the publishers whose messages are shown; nil: of all.
func (s *session) subscribe(topic, rosType, hash string, filter *ros2.DefinitionFilter, qos ros2.QoS) (*inbox, ros2.Reader, error) {
	if err := s.join(s.env.Node); err != nil {
		return nil, nil, err
	}
	b := newInbox()
	r, err := s.transport.NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{Node: s.node, Topic: topic, Type: rosType, TypeHash: hash, QoS: qos},
		OnSample: func(sample ros2.Sample) {
			if filter == nil || filter.Accepts(sample.Info.Publisher) {
				b.put(sample)
			}
		},
	})
	return b, r, err
}

// subscribeAll is subscribe with the quality of service that each publisher of the topic offers, now and later.
func (s *session) subscribeAll(topic, rosType, hash string, filter *ros2.DefinitionFilter) (*inbox, ros2.Reader, error) {
	if err := s.join(s.env.Node); err != nil {
		return nil, nil, err
	}
	b := newInbox()
	r, err := ros2.NewMatchAllReader(s.transport, ros2.MatchAllConfig{
		EndpointConfig: ros2.EndpointConfig{Node: s.node, Topic: topic, Type: rosType, TypeHash: hash, QoS: ros2.SensorDataQoS()},
		OnSample: func(sample ros2.Sample, _ ros2.QoS) {
			if filter == nil || filter.Accepts(sample.Info.Publisher) {
				b.put(sample)
			}
		},
		OnMixed: func(requested ros2.QoS) {
			fmt.Fprintf(s.env.Err, "The publishers of %s offer different quality of service, and this transport does not identify them: "+
				"subscribed as %v, without the kept messages and repairs of some\n", topic, requested)
		},
	})
	if err != nil {
		return nil, nil, err
	}
	r.Watch(func(err error) { fmt.Fprintln(s.env.Err, err) })
	return b, r, nil
}

// decodable returns the filter of messages with the definition that has this hash; the other publishers are printed once.
func (s *session) decodable(topic, rosType, hash string) *ros2.DefinitionFilter {
	return ros2.NewDefinitionFilter(s.transport, topic, rosType, hash, func(p ros2.EndpointInfo) {
		fmt.Fprintf(s.env.Err, "Not shown: the messages of %s on %s: its %s has another definition (%s) than that which is shown (%s)\n",
			printable.Line(p.Node.FullName()), topic, rosType, printable.Line(p.TypeHash), hash)
	})
}
