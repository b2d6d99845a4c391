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

// logPause is the minimum time between two log lines about unpublished pictures.
const logPause = 10 * time.Second

// stream is a topic with a message for each picture. While there is a subscriber a sink of the pipeline is attached,
// and the sink's goroutine builds and publishes the messages; a slow network only makes it miss pictures. It is safe
// for concurrent use.
type stream[T any] struct {
	cfg   *Config
	pipe  *camera.Pipeline
	name  string
	built atomic.Uint64
	build func(m *T, img *camera.Image) // builds the message

	mu     sync.Mutex
	pub    *ros2.Publisher[T] // nil until it is created
	sink   *camera.Sink       // nil without subscribers
	want   camera.Output
	closed bool

	sending sync.Mutex // a closed sink may still be delivering
	refused time.Time  // time of the last log line about a rejected message
	msg     T
}

// newStream creates a topic with pictures of the given output.
func newStream[T any, P ros2.MessageOf[T]](p *Pictures, t Topic, want camera.Output, build func(m *T, img *camera.Image, stamp stamper)) (*stream[T], error) {
	s := &stream[T]{cfg: &p.cfg, pipe: p.pipe, name: t.Name, want: want}
	s.build = func(m *T, img *camera.Image) { build(m, img, p.cfg.Stamp) }
	pub, err := ros2.NewPublisher[T, P](p.cfg.Node, t.Name, t.QoS, ros2.OnSubscribers(func(int) { s.updateSink() }))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.pub = pub
	s.mu.Unlock()
	s.updateSink()
	return s, nil
}

// updateSink attaches the sink when there are subscribers and detaches it when there are none. The transport calls it.
func (s *stream[T]) updateSink() {
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
		s.cfg.Log.Error("can't attach a camera topic", "topic", s.name, "error", err)
	}
}

// set changes the output.
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
		s.cfg.Log.Warn("can't publish a picture", "topic", s.name, "error", err)
	}
}

// Name returns the topic's name.
func (s *stream[T]) Name() string { return s.name }

// Subscribers returns the number of matched subscriptions.
func (s *stream[T]) Subscribers() int { return s.pub.SubscriptionCount() }

// Messages returns the number of messages passed to the transport.
func (s *stream[T]) Messages() uint64 { return s.built.Load() }

// close closes the topic. It may be called on nil.
func (s *stream[T]) close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.updateSink()
	return s.pub.Close()
}
