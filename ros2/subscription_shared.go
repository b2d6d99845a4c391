// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"maps"
	"sync/atomic"
)

// sharedLink is a subscription's side of its link to a [SharedPublisher]. The
// publisher counts for all its subscriptions at once; base is what it had counted
// before the link.
type sharedLink struct {
	passed *atomic.Int64
	base   int64
}

// link makes the subscription pass over what the publisher sends through the
// transport.
func (s *Subscription[T]) link(publisher GID, passed *atomic.Int64) {
	s.changeShared(func(links map[GID]sharedLink) {
		links[publisher] = sharedLink{passed, passed.Load()}
	})
}

// unlink undoes link and keeps the count.
func (s *Subscription[T]) unlink(publisher GID) {
	s.changeShared(func(links map[GID]sharedLink) {
		if link, ok := links[publisher]; ok {
			delete(links, publisher)
			s.received.Add(link.passed.Load() - link.base)
		}
	})
}

// changeShared replaces the map of links, which is never changed in place.
func (s *Subscription[T]) changeShared(change func(map[GID]sharedLink)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	links := maps.Clone(*s.shared.Load())
	if links == nil {
		links = make(map[GID]sharedLink)
	}
	change(links)
	s.shared.Store(&links)
}
