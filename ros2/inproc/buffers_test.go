// SPDX-License-Identifier: Apache-2.0

package inproc

import "testing"

// TestBuffersAreReused: a returned buffer is reused, empty and without an allocation; at most maxFree are kept.
func TestBuffersAreReused(t *testing.T) {
	var b Buffers
	if buf := b.Take(); len(buf) != 0 {
		t.Errorf("%d bytes", len(buf))
	}
	b.Put(make([]byte, 5, 100))
	if buf := b.Take(); len(buf) != 0 || cap(buf) != 100 {
		t.Errorf("%d bytes of %d", len(buf), cap(buf))
	}
	b.Put(make([]byte, 0, 10))
	if n := testing.AllocsPerRun(10, func() { b.Put(b.Take()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for range 2 * maxFree {
		b.Put(make([]byte, 1))
	}
	if len(b.free) != maxFree {
		t.Errorf("%d kept, not %d", len(b.free), maxFree)
	}
}
