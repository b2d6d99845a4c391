// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

// partTopics are the topics of a part, which exist while the part is present.
type partTopics struct {
	d       *Driver
	name    parts.Name
	outputs table.Group
	inputs  []table.Input
}

var _ parts.Topics = (*partTopics)(nil)

// Open creates the topics of a part that was found.
func (t *partTopics) Open() (opened bool, err error) {
	if !t.claim() {
		return false, nil
	}
	d, set := t.d, t.d.settings.Load()
	if t.outputs, err = table.NewGroup(d.node, set, table.PublishedBy(t.name.Topics()), &d.demand); err != nil {
		t.disclaim()
		return false, err
	}
	if t.inputs, err = table.NewInputs(d.node, commandSink{d}, set, table.SubscribedBy(t.name.Topics())); err != nil {
		t.disclaim()
		return false, errors.Join(err, table.CloseOutputs(t.outputs.All))
	}
	d.offered.add(t.outputs.All)
	return true, nil
}

// Close removes the topics.
func (t *partTopics) Close() error {
	t.disclaim()
	t.d.offered.remove(t.outputs.All)
	err := errors.Join(table.CloseOutputs(t.outputs.All), table.CloseInputs(t.inputs))
	t.outputs, t.inputs = table.Group{}, nil
	return err
}

// Wanted reports whether one of the topics has a subscription.
func (t *partTopics) Wanted() bool { return t.outputs.Wanted() }

// claim reserves the part's topics unless another part has them. Only the two magnetometers share topics: the first one
// found publishes, and the other takes over when it is lost.
func (t *partTopics) claim() bool {
	m := &t.d.magnetometer
	return t.name.Topics() != parts.Mag || m.CompareAndSwap(nil, t) || m.Load() == t
}

func (t *partTopics) disclaim() { t.d.magnetometer.CompareAndSwap(t, nil) }

// busParts are the parts on one bus and their measurements. It implements [parts.Watcher].
type busParts struct {
	*parts.Scheduler
	d       *Driver
	reading *table.Reading
}

var _ parts.Watcher = busParts{}

// newBusParts returns an empty schedule whose parts measure into the reading.
func newBusParts(d *Driver, r *table.Reading) busParts {
	b := busParts{d: d, reading: r}
	b.Scheduler = parts.NewScheduler(d.clock.Now, b)
	return b
}

// Found logs that a part was found.
func (b busParts) Found(s parts.Status) {
	level := slog.LevelInfo
	if !b.d.begun { // it was known before: a fleet may have many
		level = slog.LevelDebug
	}
	b.d.log.Log(context.Background(), level, "part found", "part", s.Name, "device", s.Device)
}

// Lost logs that a part was lost.
func (b busParts) Lost(s parts.Status, err error) {
	d := b.d
	if err != nil && d.refusals.Allow(d.clock.Now()) {
		d.log.Warn("can't remove the topics of a part", "part", s.Name, "error", err)
	}
	d.log.Warn("part lost or failing; its topics are removed until it returns", "part", s.Name, "error", s.LastErr)
}

// NotOffered logs that a part's topics could not be created.
func (b busParts) NotOffered(s parts.Status, at time.Time, err error) {
	if b.d.refusals.Allow(at) {
		b.d.log.Error("can't create the topics of a part", "part", s.Name, "error", err)
	}
}

// Measured stamps a part's measurement with the time of its transfer, except for magnetometers, which set their stamps
// themselves.
func (b busParts) Measured(s *parts.Slot, at time.Time) {
	r, stamp := b.reading, b.d.stamp(at)
	switch s.Name() {
	case parts.IMU:
		r.IMU.Stamp = stamp
	case parts.ToF:
		r.ToF.Stamp = stamp
	case parts.Ground:
		r.Ground.Stamp = stamp
	case parts.Battery:
		r.Battery.Stamp = stamp
	}
}

// publish publishes the parts' new measurements.
func (b busParts) publish() {
	if !b.News() {
		return
	}
	for _, s := range b.Slots() {
		if t, ok := s.Topics().(*partTopics); s.News() && s.Offered() && ok {
			b.d.publishAll(t.outputs.Due(), b.reading)
		}
	}
}

// offered lists the topics that currently exist. It is safe for concurrent use.
type offered struct {
	mu     sync.Mutex
	groups [][]table.Output // none is empty
}

// add adds a group of outputs, which must not be changed afterwards.
func (o *offered) add(outputs []table.Output) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(outputs) > 0 {
		o.groups = append(o.groups, outputs)
	}
}

// remove removes a group that was added.
func (o *offered) remove(outputs []table.Output) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.groups = slices.DeleteFunc(o.groups, func(g []table.Output) bool { return len(outputs) > 0 && g[0] == outputs[0] })
}

// statuses appends a snapshot of every topic.
func (o *offered) statuses(to []health.TopicStatus) []health.TopicStatus {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, g := range o.groups {
		for _, x := range g {
			to = append(to, x.Status())
		}
	}
	return to
}
