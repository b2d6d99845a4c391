// SPDX-License-Identifier: Apache-2.0

//go:build system

package mcap

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/epuck-ros2/epuck-driver/internal/memorylimit"
)

// TestDecompressionBombsStayWithinTheLimit: chunks of a few kilobytes that state, or hold, up to 2 GiB.
func TestDecompressionBombsStayWithinTheLimit(t *testing.T) {
	memorylimit.Run(t, 900<<20, func(t *testing.T) {
		packed := map[string][]byte{"zstd": zstdZeros(t, 512<<20), "lz4": lz4Zeros(t, 512<<20)}
		for compression, data := range packed {
			for _, c := range []struct {
				size uint64
				want error
			}{
				{1 << 10, ErrFormat}, {maxUnpacked, ErrFormat}, {maxUnpacked + 1, ErrTooLarge}, {1 << 31, ErrTooLarge}, {1<<64 - 1, ErrTooLarge},
			} {
				if _, err := decompress(compression, data, c.size, false); !errors.Is(err, c.want) {
					t.Errorf("%s of %d bytes states %d: %v, want %v", compression, len(data), c.size, err, c.want)
				}
			}
		}
	})
}

func zstdZeros(t *testing.T, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 1<<20); n > 0; n -= len(block) {
		if _, err := w.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func lz4Zeros(t *testing.T, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := lz4.NewWriter(&out)
	for block := make([]byte, 1<<20); n > 0; n -= len(block) {
		if _, err := w.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestOverlappingBombsStayWithinTheLimit: a file of a few kilobytes whose chunks overlap and have 1.25 GiB in all.
func TestOverlappingBombsStayWithinTheLimit(t *testing.T) {
	memorylimit.Run(t, 900<<20, func(t *testing.T) {
		r := overlapping(t, Zstd, 20, 64<<20)
		n := 0
		for _, err := range Messages([]*Reader{r}, Range{}) {
			if err == nil {
				n++
			} else if !errors.Is(err, ErrOverlap) {
				t.Fatal(err)
			}
		}
		if n != 40 {
			t.Errorf("%d messages", n)
		}
	})
}

// TestTinyMessagesNeedLittleMoreThanTheirChunk: 4 bytes for each of 31 bytes, not a decoded message.
func TestTinyMessagesNeedLittleMoreThanTheirChunk(t *testing.T) {
	const messages = 200_000
	var chunk Chunk
	for i := range uint64(messages) {
		chunk.Add(1, 0, messages-i, 0, nil) // the latest first: they must be sorted
	}
	f := &memFile{}
	w, err := NewWriter(f, Options{})
	if err := errors.Join(err, w.Register(&Channel{ID: 1}), w.WriteChunk(&chunk), w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(f.b), int64(len(f.b)))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := uint64(0)
	for m, err := range Messages([]*Reader{r}, Range{}) {
		if n++; err != nil || m.LogTime != n {
			t.Fatal(n, m, err)
		}
	}
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(chunk.Size()*5/4); n != messages || got > most {
		t.Errorf("%d messages, %d bytes allocated, want at most %d", n, got, most)
	}
}
