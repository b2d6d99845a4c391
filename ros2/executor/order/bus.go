// SPDX-License-Identifier: Apache-2.0

package order

import (
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// bus connects the endpoints of the application and delivers the messages among them in order.
type bus struct {
	mu         sync.Mutex
	writers    []*writer
	readers    []*reader
	servers    []*server
	requesters []*requester
}

// match reports whether r receives w's messages.
func match(w *writer, r *reader) bool {
	return w.cfg.Topic == r.cfg.Topic && w.cfg.Type == r.cfg.Type && ros2.IncompatiblePolicies(w.cfg.QoS, r.cfg.QoS) == 0
}

// readersOf returns the readers matched with a writer, in order of creation.
func (b *bus) readersOf(w *writer) []*reader {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []*reader
	for _, r := range b.readers {
		if match(w, r) {
			all = append(all, r)
		}
	}
	return all
}

// writersOf returns the writers matched with a reader.
func (b *bus) writersOf(r *reader) []*writer {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []*writer
	for _, w := range b.writers {
		if match(w, r) {
			all = append(all, w)
		}
	}
	return all
}

// owns reports whether gid identifies a writer of the application.
func (b *bus) owns(gid ros2.GID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.writers, func(w *writer) bool { return w.inner != nil && w.inner.GID() == gid })
}

// serverOf returns the first server of a service, nil if the application has none.
func (b *bus) serverOf(name, typ string) *server {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.servers {
		if s.cfg.Name == name && s.cfg.Type == typ {
			return s
		}
	}
	return nil
}

// clientsOf returns the clients of a service.
func (b *bus) clientsOf(name string) []*requester {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []*requester
	for _, r := range b.requesters {
		if r.cfg.Name == name {
			all = append(all, r)
		}
	}
	return all
}

// add and drop add and remove an element of a list of the bus.
func add[E any](b *bus, list *[]E, e E) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*list = append(*list, e)
}

func drop[E comparable](b *bus, list *[]E, e E) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*list = slices.DeleteFunc(slices.Clone(*list), func(o E) bool { return o == e })
}
