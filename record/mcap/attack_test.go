// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
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

// TestWriterTellsWhatItWrote: counts, times and size, as the reader finds them afterwards.
func TestWriterTellsWhatItWrote(t *testing.T) {
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

// TestEveryWriteFailsOnce: whichever write fails, it says so, leaves the file as it was, and what is written again
// gives the file that would have come without.
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

// TestBothErrorsAreTold where a torn write can't be taken back.
func TestBothErrorsAreTold(t *testing.T) {
	_, err := NewWriter(&cannotCut{failingFile{failAt: 1}}, Options{})
	if !errors.Is(err, errDisk) || !errors.Is(err, errFull) {
		t.Error(err)
	}
}

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

// TestCompressedSizeIsHeldToWhatComes: more or less than is stated is an error, and a bomb ends at what is stated.
func TestCompressedSizeIsHeldToWhatComes(t *testing.T) {
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

// TestEveryReadFailsOnce: whichever read fails, no message is lost without a word: there is an error, or damage is
// told, or all came.
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
				n, told := 0, err != nil
				if err == nil {
					for _, err := range Messages([]*Reader{r}, Range{}) {
						if told = told || err != nil; err == nil {
							n++
						}
					}
					told = told || len(r.Damage) > 0
				}
				if n != 12 && !told {
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

// TestSummaryThatLies: whatever one byte of the summary says instead, the messages that are read are those written; a
// summary that does not fit the file is not used.
func TestSummaryThatLies(t *testing.T) {
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
			if at < len(b)-len(magic)-4 && start < uint64(len(c)-len(magic)-4) { // with a checksum that fits, as a writer that lies has it
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

// TestRecordsThatAreNone: each wrong head says what is wrong and where.
func TestRecordsThatAreNone(t *testing.T) {
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

// TestRecoverWithMetadataThatFail: the reason comes back, and the file can be recovered later.
func TestRecoverWithMetadataThatFail(t *testing.T) {
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
