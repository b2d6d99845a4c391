// SPDX-License-Identifier: Apache-2.0

//go:build linux

package bag

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// TestInfoEscapesNamesOfAHostileFile: neither control characters nor lines of their own.
func TestInfoEscapesNamesOfAHostileFile(t *testing.T) {
	const evil = "\x1b[2J\x1b]52;c;Zm9v\a\u009b\u202e\r\x7f\xff\nTopic: /forged\t"
	path := filepath.Join(t.TempDir(), "evil.mcap")
	f, err := os.Create(path)
	must(t, err)
	w, err := mcap.NewWriter(f, mcap.Options{Profile: evil, Library: evil})
	must(t, err)
	var chunk mcap.Chunk
	for id, topic := range []string{"/a" + evil, "/s" + evil + ServiceEventSuffix} {
		id := uint16(id + 1)
		schema := &mcap.Schema{ID: id, Name: "a/msg/B" + evil + "_Event", Encoding: evil}
		must(t, w.Register(&mcap.Channel{ID: id, Schema: schema, Topic: topic, MessageEncoding: "cdr" + evil}))
		chunk.Add(id, 0, 1, 1, nil)
	}
	must(t, errors.Join(w.WriteChunk(&chunk), w.Close(), f.Close()))
	b, err := Open(path)
	must(t, err)
	defer b.Close()
	b.Distribution = evil
	var out bytes.Buffer
	must(t, b.WriteInfo(&out, time.UTC, nil))
	if at := strings.IndexFunc(out.String(), func(r rune) bool { return !printable.IsPrintable(r) && r != '\n' }); at >= 0 {
		t.Errorf("control character at byte %d of %q", at, out.String())
	}
	if n := strings.Count(out.String(), "\n"); n != 12 || !strings.Contains(out.String(), `Topic: /a\x1b[2J`) || !strings.Contains(out.String(), `Service: /s\x1b[2J`) {
		t.Errorf("%d lines of %q", n, out.String())
	}
}

// TestPipesAreNotOpened: a pipe in place of a recording, to which nothing writes, is refused at once.
func TestPipesAreNotOpened(t *testing.T) {
	for _, name := range []string{"a.mcap", "a.db3"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		must(t, syscall.Mkfifo(path, 0o600))
		for _, at := range []string{path, dir} {
			refused := regular.ErrKind
			if name == "a.db3" && !hasSQLite { // such bags are refused unread
				refused = ErrSQLite
			}
			if _, err := Open(at); err == nil || !strings.Contains(err.Error(), refused.Error()) {
				t.Errorf("%s is opened: %v", at, err)
			}
			if done, _ := Recover(at, nil); name == "a.mcap" && (len(done) != 1 || !errors.Is(done[0].Err, regular.ErrKind)) {
				t.Errorf("%s is recovered: %v", at, done)
			}
		}
	}
}
