// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// threeFiles writes a bag of three files with two messages each, in chunks of one, and its metadata.
func threeFiles(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := range 3 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("x_%d.mcap", i)))
		must(t, err)
		w, err := mcap.NewWriter(f, mcap.Options{Profile: Profile})
		must(t, err)
		must(t, w.Register(&mcap.Channel{ID: 1, Topic: "/a", MessageEncoding: "cdr",
			Schema: &mcap.Schema{ID: 1, Name: "std_msgs/msg/Bool", Encoding: "ros2msg", Data: []byte("bool data\n")}}))
		for k := range 2 {
			at := uint64(10*i + k + 1)
			var chunk mcap.Chunk
			chunk.Add(1, uint32(k), at, at, []byte{0, 1, 0, 0, 1})
			must(t, w.WriteChunk(&chunk))
		}
		must(t, f.Close())
	}
	_, err := Recover(dir, nil)
	must(t, err)
	return dir
}

// TestInspectNamesWhatIsDamaged: what is readable is counted, and what is not is said, of the bag as a whole and of its
// files.
func TestInspectNamesWhatIsDamaged(t *testing.T) {
	at := filepath.Join
	for name, c := range map[string]struct {
		harm     func(dir string) error
		messages uint64
		want     string // in a remark or in the damage; "" for none
	}{
		"nothing":          {func(string) error { return nil }, 6, ""},
		"no metadata":      {func(d string) error { return os.Remove(at(d, MetadataFile)) }, 6, "there is no metadata.yaml"},
		"bad metadata":     {func(d string) error { return os.WriteFile(at(d, MetadataFile), []byte("\x00\x00"), 0o600) }, 6, "what follows is what the files have"},
		"a file less":      {func(d string) error { return os.Remove(at(d, "x_1.mcap")) }, 4, `"x_1.mcap" is missing in the folder, but in metadata.yaml: the messages in it are lost (2)`},
		"a file more":      {func(d string) error { return os.Link(at(d, "x_1.mcap"), at(d, "y_7.mcap")) }, 8, `"y_7.mcap" is not in metadata.yaml`},
		"another's":        {func(d string) error { return edit(at(d, MetadataFile), "x_", "other_", -1) }, 6, "metadata.yaml is of another bag"},
		"other numbers":    {func(d string) error { return edit(at(d, MetadataFile), "message_count: 6", "message_count: 9", 1) }, 6, "counts 9 messages, the files have 6"},
		"a file cut short": {func(d string) error { return cut(at(d, "x_2.mcap"), "\x00\x01\x00\x00\x01") }, 5, "x_2.mcap"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := threeFiles(t)
			must(t, c.harm(dir))
			b, remarks, err := Inspect(dir)
			must(t, err)
			said := strings.Join(append(append(remarks, b.Damage...), b.Interrupted...), "\n")
			if (c.want == "") != (said == "") || !strings.Contains(said, c.want) {
				t.Errorf("%q, want %q", said, c.want)
			}
			if n := b.Count(); n != c.messages {
				t.Errorf("%d messages, want %d", n, c.messages)
			}
			must(t, b.Close())
		})
	}
}

// TestSizesCountWhatCanBeRead: a chunk with a wrong byte takes no other message with it.
func TestSizesCountWhatCanBeRead(t *testing.T) {
	dir := threeFiles(t)
	path := filepath.Join(dir, "x_0.mcap")
	must(t, edit(path, "\x00\x01\x00\x00\x01", "\x00\x01\x00\x00\x00", 1)) // the data of a message
	b, remarks, err := Inspect(dir)
	must(t, err)
	sizes, unreadable := b.Sizes(nil)
	if len(remarks) != 0 || sizes[b.topics[0]] != 25 || unreadable == nil || !strings.Contains(unreadable.Error(), "5 of 6 messages can be read: x_0.mcap: mcap: wrong checksum: chunk at byte") {
		t.Errorf("%q, %v, %v", remarks, sizes, unreadable)
	}
	must(t, b.Close())
}

// edit replaces the first occurrences of a text in a file; -1 is all.
func edit(path, old, by string, count int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Replace(string(text), old, by, count)), 0o600)
}

// cut ends a file at the last occurrence of a text.
func cut(path, at string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, int64(strings.LastIndex(string(text), at)))
}
