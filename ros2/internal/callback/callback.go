// SPDX-License-Identifier: Apache-2.0

// Package callback implements lists of functions that may change while the functions are called.
package callback

import (
	"slices"
	"sync"
)

// List is a list of functions in the order in which they were added. The zero value is empty; it is safe for concurrent
// use.
type List[F any] struct {
	mu   sync.Mutex
	list []*F // replaced, never changed in place
}

// Add adds f to the list until cancel is called. Canceling twice is harmless.
func (l *List[F]) Add(f F) (cancel func()) {
	entry := &f
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(slices.Clone(l.list), entry)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.list = slices.DeleteFunc(slices.Clone(l.list), func(e *F) bool { return e == entry })
	}
}

// All calls call with each function that is in the list now, without a lock: the
// functions may add and cancel. It stops when call returns false.
func (l *List[F]) All(call func(F) bool) {
	l.mu.Lock()
	list := l.list
	l.mu.Unlock()
	for _, f := range list {
		if !call(*f) {
			return
		}
	}
}
