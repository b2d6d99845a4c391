// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// instance is one colour in a Cache. Guarded by Cache.mu.
type instance struct {
	key     wire.KeyHash
	color   string
	samples []entry
	writers map[wire.GUID]struct{} // those that update it
	owner   writer                 // of exclusive ownership; zero if there is none
	last    time.Time              // when the last accepted sample was written
	state   state
	news    bool   // its end has not been read yet …
	newsAt  uint64 // … and its order of arrival
}

// entry is a sample with its time of expiry; zero for none.
type entry struct {
	Entry
	void time.Time
}

// update adds a sample of a writer.
func (i *instance) update(c *Cache, shape Shape, w writer, written, now time.Time) bool {
	if c.cfg.Exclusive && !i.owns(w) {
		return false
	}
	if written.IsZero() || written.After(now) {
		written = now
	}
	i.writers[w.guid] = struct{}{}
	i.state, i.news = alive, false
	switch {
	case c.cfg.Separation > 0 && !i.last.IsZero() && written.Sub(i.last) < c.cfg.Separation:
		return false
	case c.cfg.Depth > 0 && len(i.samples) >= c.cfg.Depth:
		i.samples = slices.Delete(i.samples, 0, 1)
	case c.samples >= maxSamples:
		return false
	default:
		c.samples++
	}
	i.last = written
	c.count++
	e := entry{Entry: Entry{State: alive, Shape: shape, order: c.count}}
	if w.lifespan > 0 {
		e.void = written.Add(w.lifespan)
	}
	i.samples = append(i.samples, e)
	return true
}

// owns reports whether w is the owner, or becomes it: the stronger one, and of two equal ones that with the lower GUID
// (DDS 1.4 2.2.3.9.2).
func (i *instance) owns(w writer) bool {
	switch {
	case w.guid == i.owner.guid:
	case i.owner.guid.IsZero(), w.strength > i.owner.strength:
		i.owner = w
	case w.strength == i.owner.strength && w.guid.Compare(i.owner.guid) < 0:
		i.owner = w
	default:
		return false
	}
	return true
}

// end handles a writer's disposal or unregistration of the instance, and reports whether that changes its state.
func (i *instance) end(c *Cache, from wire.GUID, status wire.StatusInfo) bool {
	if c.cfg.Exclusive && !i.owner.guid.IsZero() && i.owner.guid != from {
		delete(i.writers, from)
		return false
	}
	before := i.state
	if status&wire.StatusDisposed != 0 && i.state != disposed {
		c.count++
		i.state, i.news, i.newsAt = disposed, true, c.count
	}
	if status&wire.StatusUnregistered != 0 {
		i.leave(from)
	}
	return i.state != before
}

// leave removes a writer from those that update the instance.
func (i *instance) leave(from wire.GUID) {
	if i.owner.guid == from {
		i.owner = writer{}
	}
	if _, ok := i.writers[from]; !ok {
		return
	}
	delete(i.writers, from)
	if len(i.writers) == 0 && i.state == alive {
		i.state, i.news, i.newsAt = noWriters, true, ^uint64(0)>>1
	}
}

// read appends the entries valid at now to list, and removes them unless keep is true.
func (i *instance) read(c *Cache, list []Entry, now time.Time, keep bool) []Entry {
	n := len(i.samples)
	i.samples = slices.DeleteFunc(i.samples, func(e entry) bool { return !e.void.IsZero() && !now.Before(e.void) })
	for _, e := range i.samples {
		list = append(list, e.Entry)
	}
	if !keep {
		i.samples = i.samples[:0]
	}
	c.samples -= n - len(i.samples)
	if i.news {
		i.news = false
		list = append(list, Entry{State: i.state, Shape: Shape{Color: i.color}, order: i.newsAt})
	}
	return list
}
