// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"
)

// memFile is a file in memory that can be full.
type memFile struct {
	b     []byte
	limit int // maximum size, bytes; 0 is no limit
	cuts  int
}

var errFull = errors.New("no space left on device")

func (f *memFile) WriteAt(p []byte, off int64) (int, error) {
	end := int(off) + len(p)
	n := len(p)
	if f.limit > 0 && end > f.limit {
		n = max(0, f.limit-int(off))
	}
	for len(f.b) < int(off)+n {
		f.b = append(f.b, 0)
	}
	copy(f.b[off:], p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func (f *memFile) Truncate(n int64) error {
	f.cuts++
	f.b = f.b[:n]
	return nil
}
func (f *memFile) Sync() error  { return nil }
func (f *memFile) Close() error { return nil }

// channels of the tests: the last has no schema.
func testChannels() []*Channel {
	text := &Schema{ID: 1, Name: "std_msgs/msg/String", Encoding: "ros2msg", Data: []byte("string data\n")}
	return []*Channel{
		{ID: 1, Schema: text, Topic: "/a", MessageEncoding: "cdr", Metadata: map[string]string{"offered_qos_profiles": "", "topic_type_hash": "RIHS01_x"}},
		{ID: 2, Schema: text, Topic: "/b", MessageEncoding: "cdr", Metadata: map[string]string{}},
		{ID: 3, Topic: "/c", MessageEncoding: "cdr", Metadata: map[string]string{}},
	}
}

// writeFile writes chunks × perChunk messages, time t ns being that of message t, and closes the file if close.
func writeFile(t testing.TB, c Compression, chunks, perChunk int, close bool) *memFile {
	t.Helper()
	f := &memFile{}
	w, err := NewWriter(f, Options{Profile: "ros2", Library: "test", Compression: c})
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range testChannels() {
		if err := w.Register(ch); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteMetadata(Metadata{"run", map[string]string{"seed": "1"}}); err != nil {
		t.Fatal(err)
	}
	n := uint64(1)
	var chunk Chunk
	for range chunks {
		chunk.Reset()
		for range perChunk {
			chunk.Add(uint16(1+n%3), uint32(n), n, n+1000, payload(n))
			n++
		}
		if err := w.WriteChunk(&chunk); err != nil {
			t.Fatal(err)
		}
	}
	if close {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func payload(n uint64) []byte { return bytes.Repeat([]byte{byte(n)}, int(n*7%61)) }

// readAll returns the log times of the messages, checking each message, and the errors between them.
func readAll(t testing.TB, b []byte) (times []uint64, r *Reader, errs []error) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, nil, []error{err}
	}
	for m, err := range Messages([]*Reader{r}, Range{}) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		n := m.LogTime
		if m.PublishTime != n+1000 || m.Sequence != uint32(n) || m.Channel.ID != uint16(1+n%3) || !bytes.Equal(m.Data, payload(n)) {
			t.Fatalf("message %+v", m)
		}
		times = append(times, n)
	}
	return times, r, errs
}

func sequence(n int) string {
	list := make([]uint64, n)
	for i := range list {
		list[i] = uint64(i + 1)
	}
	return fmt.Sprint(list)
}

// quickDir is a folder in memory where there is one: what is tested is what is written, not how long a disk takes.
func quickDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "mcap")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
