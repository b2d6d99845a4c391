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

// Compression is the compression of the chunks of a file.
type Compression string

// Compressions that a [Writer] supports; a [Reader] also supports lz4.
const (
	Uncompressed Compression = ""
	Zstd         Compression = "zstd"
)

const lz4Name = "lz4"

// maxChunk is the maximum size of a chunk in memory, maxUnpacked that of a compressed one after decompression: a few
// bytes in a file can expand to many.
const (
	maxChunk    = 1 << 30
	maxUnpacked = 256 << 20
)

// newZstd returns a compressor for the robot's processor: the fastest level, one goroutine, a window of 512 KiB.
func newZstd() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(512<<10))
}

// decompress returns the records of a chunk, which are size bytes uncompressed. With partial it returns the available
// part of data that ends too early.
func decompress(compression string, data []byte, size uint64, partial bool) ([]byte, error) {
	limit := uint64(maxChunk)
	if compression != "" {
		limit = maxUnpacked
	}
	if size > limit {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, size, limit)
	}
	var r io.Reader
	switch compression {
	case "":
		if uint64(len(data)) != size && !partial {
			return nil, fmt.Errorf("%w: %d bytes of records where %d are stated", ErrFormat, len(data), size)
		}
		return data, nil
	case string(Zstd):
		d, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxUnpacked))
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
	// Memory for the stated size is not allocated before so many bytes were decompressed.
	out, err := readUpTo(r, int(size)+1, len(data)*8)
	switch {
	case partial && len(out) <= int(size):
		return out, nil
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", ErrFormat, compression, err)
	case len(out) != int(size):
		return nil, fmt.Errorf("%w: %s gives %d bytes where %d are stated", ErrFormat, compression, len(out), size)
	}
	return out, nil
}

// readUpTo reads until the end of the data, at most most bytes. The buffer begins with a capacity of likely bytes and
// grows up to most.
func readUpTo(r io.Reader, most, likely int) ([]byte, error) {
	out := make([]byte, 0, min(most, max(likely, 512)))
	for len(out) < most {
		if len(out) == cap(out) {
			out = append(make([]byte, 0, min(most, 2*cap(out))), out...)
		}
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}
