// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	lib "github.com/foxglove/mcap/go/mcap"
)

// withAttachments is a file of the library with two attachments between its chunks.
func withAttachments(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := lib.NewWriter(&out, &lib.WriterOptions{Chunked: true, ChunkSize: 1 << 20, IncludeCRC: true})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.WriteHeader(&lib.Header{Profile: "ros2", Library: "test"}))
	must(w.WriteChannel(&lib.Channel{ID: 1, Topic: "/a", MessageEncoding: "cdr"}))
	for i, name := range []string{"map.pgm", "notes"} {
		data := bytes.Repeat([]byte(name), 300_000)
		must(w.WriteMessage(&lib.Message{ChannelID: 1, LogTime: uint64(i + 1), Data: payload(1)}))
		must(w.WriteAttachment(&lib.Attachment{
			LogTime: uint64(i), CreateTime: 7, Name: name, MediaType: "text/plain", DataSize: uint64(len(data)), Data: bytes.NewReader(data),
		}))
	}
	must(w.WriteMessage(&lib.Message{ChannelID: 1, LogTime: 3, Data: payload(3)}))
	must(w.Close())
	return out.Bytes()
}

// attachmentsOf lists the attachments of a file by its index, as the library reads them.
func attachmentsOf(t *testing.T, path string) (out []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := lib.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	info, err := r.Info()
	if err != nil {
		t.Fatal(err)
	}
	if info.Statistics.AttachmentCount != uint32(len(info.AttachmentIndexes)) {
		t.Errorf("statistics count %d attachments", info.Statistics.AttachmentCount)
	}
	for _, i := range info.AttachmentIndexes {
		a, err := r.GetAttachmentReader(i.Offset)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(a.Data())
		if err != nil {
			t.Fatal(err)
		}
		if sum, err := a.ParsedCRC(); err != nil || sum == 0 {
			t.Errorf("checksum %d %v", sum, err)
		}
		out = append(out, fmt.Sprintf("%s %s %d %d %d %.7s", i.Name, i.MediaType, i.LogTime, i.CreateTime, len(data), data))
	}
	return out
}

// TestRecoverKeepsAttachments: both if the file is completed in place and if it is rewritten. A damaged one is reported
// and dropped.
func TestRecoverKeepsAttachments(t *testing.T) {
	whole := withAttachments(t)
	scanned, err := scanWhole(bytes.NewReader(whole), int64(len(whole)), nil)
	if err != nil || len(scanned.attachments) != 2 || len(scanned.Damage) > 0 {
		t.Fatalf("%+v %v", scanned, err)
	}
	const mapFile, notes = "map.pgm text/plain 0 7 2100000 map.pgm", "notes text/plain 1 7 1500000 notesno"
	first, last := scanned.attachments[0], scanned.Chunks()[len(scanned.Chunks())-1]
	damaged := bytes.Clone(whole)
	damaged[first.offset+1000] ^= 1
	for name, c := range map[string]struct {
		data    []byte
		want    []string
		damages int
	}{
		"whole":            {whole, []string{mapFile, notes}, 0},
		"no end":           {whole[:last.Offset+last.Length], []string{mapFile, notes}, 0},
		"cut in the chunk": {whole[:last.Offset+last.Length-3], []string{mapFile, notes}, 1},
		"damaged":          {damaged, []string{notes}, 1},
	} {
		path := filepath.Join(t.TempDir(), "a.mcap")
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		seen := int64(-1)
		report, err := Recover(path, nil, func(done, of int64) {
			if done <= seen || of != int64(len(c.data)) {
				t.Errorf("%s: %d of %d bytes after %d", name, done, of, seen)
			}
			seen = done
		})
		if err != nil || report.Rewritten != (name == "damaged") || len(report.Damage) != c.damages {
			t.Errorf("%s: %+v %v", name, report, err)
		}
		if got := attachmentsOf(t, path); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
