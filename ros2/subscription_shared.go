// SPDX-License-Identifier: Apache-2.0

package ros2

import "maps"

// sharedLink is a subscription's side of its link to a [SharedPublisher]. The
// publisher counts for all its subscriptions at once; base is what it had counted
// before the link.
type sharedLink struct {
	publisher interface{ total() int64 }
	base      int64
}

// link makes the subscription pass over what the publisher sends through the
// transport. The publisher is locked, and had published passed messages before.
func (s *Subscription[T]) link(gid GID, publisher interface{ total() int64 }, passed int64) {
	s.changeShared(func(links map[GID]sharedLink) {
		links[gid] = sharedLink{publisher, passed}
	})
}

// unlink undoes link and keeps the count.
func (s *Subscription[T]) unlink(gid GID, passed int64) {
	s.changeShared(func(links map[GID]sharedLink) {
		if link, ok := links[gid]; ok {
			delete(links, gid)
			s.received.Add(passed - link.base)
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
