// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// countedReads counts the bytes that are read.
type countedReads struct {
	io.ReaderAt
	n int
}

func (r *countedReads) ReadAt(b []byte, off int64) (int, error) {
	r.n += len(b)
	return r.ReaderAt.ReadAt(b, off)
}

// TestCompressionIsAskedOfFewMessages: to find out whether its messages are compressed, a file in JSON is not read, although a
// channel in CDR without messages is defined in it.
func TestCompressionIsAskedOfFewMessages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mcap")
	f, err := os.Create(path)
	must(t, err)
	w, err := mcap.NewWriter(f, mcap.Options{Profile: Profile})
	must(t, err)
	must(t, w.Register(&mcap.Channel{ID: 1, Topic: "/j", MessageEncoding: "json"}))
	must(t, w.Register(&mcap.Channel{ID: 2, Topic: "/c", MessageEncoding: "cdr"}))
	for i := range 100 {
		var chunk mcap.Chunk
		chunk.Add(1, 0, uint64(i), 0, make([]byte, 1000))
		must(t, w.WriteChunk(&chunk))
	}
	must(t, errors.Join(w.Close(), f.Close()))
	data, err := os.ReadFile(path)
	must(t, err)
	src := &countedReads{ReaderAt: bytes.NewReader(data)}
	r, err := mcap.NewReader(src, int64(len(data)))
	must(t, err)
	s := &mcapStore{readers: []*mcap.Reader{r}}
	_, s.topics = mcapTopics(s.readers, []string{"x.mcap"})
	src.n = 0
	if s.compressed() || src.n > 0 {
		t.Errorf("%d bytes are read", src.n)
	}
}
