// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Compression names how the chunks of a file are compressed.
type Compression string

// Compressions that a [Writer] makes; a [Reader] knows lz4, too.
const (
	Uncompressed Compression = ""
	Zstd         Compression = "zstd"
)

const lz4Name = "lz4"

// maxChunk is the largest chunk that is taken into memory, uncompressed.
const maxChunk = 1 << 30

// newZstd returns a compressor that a robot can afford: the fastest level, one goroutine, a window of 512 KiB.
func newZstd() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(512<<10))
}

// decompress returns the records of a chunk, which are size bytes uncompressed. With partial it returns what there is
// of data that ends too early.
func decompress(compression string, data []byte, size uint64, partial bool) ([]byte, error) {
	if size > maxChunk {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, size, maxChunk)
	}
	var r io.Reader
	switch compression {
	case "":
		if uint64(len(data)) != size && !partial {
			return nil, fmt.Errorf("%w: %d bytes of records where %d are stated", ErrFormat, len(data), size)
		}
		return data, nil
	case string(Zstd):
		d, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxChunk))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		r = d
	case lz4Name:
		r = lz4.NewReader(bytes.NewReader(data))
	default:
		return nil, fmt.Errorf("%w: %q", ErrCompression, compression)
	}
	// The stated size is not believed before so many bytes have come.
	var out bytes.Buffer
	out.Grow(int(min(size, uint64(len(data))*8)))
	n, err := io.Copy(&out, io.LimitReader(r, int64(size)+1))
	switch {
	case partial && n <= int64(size):
		return out.Bytes(), nil
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: %s: %w", ErrFormat, compression, err)
	case n != int64(size):
		return nil, fmt.Errorf("%w: %s gives %d bytes where %d are stated", ErrFormat, compression, n, size)
	}
	return out.Bytes(), nil
}
