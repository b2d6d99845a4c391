// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rcl/publisher.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

var _ ros2.LivelinessAsserter = (*writer)(nil)

// writer implements ros2.Writer.
type writer struct {
	rclEndpoint
	matches
	publisher *rclgo.Publisher

	use   sync.RWMutex // held for reading by Write, which may be called from the writer's own callbacks
	ended bool
}

// NewWriter creates a publisher. The error wraps [ErrType], [ErrConfig] or [ErrRCL].
func (t *Transport) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	support, err := t.types.message(cfg.Type)
	if err != nil {
		return nil, err
	}
	w := &writer{rclEndpoint: rclEndpoint{t: t}, matches: matches{cfg: cfg.EndpointConfig, kind: ros2.PublisherEndpoint}}
	return w, w.begin(cfg.Node, func() error {
		err := call("publisher of "+cfg.Topic, func() (err error) {
			w.publisher, err = w.node.NewPublisher(cfg.Topic, support, &rclgo.PublisherOptions{Qos: toRCL(cfg.QoS)})
			return err
		})
		if err != nil {
			return err
		}
		w.gid = t.newestGID(w.node, ros2.PublisherEndpoint, cfg.Topic)
		if err := w.events(); err != nil {
			return errors.Join(err, w.endEvents(), w.publisher.Close())
		}
		return nil
	}, func(s *spinner) { s.writers = append(s.writers, w) })
}

// Write sends a message.
func (w *writer) Write(payload []byte) error {
	if len(payload) < encapsulationSize {
		return fmt.Errorf("%w: a message of %d bytes", ErrConfig, len(payload))
	}
	w.use.RLock()
	defer w.use.RUnlock()
	if w.ended {
		return fmt.Errorf("publisher of %s: %w", w.cfg.Topic, ros2.ErrClosed)
	}
	return call("publishing on "+w.cfg.Topic, func() error { return w.publisher.PublishSerialized(payload) })
}

// AssertLiveliness asserts the publisher's liveliness.
func (w *writer) AssertLiveliness() error {
	w.use.RLock()
	defer w.use.RUnlock()
	if w.ended {
		return fmt.Errorf("publisher of %s: %w", w.cfg.Topic, ros2.ErrClosed)
	}
	return check("asserting liveliness on "+w.cfg.Topic, func() C.rcl_ret_t {
		return C.rcl_publisher_assert_liveliness(publisherHandle(w.publisher))
	})
}

// checkMatches reports changes of matches.
func (w *writer) checkMatches() {
	w.while(func() { w.update(w.t, w.publisher.GetSubscriptionCount) })
}

// Close closes the writer.
func (w *writer) Close() error {
	return w.finish(func(s *spinner) { remove(&s.writers, w) }, func() error {
		w.use.Lock()
		defer w.use.Unlock()
		w.ended = true
		return call("closing the publisher of "+w.cfg.Topic, w.publisher.Close)
	})
}
