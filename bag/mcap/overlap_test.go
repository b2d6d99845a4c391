// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// overlapping writes chunks that all last until the end: one message of size bytes at the beginning, an empty one at
// the end.
func overlapping(t *testing.T, c Compression, chunks, size int) *Reader {
	t.Helper()
	f := &memFile{}
	w, err := NewWriter(f, Options{Compression: c})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Register(&Channel{ID: 1, Topic: "/a"}); err != nil {
		t.Fatal(err)
	}
	var chunk Chunk
	data := make([]byte, size)
	for i := range uint64(chunks) {
		chunk.Reset()
		chunk.Add(1, 0, 1+i, 0, data)
		chunk.Add(1, 0, 1_000_000+i, 0, nil)
		if err := w.WriteChunk(&chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(f.b), int64(len(f.b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOverlappingChunksStayWithinTheLimit(t *testing.T) {
	for _, c := range []struct {
		limit   uint64
		open    int // chunks in memory at most
		ordered bool
	}{{1 << 30, 20, true}, {54_000, 5, false}, {1, 1, false}} {
		r := overlapping(t, Uncompressed, 20, 10_000)
		for i := range r.chunks {
			r.chunks[i].Uncompressed = 0 // as in a wrong summary
		}
		m := merge{waiting: plan([]*Reader{r}, Range{}), limit: c.limit}
		n, open, last, ordered, errs := 0, 0, uint64(0), true, 0
		for {
			msg, err, ok := m.next()
			if !ok {
				break
			}
			if open = max(open, len(m.open)); m.held > max(c.limit, 11_000) {
				t.Fatalf("limit %d: %d bytes in memory", c.limit, m.held)
			}
			if err != nil {
				if errs++; !errors.Is(err, ErrOverlap) {
					t.Fatal(err)
				}
				continue
			}
			n, ordered, last = n+1, ordered && msg.LogTime >= last, msg.LogTime
		}
		if n != 40 || open != c.open || ordered != c.ordered || ordered != (errs == 0) || errs > 1 || m.held != 0 {
			t.Errorf("limit %d: %d messages, %d chunks at once, ordered %v, %d errors, %d bytes at the end", c.limit, n, open, ordered, errs, m.held)
		}
	}
}

// TestChunksOfTheSameBytesAreReadOnce: a summary that names a chunk a hundred times is not used.
func TestChunksOfTheSameBytesAreReadOnce(t *testing.T) {
	f := &memFile{}
	w, err := NewWriter(f, Options{})
	var chunk Chunk
	chunk.Add(1, 0, 5, 0, nil)
	if err := errors.Join(err, w.Register(&Channel{ID: 1}), w.WriteChunk(&chunk)); err != nil {
		t.Fatal(err)
	}
	for range 99 {
		w.chunks = append(w.chunks, w.chunks[0])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(f.b), int64(len(f.b)))
	if err != nil {
		t.Fatal(err)
	}
	var times []uint64
	for m, err := range Messages([]*Reader{r}, Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, m.LogTime)
	}
	if fmt.Sprint(times) != "[5]" {
		t.Error(times)
	}
}
