// SPDX-License-Identifier: Apache-2.0

package pictures

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// logPause is the least time between two log lines about pictures that were not published.
const logPause = 10 * time.Second

// stream is a topic with a message for each picture. While there is a subscriber a sink of the pipeline is attached,
// and the sink's goroutine builds and publishes the messages; a slow network makes it miss pictures, nothing else. It
// is safe for concurrent use.
type stream[T any] struct {
	cfg   *Config
	pipe  *camera.Pipeline
	name  string
	built atomic.Uint64
	build func(m *T, img *camera.Image) // fills in the message

	mu     sync.Mutex
	pub    *ros2.Publisher[T] // nil until it is offered
	sink   *camera.Sink       // nil without subscribers
	want   camera.Output
	closed bool

	sending sync.Mutex // a closed sink may still be delivering
	refused time.Time  // when that was last said
	msg     T
}

// newStream offers a topic. Its pictures are to be as wanted.
func newStream[T any, P ros2.MessageOf[T]](p *Pictures, t Topic, want camera.Output, build func(m *T, img *camera.Image, stamp stamper)) (*stream[T], error) {
	s := &stream[T]{cfg: &p.cfg, pipe: p.pipe, name: t.Name, want: want}
	s.build = func(m *T, img *camera.Image) { build(m, img, p.cfg.Stamp) }
	pub, err := ros2.NewPublisher[T, P](p.cfg.Node, t.Name, t.QoS, ros2.OnSubscribers(func(int) { s.attend() }))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.pub = pub
	s.mu.Unlock()
	s.attend()
	return s, nil
}

// attend attaches the sink when there are subscribers and detaches it when there are none. The transport calls it.
func (s *stream[T]) attend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pub == nil {
		return
	}
	wanted := s.pub.HasSubscribers() && !s.closed
	var err error
	switch {
	case wanted && s.sink == nil:
		s.sink, err = s.pipe.Attach(s.want, s.deliver)
	case !wanted && s.sink != nil:
		err = s.sink.Close()
		s.sink = nil
	}
	if err != nil && !errors.Is(err, camera.ErrClosed) {
		s.cfg.Log.Error("a camera topic can't be served", "topic", s.name, "error", err)
	}
}

// set changes how the pictures are wanted.
func (s *stream[T]) set(want camera.Output) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.want == want {
		return nil
	}
	s.want = want
	if s.sink == nil {
		return nil
	}
	return s.sink.Set(want)
}

// deliver publishes a picture, on the sink's goroutine.
func (s *stream[T]) deliver(img *camera.Image) {
	defer func() {
		if p := recover(); p != nil {
			s.cfg.Panicked(fmt.Errorf("%v\n%s", p, debug.Stack()))
		}
	}()
	s.sending.Lock()
	defer s.sending.Unlock()
	s.build(&s.msg, img)
	s.built.Add(1)
	err := s.pub.Publish(&s.msg)
	if err == nil || errors.Is(err, ros2.ErrClosed) {
		return
	}
	s.cfg.Refused()
	if now := s.cfg.Clock.Now(); s.refused.IsZero() || now.Sub(s.refused) >= logPause || now.Before(s.refused) {
		s.refused = now
		s.cfg.Log.Warn("a picture was not published", "topic", s.name, "error", err)
	}
}

// Name is the topic's name.
func (s *stream[T]) Name() string { return s.name }

// Subscribers is the number of matched subscriptions.
func (s *stream[T]) Subscribers() int { return s.pub.SubscriptionCount() }

// Messages is the number of messages handed to the transport.
func (s *stream[T]) Messages() uint64 { return s.built.Load() }

// close withdraws the topic. Closing what was not opened is nothing.
func (s *stream[T]) close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.attend()
	return s.pub.Close()
}
