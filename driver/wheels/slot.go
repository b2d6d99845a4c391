// SPDX-License-Identifier: Apache-2.0

package wheels

import "sync/atomic"

// slot hands the latest value from one goroutine to another. Neither ever waits: of three places one belongs to the
// writer, one to the reader, and the third is exchanged for the own one.
type slot[T any] struct {
	places [3]T
	writer uint32        // the writer's place
	reader uint32        // the reader's
	shared atomic.Uint32 // the third, with fresh if it holds what the reader has not seen
}

const fresh = 1 << 8

// init must be called first.
func (s *slot[T]) init() {
	s.writer, s.reader = 0, 1
	s.shared.Store(2)
}

// put shows a value. Only the writer calls it.
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
