// SPDX-License-Identifier: Apache-2.0

package wheels

import "sync/atomic"

// slot passes the latest value from one goroutine to another without waiting: of three buffers one belongs to the
// writer, one to the reader, and each exchanges its own for the third.
type slot[T any] struct {
	places [3]T
	writer uint32        // the writer's buffer
	reader uint32        // the reader's
	shared atomic.Uint32 // the third buffer, with fresh set if the reader has not seen it
}

const fresh = 1 << 8

// init must be called first.
func (s *slot[T]) init() {
	s.writer, s.reader = 0, 1
	s.shared.Store(2)
}

// put publishes a value. Only the writer calls it.
func (s *slot[T]) put(v *T) {
	s.places[s.writer] = *v
	s.writer = s.shared.Swap(s.writer|fresh) &^ fresh
}

// read copies the latest value to v and reports whether there was a new one. Only the reader calls it.
func (s *slot[T]) read(v *T) bool {
	if s.shared.Load()&fresh == 0 {
		return false
	}
	s.reader = s.shared.Swap(s.reader) &^ fresh
	*v = s.places[s.reader]
	return true
}
