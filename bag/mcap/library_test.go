// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	lib "github.com/foxglove/mcap/go/mcap"
)

// checkWithLibrary reads a file with Foxglove's library, by its index and record by record.
func checkWithLibrary(t testing.TB, b []byte, want int) {
	t.Helper()
	for _, indexed := range []bool{true, false} {
		r, err := lib.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		it, err := r.Messages(lib.UsingIndex(indexed), lib.InOrder(lib.LogTimeOrder))
		if !indexed {
			it, err = r.Messages(lib.UsingIndex(false), lib.InOrder(lib.FileOrder))
		}
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for {
			_, ch, m, err := it.NextInto(nil)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("indexed %v: message %d: %v", indexed, n, err)
			}
			if !bytes.Equal(m.Data, payload(m.LogTime)) || ch.Topic != testChannels()[m.ChannelID-1].Topic {
				t.Fatalf("indexed %v: %+v of %s", indexed, m, ch.Topic)
			}
			n++
		}
		if n != want {
			t.Fatalf("indexed %v: the library reads %d messages, want %d", indexed, n, want)
		}
		r.Close()
	}
	lexer, err := lib.NewLexer(bytes.NewReader(b), &lib.LexerOptions{ValidateChunkCRCs: true})
	if err != nil {
		t.Fatal(err)
	}
	defer lexer.Close()
	for {
		kind, body, err := lexer.Next(nil)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if kind == lib.TokenStatistics {
			if s, err := lib.ParseStatistics(body); err != nil || s.MessageCount != uint64(want) {
				t.Fatalf("statistics %+v, %v, want %d messages", s, err, want)
			}
		}
	}
}

func TestTheLibraryReadsOurFiles(t *testing.T) {
	for _, c := range []Compression{Uncompressed, Zstd} {
		for _, chunks := range []int{0, 1, 7} {
			checkWithLibrary(t, writeFile(t, c, chunks, 9, true).b, chunks*9)
		}
	}
}

// libraryFile is a file of the same content as writeFile, by the library.
func libraryFile(t testing.TB, o lib.WriterOptions, messages int, close bool) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := lib.NewWriter(&out, &o)
	if err != nil {
		t.Fatal(err)
	}
	err = w.WriteHeader(&lib.Header{Profile: "ros2", Library: "test"})
	for _, c := range testChannels() {
		if c.Schema != nil {
			err = errors.Join(err, w.WriteSchema(&lib.Schema{ID: c.Schema.ID, Name: c.Schema.Name, Encoding: c.Schema.Encoding, Data: c.Schema.Data}))
		}
		err = errors.Join(err, w.WriteChannel(&lib.Channel{ID: c.ID, SchemaID: c.schemaID(), Topic: c.Topic, MessageEncoding: c.MessageEncoding, Metadata: c.Metadata}))
	}
	for n := uint64(1); n <= uint64(messages); n++ {
		err = errors.Join(err, w.WriteMessage(&lib.Message{ChannelID: uint16(1 + n%3), Sequence: uint32(n), LogTime: n, PublishTime: n + 1000, Data: payload(n)}))
	}
	if close {
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// libraryOptions are the kinds of files there are.
func libraryOptions() map[string]lib.WriterOptions {
	return map[string]lib.WriterOptions{
		"plain":       {},
		"chunks":      {Chunked: true, ChunkSize: 200, IncludeCRC: true},
		"no checksum": {Chunked: true, ChunkSize: 200},
		"zstd":        {Chunked: true, ChunkSize: 200, Compression: lib.CompressionZSTD, IncludeCRC: true},
		"lz4":         {Chunked: true, ChunkSize: 200, Compression: lib.CompressionLZ4, IncludeCRC: true},
		"no summary":  {Chunked: true, ChunkSize: 200, SkipStatistics: true, SkipRepeatedSchemas: true, SkipRepeatedChannelInfos: true, SkipChunkIndex: true},
		"no indexes":  {Chunked: true, ChunkSize: 200, SkipMessageIndexing: true},
	}
}

func TestTheLibrarysFilesAreRead(t *testing.T) {
	for name, o := range libraryOptions() {
		for _, closed := range []bool{true, false} {
			b := libraryFile(t, o, 60, closed)
			times, r, errs := readAll(t, b)
			if !closed {
				if len(errs) > 0 || r == nil || !r.Interrupted {
					t.Errorf("%s, unfinished: %v", name, errs)
				}
				continue
			}
			if fmt.Sprint(times) != sequence(60) || len(errs) > 0 || len(r.Damage) > 0 || r.Interrupted || r.Count(1) != 20 {
				t.Errorf("%s: %v %v, damage %v, interrupted %v", name, times, errs, r.Damage, r.Interrupted)
			}
		}
	}
}

// TestChunkWithoutChecksumIsSavedInPart: rosbag2 writes no checksums; of a last chunk that is cut off the beginning
// is read.
func TestChunkWithoutChecksumIsSavedInPart(t *testing.T) {
	b := libraryFile(t, lib.WriterOptions{Chunked: true, ChunkSize: 1 << 20}, 60, true)
	_, whole, _ := readAll(t, b)
	c := whole.Chunks()[0]
	before := 0
	for n := c.Offset; n < c.Offset+c.Length; n += 3 {
		times, r, errs := readAll(t, b[:n])
		if len(errs) > 0 || len(times) < before || fmt.Sprint(times) != sequence(len(times)) || len(r.Damage) > 1 {
			t.Fatalf("cut at %d: %v %v %v", n, times, errs, r.Damage)
		}
		before = len(times)
	}
	if before < 50 {
		t.Errorf("%d messages are saved of 60", before)
	}
}
