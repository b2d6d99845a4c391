// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, c := range []Compression{Uncompressed, Zstd} {
		for _, closed := range []bool{true, false} {
			f := writeFile(t, c, 5, 10, closed)
			times, r, errs := readAll(t, f.b)
			if fmt.Sprint(times) != sequence(50) || len(errs) > 0 || len(r.Damage) > 0 || r.Interrupted == closed {
				t.Errorf("%q closed %v: %v, errors %v, damage %v, interrupted %v", c, closed, times, errs, r.Damage, r.Interrupted)
			}
			if r.Profile != "ros2" || r.Library != "test" || len(r.Metadata()) != 1 || r.Metadata()[0].Entries["seed"] != "1" {
				t.Errorf("%q, %q, metadata %v", r.Profile, r.Library, r.Metadata())
			}
			for i, ch := range r.Channels() {
				if want := testChannels()[i]; !ch.equal(want) || r.Count(ch.ID) < 16 {
					t.Errorf("channel %+v, want %+v, %d messages", ch, want, r.Count(ch.ID))
				}
			}
		}
	}
}

// TestEveryByteAPowerCut: whatever byte the file ends at, all messages of the chunks before it are read, and recovering
// makes a whole file of them.
func TestEveryByteAPowerCut(t *testing.T) {
	for _, c := range []Compression{Uncompressed, Zstd} {
		const perChunk = 2
		f := writeFile(t, c, 2, perChunk, true)
		_, whole, _ := readAll(t, f.b)
		dir, headEnd := quickDir(t), len(magic)+recordHead+8+len("ros2test")
		for n := len(magic); n < len(f.b); n++ {
			want := 0
			for _, chunk := range whole.Chunks() {
				if int64(n) >= chunk.Offset+chunk.Length {
					want += perChunk
				}
			}
			times, r, errs := readAll(t, f.b[:n])
			if fmt.Sprint(times) != sequence(want) || len(errs) > 0 || !r.Interrupted {
				t.Fatalf("%q cut at %d: %v, want %d messages; %v", c, n, times, want, errs)
			}
			path := filepath.Join(dir, "x.mcap")
			if err := os.WriteFile(path, f.b[:n], 0o644); err != nil {
				t.Fatal(err)
			}
			report, err := Recover(path, func(*Reader) (Metadata, error) { return Metadata{"last", nil}, nil }, nil)
			if err != nil || report.Rewritten != (n < headEnd) || report.Messages != uint64(want) || report.Whole {
				t.Fatalf("%q cut at %d: %+v, %v", c, n, report, err)
			}
			b, _ := os.ReadFile(path)
			times, r, errs = readAll(t, b)
			if fmt.Sprint(times) != sequence(want) || len(errs) > 0 || r.Interrupted || len(r.Damage) > 0 {
				t.Fatalf("%q cut at %d and recovered: %v, %v, %v", c, n, times, errs, r.Damage)
			}
			if again, err := Recover(path, nil, nil); err != nil || !again.Whole {
				t.Fatalf("recovered twice: %+v, %v", again, err)
			}
			if n%7 == 0 {
				checkWithLibrary(t, b, want)
			}
		}
	}
}

// TestDamageInTheMiddle: a flipped byte costs its chunk at most; its position is reported; recover rewrites the rest.
func TestDamageInTheMiddle(t *testing.T) {
	for _, c := range []Compression{Uncompressed, Zstd} {
		f := writeFile(t, c, 4, 6, true)
		_, whole, _ := readAll(t, f.b)
		for at := whole.Chunks()[0].Offset; at < whole.Chunks()[3].Offset; at++ {
			b := bytes.Clone(f.b)
			b[at] ^= 0x55
			r, err := scanWhole(bytes.NewReader(b), int64(len(b)), nil)
			if err != nil {
				t.Fatal(err)
			}
			inChunk := false
			for _, chunk := range whole.Chunks() {
				inChunk = inChunk || at >= chunk.Offset && at < chunk.Offset+chunk.Length
			}
			if len(r.Damage) > 1 || inChunk && len(r.Damage) == 0 && !bytes.Equal(b[at-1:at+1], []byte{}) && r.total() != 24 {
				t.Fatalf("%q byte %d: damage %v, %d messages", c, at, r.Damage, r.total())
			}
			if r.total() < 12 {
				t.Fatalf("%q byte %d: %d messages left, %v", c, at, r.total(), r.Damage)
			}
			for _, d := range r.Damage {
				if at < d.Offset || at >= d.Offset+d.Length {
					t.Fatalf("%q byte %d: %v", c, at, d)
				}
			}
		}
	}
}

func TestRecoverRewrites(t *testing.T) {
	f := writeFile(t, Uncompressed, 4, 6, true)
	_, whole, _ := readAll(t, f.b)
	b := bytes.Clone(f.b)
	b[whole.Chunks()[1].Offset+60] ^= 1
	path := filepath.Join(quickDir(t), "x.mcap")
	if err := os.WriteFile(path, b, 0o640); err != nil {
		t.Fatal(err)
	}
	report, err := Recover(path, nil, nil)
	if err != nil || !report.Rewritten || report.Messages != 18 || len(report.Damage) != 1 || !errors.Is(report.Damage[0].Err, ErrChecksum) {
		t.Fatalf("%+v, %v", report, err)
	}
	kept, err := os.ReadFile(report.Kept)
	if err != nil || !bytes.Equal(kept, b) {
		t.Errorf("the old file is not kept: %v", err)
	}
	got, _ := os.ReadFile(path)
	times, r, errs := readAll(t, got)
	if len(times) != 18 || len(errs) > 0 || r.Interrupted || len(r.Metadata()) != 1 {
		t.Errorf("%v %v", times, errs)
	}
	checkWithLibrary(t, got, 18)
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestBusyFilesAreLeftAlone(t *testing.T) {
	path := filepath.Join(quickDir(t), "x.mcap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Lock(f); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(path, nil, nil); !errors.Is(err, ErrBusy) {
		t.Errorf("%v", err)
	}
}

// TestFullDisk: a write that fails leaves the file as it was, and may be tried again.
func TestFullDisk(t *testing.T) {
	f := &memFile{}
	w, err := NewWriter(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Register(testChannels()[0]); err != nil {
		t.Fatal(err)
	}
	var c Chunk
	c.Add(1, 1, 1, 1001, payload(1))
	if err := w.WriteChunk(&c); err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(f.b)
	c.Reset()
	c.Add(1, 3, 3, 1003, payload(3))
	for limit := len(before) + 1; ; limit++ {
		f.limit = limit
		if err := w.WriteChunk(&c); err == nil {
			break
		} else if !errors.Is(err, errFull) || !bytes.Equal(f.b, before) || w.Size() != int64(len(before)) {
			t.Fatalf("limit %d: %v, %d bytes", limit, err, len(f.b))
		}
	}
	f.limit = len(f.b) + 3
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	f.limit = 0
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkWithLibrary(t, f.b, 2)
}

func TestWriterRefuses(t *testing.T) {
	w, err := NewWriter(&memFile{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var c Chunk
	c.Add(9, 0, 1, 1, nil)
	if err := w.WriteChunk(&c); !errors.Is(err, ErrRegistered) {
		t.Errorf("%v", err)
	}
	a, b := *testChannels()[0], *testChannels()[0]
	b.Topic = "/other"
	if err := errors.Join(w.Register(&a), w.Register(&a)); err != nil {
		t.Error(err)
	}
	if err := w.Register(&b); !errors.Is(err, ErrRegistered) {
		t.Errorf("%v", err)
	}
	if _, err := NewWriter(&memFile{}, Options{Compression: "lzma"}); !errors.Is(err, ErrCompression) {
		t.Errorf("%v", err)
	}
	if _, err := NewReader(strings.NewReader("#ROSBAG V2.0\n"), 13); !errors.Is(err, ErrFormat) {
		t.Errorf("%v", err)
	}
}

// TestOrderOfMessages: messages of chunks and files that overlap come in the order of time, and a range bounds them.
func TestOrderOfMessages(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var files []*Reader
		total := map[uint64]int{}
		for range rapid.IntRange(1, 3).Draw(rt, "files") {
			f := &memFile{}
			w, _ := NewWriter(f, Options{})
			_ = w.Register(testChannels()[0])
			for range rapid.IntRange(0, 4).Draw(rt, "chunks") {
				var c Chunk
				for _, at := range rapid.SliceOfN(rapid.Uint64Range(0, 50), 0, 8).Draw(rt, "times") {
					c.Add(1, 0, at, at, nil)
					total[at]++
				}
				if err := w.WriteChunk(&c); err != nil {
					rt.Fatal(err)
				}
			}
			if rapid.Bool().Draw(rt, "close") {
				_ = w.Close()
			}
			r, err := NewReader(bytes.NewReader(f.b), int64(len(f.b)))
			if err != nil {
				rt.Fatal(err)
			}
			files = append(files, r)
		}
		g := Range{Start: rapid.Uint64Range(0, 50).Draw(rt, "start"), End: rapid.Uint64Range(0, 50).Draw(rt, "end")}
		last, got := uint64(0), map[uint64]int{}
		for m, err := range Messages(files, g) {
			if err != nil || m.LogTime < last {
				rt.Fatalf("%d after %d, %v", m.LogTime, last, err)
			}
			last = m.LogTime
			got[last]++
		}
		for at, n := range total {
			if want := map[bool]int{true: n}[at >= g.Start && (g.End == 0 || at < g.End)]; got[at] != want {
				rt.Fatalf("%d messages at %d, want %d", got[at], at, want)
			}
		}
	})
}
