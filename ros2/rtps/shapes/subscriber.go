// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// subscription is a reader with its history.
type subscription struct {
	topic    string
	cache    *Cache
	deadline *deadline
	out      *report
}

// subscribe prints received shapes until the context ends or the iterations are done.
func subscribe(ctx context.Context, p *rtps.Participant, o *Options, out *report) error {
	var subs []*subscription
	for i := range o.Topics {
		s := &subscription{topic: o.topic(i), out: out, deadline: newDeadline(o.Deadline), cache: newCache(CacheConfig{
			Depth: o.Depth, Exclusive: o.Strength >= 0, Separation: o.TimeFilter, Filter: o.Filter,
		})}
		out.linef("Create reader for topic: %s", s.topic)
		_, err := p.NewReader(rtps.ReaderConfig{
			Topic: s.topic, Type: typeName, QoS: o.QoS(), Keyed: true, OnSample: s.store,
			OnMatch: func(n int, ev rtps.MatchEvent) {
				s.cache.Match(ev)
				out.match(s.topic, false, n, ev)
			},
		})
		if err != nil {
			return fmt.Errorf("reader of %s: %w", s.topic, err)
		}
		subs = append(subs, s)
	}
	check := func() {
		for _, s := range subs {
			s.check()
		}
	}
	for n := 1; ; n++ {
		if o.Ordered {
			out.linef("Reading with ordered access, iteration %d", n-1)
		}
		for _, s := range subs {
			s.print(o)
		}
		if n == o.Iterations || !wait(ctx, o.ReadPeriod, o.Deadline > 0, check) {
			return nil
		}
	}
}

// store adds a sample to the cache; a payload that is not a shape is reported.
func (s *subscription) store(sample *rtps.Sample) {
	now := time.Now()
	key, accepted, err := s.cache.Put(sample, now)
	switch {
	case err != nil:
		s.out.linef("bad sample of %v: %v", sample.Writer, err)
	case sample.Status.Gone():
		s.deadline.End(key)
	case accepted:
		s.deadline.Update(key, now)
	}
}

// check reports the deadlines missed.
func (s *subscription) check() {
	if total, change := s.deadline.Missed(time.Now()); change > 0 {
		s.out.missed(s.topic, false, total, change)
	}
}

// print reads the cache, by instance or all together, in order of arrival only if that was requested.
func (s *subscription) print(o *Options) {
	mixed := o.Mixed && o.Ordered && o.Scope != wire.PresentInstance
	list := s.cache.Take(time.Now(), mixed, o.Keep)
	for i := range list {
		if e := &list[i]; e.State == alive {
			s.out.shape(s.topic, &e.Shape)
		} else {
			s.out.ended(s.topic, e)
		}
	}
}
