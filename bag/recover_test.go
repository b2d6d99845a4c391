// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// TestBadMetadataAreWrittenAnew: a metadata.yaml that is empty or cut short, as a full disk leaves it, keeps no
// recording from being recovered; opening it says how.
func TestBadMetadataAreWrittenAnew(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "x_0.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := mcap.NewWriter(f, mcap.Options{Profile: Profile})
	if err != nil {
		t.Fatal(err)
	}
	channel := &mcap.Channel{ID: 1, Topic: "/a", MessageEncoding: "cdr",
		Schema: &mcap.Schema{ID: 1, Name: "std_msgs/msg/Bool", Encoding: "ros2msg", Data: []byte("bool data\n")}}
	var chunk mcap.Chunk
	chunk.Add(1, 0, 5, 5, []byte{0, 1, 0, 0, 1})
	for _, err := range []error{w.Register(channel), w.WriteChunk(&chunk), f.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"", "rosbag2_bagfile_information:\n  vers", "\x00\x00\x00"} {
		if err := os.WriteFile(filepath.Join(dir, MetadataFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); !errors.Is(err, ErrMetadata) || !strings.Contains(err.Error(), "bag recover") {
			t.Errorf("%q: %v", text, err)
		}
		if done, err := Recover(dir, nil); err != nil || len(done) != 1 || done[0].Err != nil {
			t.Errorf("%q: %+v, %v", text, done, err)
		}
		b, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if b.Count() != 1 || len(b.Interrupted) > 0 {
			t.Errorf("%q: %d messages, interrupted %v", text, b.Count(), b.Interrupted)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRecoverKeepsTheCompressionOfMessages: of bags of messages that are compressed one by one, with metadata and without,
// with and without an end, the metadata that are written say so.
func TestRecoverKeepsTheCompressionOfMessages(t *testing.T) {
	zip, err := zstd.NewWriter(nil)
	must(t, err)
	defer func() { must(t, zip.Close()) }()
	packed := string(zip.EncodeAll([]byte("hello"), nil))
	mode := "rosbag2_bagfile_information: {version: 8, storage_identifier: %s, compression_mode: MESSAGE, compression_format: zstd, relative_file_paths: [x_0%s]}"
	for _, suffix := range []string{suffixMCAP, suffixSQLite} {
		for name, meta := range map[string]string{"without metadata": "", "with metadata": mode, "with bad metadata": "rosbag2_"} {
			t.Run(suffix+" "+name, func(t *testing.T) {
				dir, storage := t.TempDir(), StorageMCAP
				path := filepath.Join(dir, "x_0"+suffix)
				if suffix == suffixSQLite {
					if storage = StorageSQLite; !SQLite {
						t.Skip("without SQLite")
					}
					writePackedSQLite(t, path, packed)
				} else {
					writeMCAP(t, path, false, entry{"/a", 1, packed}, entry{"/a", 2, packed})
				}
				if meta == mode {
					meta = fmt.Sprintf(meta, storage, suffix)
				}
				if meta != "" {
					must(t, os.WriteFile(filepath.Join(dir, MetadataFile), []byte(meta), 0o600))
				}
				_, err := Recover(dir, nil)
				must(t, err)
				written, err := ReadMetadata(dir)
				must(t, err)
				if written.CompressionBy != "MESSAGE" || written.Compression != "zstd" {
					t.Errorf("mode %q, format %q", written.CompressionBy, written.Compression)
				}
				for _, at := range []string{dir, path} {
					if got := all(opened(t, at), Range{}); got != "/a@1=hello /a@2=hello" {
						t.Errorf("%s: %q", at, got)
					}
				}
			})
		}
	}
}
