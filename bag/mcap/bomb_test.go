// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"errors"
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
