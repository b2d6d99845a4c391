// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func topicBw(ctx context.Context, s *session) (err error) {
	shown := s.args.value("topic", "")
	box, reader, err := s.watch(ctx, shown)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	s.printf("Subscribed to [%s]\n", shown)
	b := bandwidth{window: s.args.integer("--window", bwWindow)}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		list, err := box.takeOr(ctx, s.transport, tick.C)
		if err != nil {
			return err
		}
		if list == nil {
			if text := b.text(time.Now()); text != "" {
				s.printf("%s\n", text)
			}
			continue
		}
		for _, sample := range list {
			b.add(sample.Info.ReceivedTime, len(sample.Payload))
		}
	}
}

// takeOr is receive, but returns no messages when tick fires.
func (b *inbox) takeOr(ctx context.Context, t ros2.Transport, tick <-chan time.Time) ([]ros2.Sample, error) {
	select {
	case <-tick:
		return nil, nil
	case <-b.wake:
		b.endNotice()
		b.mu.Lock()
		defer b.mu.Unlock()
		list := b.list
		b.list, b.bytes, b.lost = nil, 0, 0
		return list, nil
	case <-ctx.Done():
		b.endNotice()
		return nil, ctx.Err()
	case <-t.Done():
		b.endNotice()
		return nil, t.Err()
	}
}

// bandwidth computes the bytes received per second.
type bandwidth struct {
	window int
	times  []time.Time
	sizes  []float64
}

func (b *bandwidth) add(t time.Time, size int) {
	b.times, b.sizes = append(b.times, t), append(b.sizes, float64(size))
	if len(b.times) > b.window {
		b.times, b.sizes = b.times[1:], b.sizes[1:]
	}
}

// text describes the window up to now; it is empty before the second message.
func (b *bandwidth) text(now time.Time) string {
	n := len(b.sizes)
	if n < 2 || !now.After(b.times[0]) {
		return ""
	}
	total := 0.0
	for _, size := range b.sizes {
		total += size
	}
	perSecond := total / now.Sub(b.times[0]).Seconds()
	unit, digits, factor := "B", 0, 1.0
	switch {
	case perSecond >= 1e6:
		unit, digits, factor = "MB", 2, 1e6
	case perSecond >= 1e3:
		unit, digits, factor = "KB", 2, 1e3
	}
	show := func(v float64) string { return fmt.Sprintf("%.*f %s", digits, v/factor, unit) }
	return fmt.Sprintf("%s/s from %d messages\n\tMessage size mean: %s min: %s max: %s",
		show(perSecond), n, show(total/float64(n)), show(slices.Min(b.sizes)), show(slices.Max(b.sizes)))
}
