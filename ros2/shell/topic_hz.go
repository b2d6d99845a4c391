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
)

// Most messages that hz and bw look back on.
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
			return s.subscribe(topic, name, hashOn(g, topic), ros2.SensorDataQoS())
		}
		if !warned {
			s.printf("WARNING: topic [%s] does not appear to be published yet\n", shown)
			warned = true
		}
		if err := s.sleep(ctx, 100*time.Millisecond); err != nil {
			return nil, nil, err
		}
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

// rate computes how often messages come.
type rate struct {
	window  int
	last    time.Time // of the last message
	printed time.Time
	gaps    []float64 // seconds between messages
}

// add takes a message in; once in a second it returns what to print.
func (r *rate) add(now time.Time) string {
	if r.last.IsZero() || now.Before(r.last) { // the clock was set back: begin anew
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
	n := float64(len(r.gaps))
	mean, variance, perSecond := 0.0, 0.0, 0.0
	for _, g := range r.gaps {
		mean += g / n
	}
	for _, g := range r.gaps {
		variance += (g - mean) * (g - mean) / n
	}
	if mean > 0 {
		perSecond = 1 / mean
	}
	return fmt.Sprintf("average rate: %.3f\n\tmin: %.3fs max: %.3fs std dev: %.5fs window: %d",
		perSecond, slices.Min(r.gaps), slices.Max(r.gaps), math.Sqrt(variance), len(r.gaps))
}
