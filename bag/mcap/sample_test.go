// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// readAt counts the bytes that are read.
type readAt struct {
	io.ReaderAt
	n int
}

func (r *readAt) ReadAt(b []byte, off int64) (int, error) {
	r.n += len(b)
	return r.ReaderAt.ReadAt(b, off)
}

// TestSampleReadsFewChunks: of a file of many chunks in JSON only the chunk that has CDR by its index is read, and without
// indexes a few.
func TestSampleReadsFewChunks(t *testing.T) {
	const chunks, size = 200, 1000
	for name, c := range map[string]struct {
		cdr     int // the chunk with CDR; none if negative
		indexed bool
		most    int // bytes
		found   bool
	}{
		"no CDR":              {-1, true, 0, false},
		"no CDR, no index":    {-1, false, 0, false},
		"first":               {0, true, 2 * size, true},
		"last":                {chunks - 1, true, 2 * size, true},
		"first without index": {0, false, 2 * size, true},
		"last without index":  {chunks - 1, false, 4 * size, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.mcap")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			w, err := NewWriter(f, Options{})
			if err != nil {
				t.Fatal(err)
			}
			err = errors.Join(w.Register(&Channel{ID: 1, Topic: "/j", MessageEncoding: "json"}), w.Register(&Channel{ID: 2, Topic: "/c", MessageEncoding: "cdr"}))
			for i := range chunks {
				var chunk Chunk
				chunk.Add(1, 0, uint64(i), 0, make([]byte, size))
				if i == c.cdr {
					chunk.Add(2, 0, uint64(i), 0, []byte("c"))
				}
				err = errors.Join(err, w.WriteChunk(&chunk))
			}
			if err := errors.Join(err, w.Close(), f.Close()); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			src := &readAt{ReaderAt: bytes.NewReader(data)}
			r, err := NewReader(src, int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.chunks {
				if len(r.chunks[i].indexes) == 0 {
					t.Fatal("a chunk without index")
				}
				if !c.indexed {
					r.chunks[i].indexes = nil
				}
			}
			src.n = 0
			m, ok := Sample([]*Reader{r}, func(c *Channel) bool { return c.MessageEncoding == "cdr" })
			if ok != c.found || ok && string(m.Data) != "c" || src.n > c.most {
				t.Errorf("%v %q, %d bytes are read, want %v and at most %d", ok, m.Data, src.n, c.found, c.most)
			}
		})
	}
}
