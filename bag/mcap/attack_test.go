// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestGoldenRecords holds records as the specification of MCAP lays them out, byte by byte.
func TestGoldenRecords(t *testing.T) {
	schema := &Schema{ID: 0x0201, Name: "a", Encoding: "b", Data: []byte{9}}
	for name, c := range map[string]struct {
		write func(e *encoder)
		want  string
	}{
		"schema": {func(e *encoder) { e.schema(schema) }, "03" + "1100000000000000" + "0102" + "0100000061" + "0100000062" + "0100000009"},
		"channel": {func(e *encoder) {
			e.channel(&Channel{ID: 7, Schema: schema, Topic: "t", MessageEncoding: "m", Metadata: map[string]string{"k": "v", "c": ""}})
		}, "04" + "2500000000000000" + "0700" + "0102" + "0100000074" + "010000006d" + "13000000" + "0100000063" + "00000000" + "010000006b" + "0100000076"},
		"channel without a schema": {func(e *encoder) { e.channel(&Channel{ID: 7}) }, "04" + "1000000000000000" + "0700" + "0000" + "00000000" + "00000000" + "00000000"},
		"metadata":                 {func(e *encoder) { e.metadata(Metadata{Name: "n"}) }, "0c" + "0900000000000000" + "010000006e" + "00000000"},
		"message index": {func(e *encoder) { e.messageIndex(3, []stamp{{9, 1}, {5, 2}}) }, "07" + "2600000000000000" + "0300" + "20000000" +
			"0500000000000000" + "0200000000000000" + "0900000000000000" + "0100000000000000"},
	} {
		var e encoder
		if c.write(&e); hex.EncodeToString(e.b) != c.want {
			t.Errorf("%s: %x, want %s", name, e.b, c.want)
		}
	}
	var chunk Chunk
	chunk.Add(3, 4, 5, 6, []byte{7})
	if got := hex.EncodeToString(chunk.data); got != "05"+"1700000000000000"+"0300"+"04000000"+"0500000000000000"+"0600000000000000"+"07" {
		t.Error(got)
	}
}

// TestGoldenFile: magic, header and the chunk's head of a file with one message.
func TestGoldenFile(t *testing.T) {
	f := &memFile{}
	w, err := NewWriter(f, Options{Profile: "p", Library: "lib"})
	if err != nil {
		t.Fatal(err)
	}
	want := "894d434150300d0a" + "01" + "0c00000000000000" + "0100000070" + "030000006c6962"
	if got := hex.EncodeToString(f.b); got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	at := len(f.b)
	var chunk Chunk
	chunk.Add(1, 0, 5, 6, []byte{7})
	if err := errors.Join(w.Register(&Channel{ID: 1}), w.WriteChunk(&chunk)); err != nil {
		t.Fatal(err)
	}
	at += recordHead + 16 // the channel
	body := append([]byte{}, f.b[at:]...)
	want = "06" + "4800000000000000" + "0500000000000000" + "0500000000000000" + "2000000000000000" +
		hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk.data))) + "00000000" + "2000000000000000"
	if got := hex.EncodeToString(body); !strings.HasPrefix(got, want+hex.EncodeToString(chunk.data)+"07") {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestChunkAgainstAList draws messages and holds what a chunk says of them against the list; a chunk that was emptied
// or that another was added to is as a new one.
func TestChunkAgainstAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var chunk Chunk
		for range rapid.IntRange(1, 3).Draw(t, "lives") {
			chunk.Reset()
			var half Chunk
			var list []Message
			var channels []uint16
			for i := range rapid.IntRange(0, 12).Draw(t, "messages") {
				m := Message{LogTime: rapid.Uint64Range(0, 20).Draw(t, "time"), Data: rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "data")}
				id := rapid.Uint16Range(0, 4).Draw(t, "channel")
				list = append(list, m)
				if !slices.Contains(channels, id) {
					channels = append(channels, id)
				}
				to := &chunk
				if i%2 == 1 { // odd ones by Append
					half.Reset()
					to = &half
				}
				to.Add(id, uint32(i), m.LogTime, m.LogTime+1, m.Data)
				if to == &half {
					chunk.Append(&half)
				}
			}
			size, start, end := 0, uint64(math.MaxUint64), uint64(0)
			for _, m := range list {
				size += recordHead + messageHead + len(m.Data)
				start, end = min(start, m.LogTime), max(end, m.LogTime)
			}
			if len(list) == 0 {
				start = 0
			}
			gotStart, gotEnd := chunk.Span()
			if chunk.Len() != len(list) || chunk.Size() != size || gotStart != start || gotEnd != end || !slices.Equal(chunk.Channels(), channels) {
				t.Fatalf("%d messages, %d bytes, %d..%d, channels %v; want %d, %d, %d..%d, %v",
					chunk.Len(), chunk.Size(), gotStart, gotEnd, chunk.Channels(), len(list), size, start, end, channels)
			}
			total := 0
			for id := range uint16(6) {
				total += chunk.Count(id)
			}
			if total != len(list) || chunk.Count(math.MaxUint16) != 0 {
				t.Fatal(total)
			}
			i := 0
			err := walk(chunk.data, 0, func(_ byte, d *decoder, _ int) error {
				_, sequence, logTime, _ := d.messageHead()
				if sequence != uint32(i) || logTime != list[i].LogTime || !bytes.Equal(d.b, list[i].Data) {
					t.Fatalf("message %d is %d at %d", i, sequence, logTime)
				}
				i++
				return d.err
			})
			if err != nil || i != len(list) {
				t.Fatal(i, err)
			}
		}
	})
}

// TestAddingAllocatesNothing once the chunk has its size: a robot records all the time.
func TestAddingAllocatesNothing(t *testing.T) {
	var chunk Chunk
	data := make([]byte, 100)
	fill := func() {
		chunk.Reset()
		for i := range uint64(50) {
			chunk.Add(uint16(i%5), 0, i, i, data)
		}
	}
	fill()
	if n := testing.AllocsPerRun(20, fill); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestSchemasWithoutANumber: 0 says that a channel has none; a schema of that number would be lost, and is refused. In
// files of others it is passed over.
func TestSchemasWithoutANumber(t *testing.T) {
	w, err := NewWriter(&memFile{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Register(&Channel{ID: 1, Schema: &Schema{Name: "x"}}); !errors.Is(err, ErrRegistered) {
		t.Error(err)
	}
	var e encoder
	e.b = append(e.b, magic...)
	at := e.begin(opHeader)
	e.u64(0)
	e.end(at)
	e.schema(&Schema{Name: "none"})
	e.channel(&Channel{ID: 1, Topic: "/a"})
	r, err := NewReader(bytes.NewReader(e.b), int64(len(e.b)))
	if err != nil || len(r.Channels()) != 1 || r.Channels()[0].Schema != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestWriterCounts: counts, times and size are those that the reader finds afterwards.
func TestWriterCounts(t *testing.T) {
	f := &memFile{}
	w, err := NewWriter(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if start, end := w.Span(); start != 0 || end != 0 || w.Size() != int64(len(f.b)) {
		t.Error(start, end, w.Size())
	}
	var chunk Chunk
	chunk.Add(2, 0, 9, 9, nil)
	chunk.Add(2, 0, 4, 4, nil)
	if err := errors.Join(w.Register(&Channel{ID: 2}), w.WriteChunk(&chunk), w.WriteChunk(&Chunk{})); err != nil {
		t.Fatal(err)
	}
	if start, end := w.Span(); start != 4 || end != 9 || w.Messages(2) != 2 || w.Messages(1) != 0 || w.Size() != int64(len(f.b)) {
		t.Error(start, end, w.Messages(2), w.Size())
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{"chunk": w.WriteChunk(&chunk), "metadata": w.WriteMetadata(Metadata{})} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
	r, err := NewReader(bytes.NewReader(f.b), int64(len(f.b)))
	if err != nil {
		t.Fatal(err)
	}
	if start, end := r.Span(); start != 4 || end != 9 || r.Count(2) != 2 || r.Size() != w.Size() {
		t.Error(start, end, r.Count(2), r.Size())
	}
}

// failingFile fails its nth call, once.
type failingFile struct {
	memFile
	calls, failAt int
	short         bool // the call that fails writes half of it and says nothing
}

var errDisk = errors.New("input/output error")

func (f *failingFile) WriteAt(p []byte, off int64) (int, error) {
	if f.calls++; f.calls == f.failAt {
		n, _ := f.memFile.WriteAt(p[:len(p)/2], off)
		if f.short {
			return n, nil
		}
		return n, errDisk
	}
	return f.memFile.WriteAt(p, off)
}

// TestEveryWriteFailsOnce: whichever write fails, there is an error, the file is unchanged, and repeating the write
// results in the same file as without the failure.
func TestEveryWriteFailsOnce(t *testing.T) {
	want := writeFile(t, Uncompressed, 3, 2, true).b
	for _, short := range []bool{false, true} {
		for failAt := 1; ; failAt++ {
			f := &failingFile{failAt: failAt, short: short}
			failed := 0
			again := func(what func() error) {
				t.Helper()
				before := len(f.b)
				err := what()
				if err == nil {
					return
				}
				failed++
				if want := map[bool]error{false: errDisk, true: io.ErrShortWrite}[short]; !errors.Is(err, want) || len(f.b) != before {
					t.Fatalf("write %d: %v, %d bytes, before %d", failAt, err, len(f.b), before)
				}
				if err := what(); err != nil {
					t.Fatal(err)
				}
			}
			var w *Writer
			again(func() (err error) {
				w, err = NewWriter(f, Options{Profile: "ros2", Library: "test"})
				return err
			})
			for _, ch := range testChannels() {
				if err := w.Register(ch); err != nil {
					t.Fatal(err)
				}
			}
			again(func() error { return w.WriteMetadata(Metadata{"run", map[string]string{"seed": "1"}}) })
			n := uint64(1)
			for range 3 {
				var chunk Chunk
				for range 2 {
					chunk.Add(uint16(1+n%3), uint32(n), n, n+1000, payload(n))
					n++
				}
				again(func() error { return w.WriteChunk(&chunk) })
			}
			again(w.Close)
			if !bytes.Equal(f.b, want) {
				t.Fatalf("write %d failed once: another file", failAt)
			}
			if failed == 0 {
				if failAt != 7 { // header, metadata, three chunks, summary
					t.Errorf("%d writes", failAt-1)
				}
				break
			}
		}
	}
}

// cannotCut fails and can't be cut off either.
type cannotCut struct{ failingFile }

func (f *cannotCut) Truncate(int64) error { return errFull }

// TestFailedTruncationReturnsBothErrors if a torn write can't be truncated.
func TestFailedTruncationReturnsBothErrors(t *testing.T) {
	_, err := NewWriter(&cannotCut{failingFile{failAt: 1}}, Options{})
	if !errors.Is(err, errDisk) || !errors.Is(err, errFull) {
		t.Error(err)
	}
}
