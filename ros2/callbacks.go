// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"slices"
	"sync"
)

// callbacks is a list of functions in the order they were added. The zero value
// is empty; it is safe for concurrent use.
type callbacks[F any] struct {
	mu   sync.Mutex
	list []*F // replaced, never changed in place
}

func (c *callbacks[F]) add(f F) (cancel func()) {
	entry := &f
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(slices.Clone(c.list), entry)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.list = slices.DeleteFunc(slices.Clone(c.list), func(e *F) bool { return e == entry })
	}
}

// all returns the functions to call now.
func (c *callbacks[F]) all() []F {
	c.mu.Lock()
	defer c.mu.Unlock()
	fs := make([]F, len(c.list))
	for i, f := range c.list {
		fs[i] = *f
	}
	return fs
}
