// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// stream is a topic with a message for each picture. While somebody subscribes a sink of the pipeline is attached, and
// the sink's goroutine builds and publishes the messages; a slow network makes it miss pictures, nothing else. It is
// safe for concurrent use.
type stream[T any] struct {
	d     *Driver
	name  string
	built atomic.Uint64
	build func(m *T, img *camera.Image) // fills in all but what concerns the driver

	mu     sync.Mutex
	pub    *ros2.Publisher[T] // nil until it is offered
	sink   *camera.Sink       // nil while nobody subscribes
	want   camera.Output
	closed bool

	sending  sync.Mutex // a closed sink may still be delivering
	refusals limiter
	msg      T
}

// newStream offers the topic of a row. Its pictures are to be as wanted.
func newStream[T any, P ros2.MessageOf[T]](d *Driver, row Topic, want camera.Output, build func(m *T, img *camera.Image, d *Driver)) (*stream[T], error) {
	s := &stream[T]{d: d, name: row.Name, want: want}
	s.build = func(m *T, img *camera.Image) { build(m, img, d) }
	pub, err := ros2.NewPublisher[T, P](d.node, row.Name, row.QoS, ros2.OnSubscribers(func(int) { s.follow() }))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.pub = pub
	s.mu.Unlock()
	s.follow()
	d.offered.add([]output{s})
	return s, nil
}

// follow attaches the sink when there are subscribers and detaches it when there are none. The transport calls it.
func (s *stream[T]) follow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pub == nil {
		return
	}
	wanted := s.pub.HasSubscribers() && !s.closed
	var err error
	switch {
	case wanted && s.sink == nil:
		s.sink, err = s.d.pictures.pipe.Attach(s.want, s.deliver)
	case !wanted && s.sink != nil:
		err = s.sink.Close()
		s.sink = nil
	}
	if err != nil && !errors.Is(err, camera.ErrClosed) {
		s.d.log.Error("a camera topic can't be served", "topic", s.name, "error", err)
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
			select {
			case s.d.fatal <- fmt.Errorf("%w: %v\n%s", ErrPanic, p, debug.Stack()):
			default: // it ends already
			}
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
	s.d.refused.Add(1)
	if s.refusals.allow(s.d.clock.Now()) {
		s.d.log.Warn("a picture was not published", "topic", s.name, "error", err)
	}
}

var _ output = (*stream[struct{}])(nil)

// publish does nothing: pictures don't come from readings.
func (s *stream[T]) publish(*reading) error { return nil }

// announce does nothing.
func (s *stream[T]) announce(*reading) error { return nil }

func (s *stream[T]) wanted() bool { return s.pub.HasSubscribers() }

func (s *stream[T]) status() TopicStatus {
	return TopicStatus{Name: s.name, Subscribers: s.pub.SubscriptionCount(), Messages: s.built.Load()}
}

// close withdraws the topic. Closing what was not opened is nothing.
func (s *stream[T]) close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.follow()
	return s.pub.Close()
}
