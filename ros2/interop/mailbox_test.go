// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"sync"
	"testing"
	"time"
)

// timeout bounds every wait for an event, unless a mailbox has its own. It is many times the time of the slowest event,
// so that a test fails only if the event does not occur.
const timeout = 60 * time.Second

// mailbox keeps events until a test waits for them. await removes the first that matches and keeps the others, so the
// order in which a test waits for independent events does not matter.
type mailbox[T any] struct {
	mu      sync.Mutex
	items   []T
	closed  bool
	changed chan struct{} // closed and replaced at every change
	limit   time.Duration // of waiting
}

func newMailbox[T any]() *mailbox[T] {
	return &mailbox[T]{changed: make(chan struct{}), limit: timeout}
}

// put adds an item. It does not block.
func (m *mailbox[T]) put(item T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items = append(m.items, item)
	m.wake()
}

// close marks the end of the events.
func (m *mailbox[T]) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.wake()
}

func (m *mailbox[T]) wake() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// take removes and returns the first item that matches.
func (m *mailbox[T]) take(fits func(T) bool) (item T, ok, closed bool, changed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, x := range m.items {
		if fits(x) {
			m.items = append(m.items[:i:i], m.items[i+1:]...)
			return x, true, m.closed, m.changed
		}
	}
	return item, false, m.closed, m.changed
}

// await removes and returns the first item that matches, waiting for it if needed. The test fails if there is none.
func (m *mailbox[T]) await(t testing.TB, what string, fits func(T) bool) T {
	t.Helper()
	late := time.NewTimer(m.limit)
	defer late.Stop()
	for {
		item, ok, closed, changed := m.take(fits)
		if ok {
			return item
		}
		if closed {
			t.Fatalf("ended before %s", what)
		}
		select {
		case <-changed:
		case <-late.C:
			t.Fatalf("no %s", what)
		}
	}
}

// awaitWithin is await for an event that may not occur, and reports whether it did.
func (m *mailbox[T]) awaitWithin(d time.Duration, fits func(T) bool) (T, bool) {
	late := time.NewTimer(d)
	defer late.Stop()
	for {
		item, ok, closed, changed := m.take(fits)
		if ok || closed {
			return item, ok
		}
		select {
		case <-changed:
		case <-late.C:
			return item, false
		}
	}
}

// anything matches every item.
func anything[T any](T) bool { return true }

func TestMailbox(t *testing.T) {
	m := newMailbox[int]()
	go func() {
		for i := range 5 {
			m.put(i)
		}
		m.close()
	}()
	if got := m.await(t, "3", func(i int) bool { return i == 3 }); got != 3 {
		t.Errorf("got %d", got)
	}
	for _, want := range []int{0, 1, 2, 4} {
		if got := m.await(t, "the rest", anything[int]); got != want {
			t.Errorf("got %d, not %d", got, want)
		}
	}
	if got, ok := m.awaitWithin(timeout, anything[int]); ok {
		t.Errorf("got %d from an empty closed mailbox", got)
	}
	if _, ok := newMailbox[int]().awaitWithin(0, anything[int]); ok {
		t.Error("got something from an empty mailbox")
	}
}
