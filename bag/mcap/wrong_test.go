// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestUnknownCompression names it, of a writer and of a chunk.
func TestUnknownCompression(t *testing.T) {
	if _, err := NewWriter(&memFile{}, Options{Compression: "lz4"}); !errors.Is(err, ErrCompression) || !strings.Contains(err.Error(), `"lz4"`) {
		t.Error(err)
	}
	for _, c := range []struct {
		name    string
		data    string
		size    uint64
		partial bool
		want    error
		out     string
	}{
		{"brotli", "x", 1, false, ErrCompression, ""}, {"", "abc", 3, false, nil, "abc"}, {"", "abc", 4, false, ErrFormat, ""},
		{"", "abc", 4, true, nil, "abc"}, {"", "", maxChunk + 1, false, ErrTooLarge, ""}, {"zstd", "no zstd", 5, false, ErrFormat, ""},
		{"lz4", "no lz4 at all", 5, false, ErrFormat, ""}, {"zstd", "", 0, false, nil, ""}, {"zstd", "", 5, false, ErrFormat, ""},
		{"zstd", "no zstd", 5, true, nil, ""},
	} {
		out, err := decompress(c.name, []byte(c.data), c.size, c.partial)
		if !errors.Is(err, c.want) || c.want == nil && string(out) != c.out {
			t.Errorf("%q of %q: %q, %v; want %v", c.name, c.data, out, err, c.want)
		}
	}
}

// TestStatedSizeIsVerified: more or less data than stated is an error, and a decompression bomb ends at the stated
// size.
func TestStatedSizeIsVerified(t *testing.T) {
	e, err := newZstd()
	if err != nil {
		t.Fatal(err)
	}
	packed := e.EncodeAll(make([]byte, 1<<14), nil)
	for size, want := range map[uint64]error{1 << 14: nil, 1<<14 - 1: ErrFormat, 1<<14 + 1: ErrFormat, 0: ErrFormat, 10: ErrFormat} {
		out, err := decompress(string(Zstd), packed, size, false)
		if !errors.Is(err, want) || want == nil && len(out) != 1<<14 {
			t.Errorf("%d: %d bytes, %v", size, len(out), err)
		}
	}
	for n := range len(packed) { // cut off: some of it, never more than is stated
		if out, err := decompress(string(Zstd), packed[:n], 1<<14, true); err != nil || len(out) > 1<<14 {
			t.Fatal(n, len(out), err)
		}
	}
}

// failingReader fails its nth call, once.
type failingReader struct {
	*bytes.Reader
	calls, failAt int
}

func (r *failingReader) ReadAt(p []byte, off int64) (int, error) {
	if r.calls++; r.calls == r.failAt {
		return 0, errDisk
	}
	return r.Reader.ReadAt(p, off)
}

// TestEveryReadFailsOnce: whichever read fails, no message is lost silently: there is an error, reported damage, or all
// messages.
func TestEveryReadFailsOnce(t *testing.T) {
	for _, closed := range []bool{true, false} {
		b := writeFile(t, Uncompressed, 3, 4, closed).b
		for _, whole := range []bool{true, false} {
			for failAt := 1; ; failAt++ {
				src := &failingReader{Reader: bytes.NewReader(b), failAt: failAt}
				open := NewReader
				if whole {
					open = func(src io.ReaderAt, size int64) (*Reader, error) { return scanWhole(src, size, nil) }
				}
				r, err := open(src, int64(len(b)))
				n, reported := 0, err != nil
				if err == nil {
					for _, err := range Messages([]*Reader{r}, Range{}) {
						if reported = reported || err != nil; err == nil {
							n++
						}
					}
					reported = reported || len(r.Damage) > 0
				}
				if n != 12 && !reported {
					t.Fatalf("closed %v, read %d: %d messages and no error", closed, failAt, n)
				}
				if src.calls < failAt {
					break
				}
			}
		}
	}
}

// TestDecoderNamesTheByte: the first value that is not there is named with its place, and no later one.
func TestDecoderNamesTheByte(t *testing.T) {
	for _, c := range []struct {
		data string
		take func(d *decoder)
		want string
	}{
		{"", func(d *decoder) { d.u16("one") }, "one at byte 100 needs 2 bytes, 0 are left"},
		{"abc", func(d *decoder) { d.u16("one"); d.u16("two") }, "two at byte 102 needs 2 bytes, 1 are left"},
		{"abc", func(d *decoder) { d.u32("one"); d.u64("two") }, "one at byte 100 needs 4 bytes"},
		{"\x05\x00\x00\x00abcd", func(d *decoder) { d.str("name") }, "name at byte 104 needs 5 bytes, 4 are left"},
		{"\xff\xff\xff\xff", func(d *decoder) { d.bytes("data") }, "data at byte 104 needs 4294967295 bytes"},
		{"\x05\x00\x00\x00\x01\x00\x00\x00k", func(d *decoder) { d.dict("map") }, "map at byte 109 needs 4 bytes, 0 are left"},
		{"\x04\x00\x00\x00\x01\x00\x00\x00", func(d *decoder) { d.dict("map") }, "map at byte 108 needs 1 bytes"},
		{"\x01", func(d *decoder) { d.schema() }, "schema id at byte 100"},
		{"\x01\x00", func(d *decoder) { d.channel() }, "schema of a channel at byte 102"},
		{"", func(d *decoder) { d.metadata() }, "metadata name"},
		{"", func(d *decoder) { d.chunkIndex() }, "chunk start"},
		{"1234567", func(d *decoder) { d.messageHead() }, "log time at byte 106 needs 8 bytes, 1 are left"},
	} {
		d := decoder{b: []byte(c.data), at: 100}
		if c.take(&d); !errors.Is(d.err, ErrFormat) || !strings.Contains(d.err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.data, d.err, c.want)
		}
	}
}

// TestMapsRoundTrip, and equal maps are equal bytes.
func TestMapsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "map")
		var e, again encoder
		e.metadata(Metadata{"x", m})
		again.metadata(Metadata{"x", maps.Clone(m)})
		d := decoder{b: e.b[recordHead:]}
		if got := d.metadata(); d.err != nil || !maps.Equal(got.Entries, m) || !bytes.Equal(e.b, again.b) {
			t.Fatalf("%v became %v: %v", m, got, d.err)
		}
	})
}

// TestCorruptSummary: whatever one byte of the summary says instead, the messages that are read are those written; a
// summary that does not fit the file is not used.
func TestCorruptSummary(t *testing.T) {
	b := writeFile(t, Uncompressed, 3, 4, true).b
	_, whole, _ := readAll(t, b)
	last := whole.Chunks()[2]
	summary := int(last.Offset+last.Length) + int(last.indexLength) + recordHead + 4
	for at := summary; at < len(b)-len(magic); at++ {
		for _, bit := range []byte{1, 0x80} {
			c := bytes.Clone(b)
			c[at] ^= bit
			start := binary.LittleEndian.Uint64(c[len(c)-len(magic)-footerLength:])
			crc := c[len(c)-len(magic)-4 : len(c)-len(magic)]
			// With a matching checksum, as a wrong writer has it.
			if at < len(b)-len(magic)-4 && start < uint64(len(c)-len(magic)-4) {
				binary.LittleEndian.PutUint32(crc, crc32.ChecksumIEEE(c[start:len(c)-len(magic)-4]))
			}
			r, err := NewReader(bytes.NewReader(c), int64(len(c)))
			if err != nil {
				t.Fatalf("byte %d: %v", at, err)
			}
			for m, err := range Messages([]*Reader{r}, Range{}) {
				if err == nil && !bytes.Equal(m.Data, payload(m.LogTime)) {
					t.Fatalf("byte %d: message %+v", at, m)
				}
			}
		}
	}
}

// TestInvalidRecords: the error for each invalid head has the reason and the position.
func TestInvalidRecords(t *testing.T) {
	head := func(op byte, n uint64) string { return string(binary.LittleEndian.AppendUint64([]byte{op}, n)) }
	for _, c := range []struct {
		data string
		want error
		text string
	}{
		{head(0, 0), ErrFormat, "no record begins at byte 8"}, {head(0x10, 0), ErrFormat, "unknown kind 0x10 at byte 8"},
		{head(0x7f, 0), ErrFormat, "unknown kind 0x7f"}, {head(opMessage, 1), ErrTruncated, "the record at byte 8 has 1 bytes, the file 0 more"},
		{head(opChunk, math.MaxUint64), ErrTruncated, "has 18446744073709551615 bytes"}, {head(opMessage, 0)[:5], ErrTruncated, "9 bytes at byte 8 of 13"},
		{head(opFirstPrivate, 0), nil, ""}, {head(0xff, 2) + "ab", nil, ""}, {head(opDataEnd, 0), nil, ""},
	} {
		data := magic + c.data
		_, _, err := newReader(strings.NewReader(data), int64(len(data))).record(8)
		if !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: %v, want %q", c.data, err, c.text)
		}
	}
	r := newReader(strings.NewReader("abc"), 3)
	for _, c := range []struct {
		off int64
		n   uint64
	}{{-1, 1}, {4, 0}, {3, 1}, {0, 4}, {0, math.MaxUint64}, {math.MaxInt64, 1}, {math.MinInt64, 1}} {
		if b, err := r.bytes(c.off, c.n); !errors.Is(err, ErrTruncated) {
			t.Errorf("%d bytes at %d: %q, %v", c.n, c.off, b, err)
		}
	}
	if got := (Damage{5, 3, ErrChecksum}).String(); got != "bytes 5 to 8: mcap: wrong checksum" {
		t.Error(got)
	}
}

// TestPrivateRecordsArePassedOver, as those of a later specification are.
func TestPrivateRecordsArePassedOver(t *testing.T) {
	f := writeFile(t, Uncompressed, 2, 3, false)
	_, whole, _ := readAll(t, f.b)
	at := whole.Chunks()[1].Offset
	private := append(binary.LittleEndian.AppendUint64([]byte{0x90}, 3), "abc"...)
	b := slices.Concat(f.b[:at], private, f.b[at:])
	times, r, errs := readAll(t, b)
	if fmt.Sprint(times) != sequence(6) || len(errs)+len(r.Damage) > 0 {
		t.Errorf("%v, %v, %v", times, errs, r.Damage)
	}
}

// TestRecoverReturnsErrorOfMetadata: the file can be recovered later.
func TestRecoverReturnsErrorOfMetadata(t *testing.T) {
	damaged := writeFile(t, Uncompressed, 3, 2, false).b
	_, whole, _ := readAll(t, damaged)
	damaged[whole.Chunks()[1].Offset+70] ^= 1
	for name, b := range map[string][]byte{"just begun": []byte(magic[:3]), "cut off": writeFile(t, Uncompressed, 2, 2, false).b, "damaged": damaged} {
		dir := quickDir(t)
		path := filepath.Join(dir, "x.mcap")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Recover(path, func(*Reader) (Metadata, error) { return Metadata{}, errDisk }, nil); !errors.Is(err, errDisk) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%s leaves %v, %v", name, left, err)
		}
		if _, err := Recover(path, nil, nil); err != nil {
			t.Errorf("%s, again: %v", name, err)
		}
		if report, err := Recover(path, nil, nil); err != nil || !report.Whole {
			t.Errorf("%s, a third time: %+v, %v", name, report, err)
		}
	}
	if _, err := Recover(filepath.Join(quickDir(t), "none"), nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestLock: a second description of the file is refused until the first is closed.
func TestLock(t *testing.T) {
	path := filepath.Join(quickDir(t), "x")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	a, b := open(), open()
	defer func() { _ = b.Close() }()
	if err := errors.Join(Lock(a), Lock(a)); err != nil { // its own is harmless
		t.Fatal(err)
	}
	if err := Lock(b); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if err := errors.Join(a.Close(), Lock(b)); err != nil {
		t.Error(err)
	}
	closed := open()
	_ = closed.Close()
	if err := Lock(closed); err == nil || errors.Is(err, ErrBusy) {
		t.Error("a closed file was locked:", err)
	}
}

// TestRangesAgainstAFilter draws files whose chunks overlap and holds ranges against sorting all messages.
func TestRangesAgainstAFilter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type kept struct {
			time    uint64
			number  uint32
			channel uint16
		}
		var files []*Reader
		var all []kept
		number := uint32(0)
		for range rapid.IntRange(1, 3).Draw(t, "files") {
			f := &memFile{}
			w, err := NewWriter(f, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for id := range uint16(3) {
				if err := w.Register(&Channel{ID: id, Topic: fmt.Sprint(id)}); err != nil {
					t.Fatal(err)
				}
			}
			for range rapid.IntRange(0, 4).Draw(t, "chunks") {
				var chunk Chunk
				for range rapid.IntRange(1, 4).Draw(t, "messages") {
					k := kept{rapid.Uint64Range(1, 20).Draw(t, "time"), number, rapid.Uint16Range(0, 2).Draw(t, "channel")}
					chunk.Add(k.channel, number, k.time, 0, nil)
					all = append(all, k)
					number++
				}
				if err := w.WriteChunk(&chunk); err != nil {
					t.Fatal(err)
				}
			}
			if rapid.Bool().Draw(t, "closed") {
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
			}
			r, err := NewReader(bytes.NewReader(f.b), int64(len(f.b)))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, r)
		}
		start, end := rapid.Uint64Range(0, 21).Draw(t, "start"), rapid.Uint64Range(0, 21).Draw(t, "end")
		want := slices.DeleteFunc(slices.Clone(all), func(k kept) bool {
			return k.time < start || end > 0 && k.time >= end || k.channel == 1
		})
		last, seen := uint64(0), map[uint32]bool{}
		for m, err := range Messages(files, Range{Start: start, End: end, Channel: func(c *Channel) bool { return c.Topic != "1" }}) {
			if err != nil {
				t.Fatal(err)
			}
			if m.LogTime < last || seen[m.Sequence] || !slices.Contains(want, kept{m.LogTime, m.Sequence, m.Channel.ID}) {
				t.Fatalf("message %d at %d after %d", m.Sequence, m.LogTime, last)
			}
			last, seen[m.Sequence] = m.LogTime, true
		}
		if len(seen) != len(want) {
			t.Fatalf("%d messages, want %d", len(seen), len(want))
		}
	})
}
