// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

const (
	// maxBlocking is how long a write waits for space in a keep-all history.
	maxBlocking = 100 * time.Millisecond
	// linger is how long to wait for the acknowledgment of the last samples.
	linger = time.Second
	// poll is the polling period of both.
	poll = 2 * time.Millisecond
)

// publisher writes shapes to its topics.
type publisher struct {
	o       *Options
	out     *report
	shape   Shape
	motion  motion
	writers []*rtps.Writer
	watches []*deadline // of the writers
	buf     []byte
}

// publish publishes shapes until the context ends or the iterations are done.
func publish(ctx context.Context, p *rtps.Participant, o *Options, out *report, seed uint64) error {
	pub := &publisher{o: o, out: out, motion: newMotion(seed), shape: Shape{Color: o.Color, Size: int32(o.Size)}}
	pub.shape.X, pub.shape.Y = pub.motion.start()
	pub.shape.Extra = bytes.Repeat([]byte{255}, o.Extra)
	for i := range o.Topics {
		topic := o.topic(i)
		out.linef("Create writer for topic: %s color: %s", topic, o.Color)
		w, err := p.NewWriter(rtps.WriterConfig{
			Topic: topic, Type: typeName, QoS: o.QoS(), Keyed: true, MaxSamples: maxSamples,
			OnMatch: func(n int, ev rtps.MatchEvent) { out.match(topic, true, n, ev) },
		})
		if err != nil {
			return fmt.Errorf("writer of %s: %w", topic, err)
		}
		pub.writers = append(pub.writers, w)
		pub.watches = append(pub.watches, newDeadline(o.Deadline))
	}
	beat := pace{period: o.WritePeriod}
	for n := 1; ; n++ {
		if err := pub.write(ctx); err != nil {
			return err
		}
		if !wait(ctx, beat.next(time.Now()), o.Deadline > 0, pub.check) || n == o.Iterations {
			break
		}
	}
	return pub.finish()
}

// write moves the shape and writes it to every topic in every colour.
func (p *publisher) write(ctx context.Context) error {
	p.motion.move(&p.shape)
	if p.o.Size == 0 {
		if p.o.Modulo > 0 {
			p.shape.Size %= int32(p.o.Modulo)
		}
		p.shape.Size++
	}
	for i, w := range p.writers {
		for k := range p.o.Instances {
			p.shape.Color = p.o.color(k)
			p.buf = Append(p.buf[:0], &p.shape, p.o.Representation)
			key := KeyHash(p.shape.Color)
			if err := writeBlocking(ctx, func() error { return w.WriteInstance(key, p.buf) }); err != nil {
				return fmt.Errorf("writing to %s: %w", p.o.topic(i), err)
			}
			p.watches[i].Update(key, time.Now())
			if p.o.Show {
				p.out.shape(p.o.topic(i), &p.shape)
			}
		}
	}
	return nil
}

// writeBlocking repeats a write while the history is full, for at most maxBlocking; then the sample is dropped.
func writeBlocking(ctx context.Context, write func() error) error {
	ctx, cancel := context.WithTimeout(ctx, maxBlocking)
	defer cancel()
	for {
		err := write()
		if !errors.Is(err, rtps.ErrFull) {
			return err
		}
		if !wait(ctx, poll, false, nil) {
			return nil
		}
	}
}

// check reports the deadlines missed.
func (p *publisher) check() {
	for i, d := range p.watches {
		if total, change := d.Missed(time.Now()); change > 0 {
			p.out.missed(p.o.topic(i), true, total, change)
		}
	}
}

// finish ends the instances as configured, and waits up to linger for the readers.
func (p *publisher) finish() error {
	for i, w := range p.writers {
		for k := range p.o.Instances {
			if p.o.Final == 0 {
				break
			}
			color := p.o.color(k)
			p.watches[i].End(KeyHash(color))
			p.buf = appendKey(p.buf[:0], color, p.o.Representation)
			err := writeBlocking(context.Background(), func() error { return w.EndInstance(KeyHash(color), p.o.Final, p.buf) })
			if err != nil {
				return fmt.Errorf("ending %s of %s: %w", color, p.o.topic(i), err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), linger)
	defer cancel()
	for !p.acknowledged() && wait(ctx, poll, false, nil) {
		continue
	}
	return nil
}

// acknowledged reports whether all reliable readers have acknowledged all samples.
func (p *publisher) acknowledged() bool {
	for _, w := range p.writers {
		if p.o.Reliability == wire.Reliable && !w.Acknowledged() {
			return false
		}
	}
	return true
}
