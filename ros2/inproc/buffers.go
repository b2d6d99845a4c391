// SPDX-License-Identifier: Apache-2.0

package inproc

import "sync"

// Buffers is a free list of buffers for encoding messages. A publisher uses one only while it publishes, so a thousand
// robots need only as many as publish concurrently. The zero value is ready; it is safe for concurrent use.
type Buffers struct {
	mu   sync.Mutex
	free [][]byte
}

// maxFree is how many unused buffers a free list keeps.
const maxFree = 16

// Take returns an empty buffer: the one returned most recently, which is most likely cached.
func (b *Buffers) Take() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.free) == 0 {
		return nil
	}
	last := len(b.free) - 1
	buf := b.free[last]
	b.free[last] = nil
	b.free = b.free[:last]
	return buf[:0]
}

// Put returns a buffer, which the caller must not use any more.
func (b *Buffers) Put(buf []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.free) < maxFree {
		b.free = append(b.free, buf)
	}
}
