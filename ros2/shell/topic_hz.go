// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// Largest windows of hz and bw, messages.
const (
	hzWindow = 10000
	bwWindow = 100
)

// watch subscribes to a topic of any type, waiting for it to appear.
func (s *session) watch(ctx context.Context, shown string) (*inbox, ros2.Reader, error) {
	topic, err := s.fullName(shown)
	if err != nil {
		return nil, nil, err
	}
	warned := false
	peer := waiting.Peer{Kind: ros2.PublisherEndpoint, Name: topic, AnyQoS: true}
	if err := s.join(s.env.Node); err != nil {
		return nil, nil, err
	}
	stop := s.notice(peer)
	defer func() { stop() }()
	for {
		g, err := s.graph(ctx, hasTopic(topic))
		if err != nil {
			return nil, nil, err
		}
		name, err := topicType(g, topic, shown)
		if err != nil {
			return nil, nil, err
		}
		if name != "" {
			box, reader, err := s.subscribeAll(topic, name, hashOn(g, topic), nil)
			if err == nil {
				box.noticed, stop = stop, func() {}
			}
			return box, reader, err
		}
		if !warned {
			s.warnUnpublished(shown)
			warned = true
		}
		if err := s.sleep(ctx, 100*time.Millisecond); err != nil {
			return nil, nil, err
		}
	}
}

// warnUnpublished prints that a topic is not published.
func (s *session) warnUnpublished(shown string) {
	s.printf("WARNING: topic [%s] does not appear to be published yet\n", shown)
}

// explain prints why a peer is missing.
func (s *session) explain(g ros2.Graph, p waiting.Peer) {
	p.Own = s.node
	if reason := p.Missing(g); reason != "" {
		fmt.Fprintf(s.env.Err, "Missing: %v: %s\n", p, reason)
	}
}

// hashOn returns the type hash that is announced for a topic.
func hashOn(g ros2.Graph, topic string) string {
	for _, e := range g.EndpointsOn(topic) {
		if e.TypeHash != "" {
			return e.TypeHash
		}
	}
	return ""
}

func topicHz(ctx context.Context, s *session) (err error) {
	box, reader, err := s.watch(ctx, s.args.value("topic_name", ""))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	r := rate{window: s.args.integer("--window", hzWindow)}
	for {
		list, _, err := box.receive(ctx, s.transport)
		if err != nil {
			return err
		}
		for _, sample := range list {
			if text := r.add(sample.Info.ReceivedTime); text != "" {
				s.printf("%s\n", text)
			}
		}
	}
}

// rate computes the rate of messages.
type rate struct {
	window  int
	last    time.Time // of the last message
	printed time.Time
	gaps    []float64 // seconds between messages
}

// add adds a message; once a second it returns the text to print.
func (r *rate) add(now time.Time) string {
	if r.last.IsZero() || now.Before(r.last) { // the clock was set back: start over
		r.last, r.gaps = now, nil
		return ""
	}
	r.gaps = append(r.gaps, now.Sub(r.last).Seconds())
	r.last = now
	if len(r.gaps) > r.window {
		r.gaps = r.gaps[1:]
	}
	if r.printed.IsZero() {
		r.printed = now
		return ""
	}
	if now.Before(r.printed.Add(time.Second)) {
		return ""
	}
	r.printed = now
	return r.text()
}

// text describes the window.
func (r *rate) text() string {
	mean, deviation := moments(r.gaps)
	perSecond := 0.0
	if mean > 0 {
		perSecond = 1 / mean
	}
	return fmt.Sprintf("average rate: %.3f\n\tmin: %.3fs max: %.3fs std dev: %.5fs window: %d",
		perSecond, slices.Min(r.gaps), slices.Max(r.gaps), deviation, len(r.gaps))
}

// moments returns the mean and the standard deviation.
func moments(values []float64) (mean, deviation float64) {
	n, variance := float64(len(values)), 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		variance += (v - mean) * (v - mean) / n
	}
	return mean, math.Sqrt(variance)
}

// topicDelay shows the age of the headers' stamps when the messages arrive.
func topicDelay(ctx context.Context, s *session) (err error) {
	shown := s.args.value("topic", "")
	topic, err := s.fullName(shown)
	if err != nil {
		return err
	}
	box, reader, err := s.watch(ctx, shown)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	g := s.transport.Graph()
	name, err := topicType(g, topic, shown)
	if err != nil {
		return err
	}
	typ, err := s.resolve(ctx, name, g, topic)
	if err != nil {
		return err
	}
	d := delay{window: s.args.integer("--window", hzWindow)}
	for {
		list, _, err := box.receive(ctx, s.transport)
		if err != nil {
			return err
		}
		for _, sample := range list {
			m, err := dynamic.Decode(typ, sample.Payload)
			if err != nil {
				return failf("cannot decode a message: %v", err)
			}
			stamp, ok := stampOf(m)
			if !ok {
				return failure("msg does not have header")
			}
			if text := d.add(sample.Info.ReceivedTime, stamp); text != "" {
				s.printf("%s\n", text)
			}
		}
	}
}

// stampOf returns the time in a message's header.
func stampOf(m *dynamic.Message) (time.Time, bool) {
	header := part(m, "header")
	if header == nil {
		return time.Time{}, false
	}
	stamp := part(header, "stamp")
	if stamp == nil {
		return time.Time{}, false
	}
	v, _ := stamp.Get("sec")
	seconds, isSeconds := v.(int64)
	v, _ = stamp.Get("nanosec")
	nanoseconds, isNanoseconds := v.(uint64)
	return time.Unix(seconds, int64(nanoseconds)), isSeconds && isNanoseconds
}

// delay computes the delay of messages.
type delay struct {
	window  int
	printed time.Time
	values  []float64 // s
}

// add adds a message; once a second it returns the text to print.
func (d *delay) add(now, stamp time.Time) string {
	d.values = append(d.values, now.Sub(stamp).Seconds())
	if len(d.values) > d.window {
		d.values = d.values[1:]
	}
	if d.printed.IsZero() {
		d.printed = now
	}
	if now.Before(d.printed.Add(time.Second)) {
		return ""
	}
	d.printed = now
	mean, deviation := moments(d.values)
	return fmt.Sprintf("average delay: %.3f\n\tmin: %.3fs max: %.3fs std dev: %.5fs window: %d",
		mean, slices.Min(d.values), slices.Max(d.values), deviation, len(d.values))
}
