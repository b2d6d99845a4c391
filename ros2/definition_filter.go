// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"sync"
	"sync/atomic"
)

// DefinitionFilter distinguishes the publishers of a topic by the definition of their type. DDS matches types by name
// alone, so a reader also receives messages of publishers whose type has the same name and another definition, and would
// decode them wrongly. It is safe for concurrent use.
type DefinitionFilter struct {
	t              Transport
	topic, rosType string
	onOther        func(publisher EndpointInfo)

	mu        sync.Mutex
	hash      string
	decided   map[GID]bool
	lookups   map[GID]int // of publishers that are not in the graph
	announced map[GID]bool
	dropped   atomic.Uint64
}

// NewDefinitionFilter returns the filter of a topic whose messages are decoded by the definition with this hash, which may
// be empty: then any definition is accepted. onOther is called once for each publisher with another definition when its first
// message arrives; it must return at once, and may be nil.
func NewDefinitionFilter(t Transport, topic, rosType, hash string, onOther func(publisher EndpointInfo)) *DefinitionFilter {
	return &DefinitionFilter{
		t: t, topic: topic, rosType: rosType, hash: hash, onOther: onOther,
		decided: map[GID]bool{}, lookups: map[GID]int{}, announced: map[GID]bool{},
	}
}

// SetHash sets the hash of the definition by which messages are decoded from now on.
func (f *DefinitionFilter) SetHash(hash string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.hash != hash {
		f.hash = hash
		clear(f.decided)
	}
}

// Accepts reports whether the messages of a publisher have the expected definition. It accepts those of publishers that
// announce no hash, as in ROS 2 Humble, or that are not known: the transport does not identify them, or they are not in
// the graph yet.
func (f *DefinitionFilter) Accepts(publisher GID) bool {
	accepted, other := f.decide(publisher)
	if !accepted {
		f.dropped.Add(1)
	}
	if other != nil && f.onOther != nil {
		f.onOther(*other)
	}
	return accepted
}

// Dropped returns the number of messages that were not accepted.
func (f *DefinitionFilter) Dropped() uint64 { return f.dropped.Load() }

// decide also returns the publisher if it has another definition and was not reported before.
func (f *DefinitionFilter) decide(publisher GID) (accepted bool, other *EndpointInfo) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if publisher.IsZero() {
		return true, nil
	}
	if accepted, known := f.decided[publisher]; known {
		return accepted, nil
	}
	if f.lookups[publisher] >= maxLookups {
		return true, nil
	}
	for _, e := range EndpointsOn(f.t, f.topic) {
		if e.GID != publisher || e.Kind != PublisherEndpoint {
			continue
		}
		accepted = SameDefinition(e, f.rosType, f.hash)
		delete(f.lookups, publisher)
		limit(f.decided)
		f.decided[publisher] = accepted
		if accepted || f.announced[publisher] {
			return accepted, nil
		}
		limit(f.announced)
		f.announced[publisher] = true
		return false, &e
	}
	limit(f.lookups)
	f.lookups[publisher]++
	return true, nil
}

// limit empties a map that has become too large.
func limit[V any](m map[GID]V) {
	if len(m) >= maxArrivals {
		clear(m)
	}
}

// SameDefinition reports whether an endpoint has a type and, if both are known, its hash.
func SameDefinition(e EndpointInfo, rosType, hash string) bool {
	return e.Type == rosType && (e.TypeHash == "" || hash == "" || e.TypeHash == hash)
}
