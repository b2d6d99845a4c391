// SPDX-License-Identifier: Apache-2.0

package waitset

import (
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2/internal/fifo"
)

// Queue holds values until they are taken, in order. It is ready while it is not empty. It is safe for concurrent use,
// must not be copied and is created by [NewQueue].
type Queue[T any] struct {
	notifier

	limit   int
	discard func(T) // called with values that are dropped or skipped, if it is not nil

	mu     sync.Mutex
	values fifo.Queue[T]
	lost   int64
}

// NewQueue returns a queue of up to limit values, at least one; when it is full the oldest value is dropped.
func NewQueue[T any](limit int) *Queue[T] { return &Queue[T]{limit: max(1, limit)} }

// Put appends a value.
func (q *Queue[T]) Put(v T) {
	q.mu.Lock()
	if q.values.Len() == q.limit {
		q.discardLocked()
		q.lost++
	}
	q.values.Push(v)
	q.mu.Unlock()
	q.notify()
}

// Ready implements [Condition].
func (q *Queue[T]) Ready() bool { return q.Len() > 0 }

// Len returns how many values wait.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.values.Len()
}

// Lost returns how many values were dropped.
func (q *Queue[T]) Lost() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lost
}

// Take removes and returns the oldest value; ok is false if there is none.
func (q *Queue[T]) Take() (v T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.values.Len() == 0 {
		return v, false
	}
	return q.values.Pop(), true
}

// TakeAll removes all values and appends them to into, oldest first.
func (q *Queue[T]) TakeAll(into []T) []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.values.Len() > 0 {
		into = append(into, q.values.Pop())
	}
	return into
}

// Latest removes all values and returns the newest; ok is false if there is none.
func (q *Queue[T]) Latest() (v T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.values.Len() == 0 {
		return v, false
	}
	for q.values.Len() > 1 {
		q.discardLocked()
	}
	return q.values.Pop(), true
}

// discardLocked removes the oldest value; there must be one.
func (q *Queue[T]) discardLocked() {
	if v := q.values.Pop(); q.discard != nil {
		q.discard(v)
	}
}
