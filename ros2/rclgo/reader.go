// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rcl/rcl.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// reader implements ros2.Reader.
type reader struct {
	rclEndpoint
	matches
	subscription *rclgo.Subscription
	handle       *C.rcl_subscription_t
	onSample     func(ros2.Sample)
	maxSize      int
	taken        int64
}

// NewReader creates a subscription. The error wraps [ErrType], [ErrConfig] or [ErrRCL].
func (t *Transport) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	support, err := t.types.message(cfg.Type)
	if err != nil {
		return nil, err
	}
	if cfg.OnSample == nil {
		return nil, fmt.Errorf("%w: OnSample is nil", ErrConfig)
	}
	r := &reader{
		rclEndpoint: rclEndpoint{t: t}, matches: matches{cfg: cfg.EndpointConfig, kind: ros2.SubscriptionEndpoint},
		onSample: cfg.OnSample, maxSize: cfg.MaxSampleSize,
	}
	return r, r.begin(cfg.Node, func() error {
		err := call("subscription to "+cfg.Topic, func() (err error) {
			r.subscription, err = r.node.NewSubscription(cfg.Topic, support, &rclgo.SubscriptionOptions{Qos: toRCL(cfg.QoS)}, nil)
			return err
		})
		if err != nil {
			return err
		}
		r.handle = subscriptionHandle(r.subscription)
		r.gid = t.newestGID(r.node, ros2.SubscriptionEndpoint, cfg.Topic)
		if err := r.events(); err != nil {
			return errors.Join(err, r.endEvents(), r.subscription.Close())
		}
		return nil
	}, func(s *spinner) { s.readers = append(s.readers, r) })
}

// receive passes on one message.
func (r *reader) receive() {
	r.while(func() {
		var payload []byte
		var info *rclgo.MessageInfo
		err := call("taking from "+r.cfg.Topic, func() (err error) {
			payload, info, err = r.subscription.TakeSerializedMessage()
			return err
		})
		var nothing *rclgo.SubscriptionTakeFailed
		switch {
		case errors.As(err, &nothing):
		case err != nil:
			r.t.log.Warn("message lost", slog.Any("error", err))
		case r.maxSize > 0 && len(payload) > r.maxSize:
		default:
			r.taken++
			r.onSample(ros2.Sample{Payload: payload, Info: ros2.MessageInfo{
				SourceTime: unixTime(info.SourceTimestamp), ReceivedTime: receivedTime(info.ReceivedTimestamp), Sequence: r.taken,
			}})
		}
	})
}

// unixTime converts a time stamp; the zero time if the middleware does not provide it.
func unixTime(t time.Time) time.Time {
	if t.UnixNano() == 0 {
		return time.Time{}
	}
	return t
}

// receivedTime returns the time of reception; now if the middleware does not provide it.
func receivedTime(t time.Time) time.Time {
	if t.UnixNano() == 0 {
		return time.Now()
	}
	return t
}

// checkMatches reports changes of matches.
func (r *reader) checkMatches() {
	r.while(func() { r.update(r.t, r.subscription.GetPublisherCount) })
}

// Close closes the reader.
func (r *reader) Close() error {
	return r.finish(func(s *spinner) { remove(&s.readers, r) }, func() error {
		return call("closing the subscription to "+r.cfg.Topic, r.subscription.Close)
	})
}
