// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Bounds of a Cache, against peers.
const (
	maxInstances = 4096
	maxSamples   = 10000 // of all instances of a cache together
)

// CacheConfig configures a Cache.
type CacheConfig struct {
	// Depth is how many samples are kept of each instance. It defaults to 0: all, up to 10000 in the cache.
	Depth int
	// Exclusive accepts an instance from its strongest writer only.
	Exclusive bool
	// Separation is the minimum time between two samples of an instance. It defaults to none.
	Separation time.Duration
	// Filter chooses samples; nil accepts all.
	Filter *Filter
}

// Cache is the history of a reader of shapes. Put adds samples and Match handles matches from the participant; Take
// removes the samples. It is safe for concurrent use.
type Cache struct {
	cfg CacheConfig

	mu        sync.Mutex
	instances map[wire.KeyHash]*instance
	order     []*instance // by first appearance
	writers   map[wire.GUID]writer
	samples   int    // in all instances
	count     uint64 // of samples ever added
}

// writer is the data kept of a matched writer.
type writer struct {
	guid     wire.GUID
	strength int32
	lifespan time.Duration // 0: unlimited
}

// Entry is a sample or the end of an instance, returned by Take.
type Entry struct {
	// State is Alive for a sample; else the instance has ended, and of Shape only Color is set.
	State state
	// Shape is the sample.
	Shape Shape

	order uint64
}

// state is the state of an instance (DDS 1.4, 2.2.2.5.1.3).
type state uint8

// States of instances, as the suite spells them.
const (
	alive     state = iota // some writer updates it
	disposed               // a writer disposed it
	noWriters              // no writer updates it any more
)

// String returns the name in the DDS specification.
func (s state) String() string {
	return [...]string{"ALIVE_INSTANCE_STATE", "NOT_ALIVE_DISPOSED_INSTANCE_STATE", "NOT_ALIVE_NO_WRITERS_INSTANCE_STATE"}[s]
}

// newCache returns an empty cache.
func newCache(cfg CacheConfig) *Cache {
	return &Cache{cfg: cfg, instances: map[wire.KeyHash]*instance{}, writers: map[wire.GUID]writer{}}
}

// Match handles a matched or unmatched writer. Instances that only an unmatched one updated become noWriters.
func (c *Cache) Match(ev rtps.MatchEvent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch ev.Kind {
	case rtps.Matched:
		w := writer{guid: ev.Remote, strength: ev.RemoteData.QoS.Strength}
		if life := ev.RemoteData.QoS.Lifespan; life > 0 && !life.IsInfinite() {
			w.lifespan = life.Duration()
		}
		c.writers[ev.Remote] = w
	case rtps.Unmatched:
		delete(c.writers, ev.Remote)
		for _, i := range c.order {
			i.leave(ev.Remote)
		}
	}
}

// Put adds a sample. It returns the instance that it updates and whether it was accepted. It fails if the payload
// cannot be decoded, with the errors of [Decode].
func (c *Cache) Put(s *rtps.Sample, now time.Time) (key wire.KeyHash, accepted bool, err error) {
	if s.Kind == wire.PayloadData && !s.Status.Gone() {
		shape, err := Decode(s.Payload)
		if err != nil {
			return key, false, err
		}
		key = KeyHash(shape.Color)
		c.mu.Lock()
		defer c.mu.Unlock()
		return key, c.update(key, shape, s, now), nil
	}
	if key, err = keyOf(s); err != nil {
		return key, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.instances[key]
	return key, i != nil && i.end(c, s.Writer, s.Status), nil
}

// keyOf returns the instance that ends with a sample: implementations send its hash, its key or both.
func keyOf(s *rtps.Sample) (wire.KeyHash, error) {
	if s.Key != (wire.KeyHash{}) {
		return s.Key, nil
	}
	color, err := DecodeKey(s.Payload)
	return KeyHash(color), err
}

// update adds a sample, unless a filter, the ownership or a bound rejects it.
func (c *Cache) update(key wire.KeyHash, shape Shape, s *rtps.Sample, now time.Time) bool {
	if !c.cfg.Filter.Passes(&shape) {
		return false
	}
	i := c.instances[key]
	if i == nil {
		if len(c.order) >= maxInstances {
			return false
		}
		i = &instance{key: key, color: shape.Color, writers: map[wire.GUID]struct{}{}}
		c.instances[key] = i
		c.order = append(c.order, i)
	}
	w, known := c.writers[s.Writer]
	if !known {
		w.guid = s.Writer
	}
	return i.update(c, shape, w, s.SourceTime, now)
}

// Take returns the entries available at now, by instance, or mixed in the order of arrival. Unless keep is true it
// removes them.
func (c *Cache) Take(now time.Time, mixed, keep bool) []Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []Entry
	for _, i := range slices.Clone(c.order) {
		list = i.read(c, list, now, keep)
		if i.state != alive && !i.news && len(i.samples) == 0 {
			c.forget(i)
		}
	}
	if mixed {
		slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Compare(a.order, b.order) })
	}
	return list
}

// forget deletes an instance that has ended and been read.
func (c *Cache) forget(i *instance) {
	delete(c.instances, i.key)
	c.order = slices.DeleteFunc(c.order, func(e *instance) bool { return e == i })
}
