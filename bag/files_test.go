// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// entry is one message of a file: of a topic of the type std_msgs/msg/UInt8, at a time.
type entry struct {
	topic string
	at    uint64
	data  string
}

// writeMCAP writes a file with the messages in chunks of two, each topic with a channel; it ends only if closed.
func writeMCAP(t testing.TB, path string, closed bool, entries ...entry) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	w, err := mcap.NewWriter(f, mcap.Options{Profile: Profile})
	must(t, err)
	ids := map[string]uint16{}
	var chunk mcap.Chunk
	for i, e := range entries {
		if ids[e.topic] == 0 {
			ids[e.topic] = uint16(len(ids) + 1)
			must(t, w.Register(&mcap.Channel{
				ID: ids[e.topic], Topic: e.topic, MessageEncoding: "cdr", Metadata: map[string]string{KeyHash: "RIHS01_" + e.topic, KeyQoS: "- {durability: 1}"},
				Schema: &mcap.Schema{ID: 1, Name: "std_msgs/msg/UInt8", Encoding: "ros2msg", Data: []byte("uint8 data\n")},
			}))
		}
		chunk.Add(ids[e.topic], 0, e.at, e.at+1, []byte(e.data))
		if chunk.Len() == 2 || i == len(entries)-1 {
			must(t, w.WriteChunk(&chunk))
			chunk.Reset()
		}
	}
	if closed {
		must(t, w.WriteMetadata(mcap.Metadata{Name: "another"}))
		must(t, w.WriteMetadata(mcap.Metadata{Name: MetadataName, Entries: map[string]string{MetadataKey: "ros_distro: kilted\ncustom_data: {k: v}\n"}}))
		must(t, w.Close())
	}
	must(t, f.Close())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// opened opens a bag and closes it with the test.
func opened(t testing.TB, path string) *Bag {
	t.Helper()
	b, err := Open(path)
	must(t, err)
	t.Cleanup(func() { must(t, b.Close()) })
	return b
}

// all reads a bag's messages as "topic@time=data", errors as "!".
func all(b *Bag, g Range) string {
	var out []string
	for m, err := range b.Messages(g) {
		if err != nil {
			out = append(out, "!")
			continue
		}
		out = append(out, fmt.Sprintf("%s@%d=%s", m.Topic.Name, m.LogTime, m.Data))
	}
	return strings.Join(out, " ")
}

// TestFilesAreOneRecording: messages of several files come by time, topics are counted over all of them.
func TestFilesAreOneRecording(t *testing.T) {
	dir := t.TempDir()
	writeMCAP(t, filepath.Join(dir, "x_0.mcap"), true, entry{"/a", 10, "1"}, entry{"/b", 30, "2"})
	writeMCAP(t, filepath.Join(dir, "x_1.mcap"), true, entry{"/a", 20, "3"}, entry{"/c", 40, "4"}, entry{"/a", 50, "5"})
	b := opened(t, dir)
	if got := all(b, Range{}); got != "/a@10=1 /a@20=3 /b@30=2 /c@40=4 /a@50=5" {
		t.Error(got)
	}
	for _, c := range []struct {
		g    Range
		want string
	}{
		{Range{Start: 20}, "/a@20=3 /b@30=2 /c@40=4 /a@50=5"}, {Range{End: 20}, "/a@10=1"}, {Range{Start: 20, End: 40}, "/a@20=3 /b@30=2"},
		{Range{Start: -5, End: -1}, "/a@10=1 /a@20=3 /b@30=2 /c@40=4 /a@50=5"}, // an end before 1970 is none
		{Range{Start: 51}, ""}, {Range{Start: 30, End: 30}, ""}, {Range{Start: math.MaxInt64}, ""},
		{Range{Topic: func(t *Topic) bool { return t.Name == "/b" || t.Name == "/c" }}, "/b@30=2 /c@40=4"},
		{Range{Topic: func(*Topic) bool { return false }}, ""},
	} {
		if got := all(b, c.g); got != c.want {
			t.Errorf("%+v: %s, want %s", c.g, got, c.want)
		}
	}
	for m, err := range b.Messages(Range{}) { // reading may end early
		if err != nil || m.LogTime != 10 || m.PublishTime != 11 {
			t.Error(m, err)
		}
		break
	}
	var counts []string
	for _, topic := range b.Topics() {
		counts = append(counts, fmt.Sprintf("%s %d %s %s %v %q", topic.Name, topic.Messages, topic.Type, topic.Hash, topic.QoS, topic.Schema))
	}
	want := ros2.QoS{Durability: ros2.TransientLocal}
	if got := counts[0]; len(counts) != 3 || got != fmt.Sprintf("/a 3 std_msgs/msg/UInt8 RIHS01_/a [%v] %q", want, "uint8 data\n") {
		t.Error(counts)
	}
	start, end := b.Span()
	if start != 10 || end != 50 || b.Count() != 5 || b.Distribution != "kilted" || b.Custom["k"] != "v" || len(b.Interrupted)+len(b.Damage) > 0 {
		t.Errorf("%d..%d, %d messages: %+v", start, end, b.Count(), b)
	}
}

// TestFilesInOrder: the running number decides, not the letters; the bag's own name may have dots and numbers.
func TestFilesInOrder(t *testing.T) {
	for _, name := range []string{"run", "run.1", "run_7", "2024_01_01-10.00"} {
		dir := t.TempDir()
		var want []string
		for i := range 12 {
			file := fmt.Sprintf("%s_%d.mcap", name, i)
			writeMCAP(t, filepath.Join(dir, file), true, entry{"/a", uint64(i), "x"})
			want = append(want, file)
		}
		if got := opened(t, dir).Metadata().Paths; !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
	}
	for name, want := range map[string]int{
		"a_0.mcap": 0, "a_12.db3": 12, "a_12.mcap.zstd": 12, "a.b_3.mcap": 3, "a.mcap": -1, "_.mcap": -1, "a_x.mcap": -1, "": -1, "/d_5/a.mcap": -1,
	} {
		if got := number(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// TestFoldersWithSpecialCharacters: a folder's name may contain the special characters of patterns.
func TestFoldersWithSpecialCharacters(t *testing.T) {
	for _, name := range []string{"[a]", "a*", "a?", `a\b`, "[", "a b"} {
		dir := filepath.Join(t.TempDir(), name)
		must(t, os.Mkdir(dir, 0o700))
		writeMCAP(t, filepath.Join(dir, "x_0.mcap"), true, entry{"/a", 1, "x"})
		if got := all(opened(t, dir), Range{}); got != "/a@1=x" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOneBadFileOfMany is damage, and the others are read; alone it is an error.
func TestOneBadFileOfMany(t *testing.T) {
	for name, bad := range map[string]string{"nothing": "", "another file": "not an mcap file at all, but a text", "a torn head": "\x89MCAP"} {
		dir := t.TempDir()
		first := filepath.Join(dir, "x_0.mcap")
		must(t, os.WriteFile(first, []byte(bad), 0o600))
		if _, err := Open(dir); !errors.Is(err, mcap.ErrFormat) {
			t.Errorf("%s, alone: %v", name, err)
		}
		must(t, os.WriteFile(filepath.Join(dir, "x_1.mcap"), []byte(bad), 0o600))
		if _, err := Open(dir); !errors.Is(err, ErrNoBag) || !strings.Contains(err.Error(), "x_1.mcap") {
			t.Errorf("%s, twice: %v", name, err)
		}
		writeMCAP(t, filepath.Join(dir, "x_2.mcap"), true, entry{"/a", 1, "x"})
		b := opened(t, dir)
		if len(b.Damage) != 2 || !strings.Contains(b.Damage[0], "x_0.mcap") || all(b, Range{}) != "/a@1=x" {
			t.Errorf("%s: %v, %s", name, b.Damage, all(b, Range{}))
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "x.mcap")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestFileThatCannotBeOpened: the error has its name.
func TestFileThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "x_0.mcap")))
	if _, err := Open(dir); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "x_0.mcap") {
		t.Error(err)
	}
	if b, err := Open(filepath.Join(dir, "x_0.mcap")); !errors.Is(err, ErrNoBag) {
		t.Error(b, err)
	}
}

// TestMessagesCompressedOneByOne, as rosbag2's compression_mode MESSAGE has them; one that is none is an error in its
// place.
func TestMessagesCompressedOneByOne(t *testing.T) {
	zip, err := zstd.NewWriter(nil)
	must(t, err)
	defer func() { must(t, zip.Close()) }()
	dir := t.TempDir()
	packed := string(zip.EncodeAll([]byte("hello"), nil))
	writeMCAP(t, filepath.Join(dir, "x_0.mcap"), true, entry{"/a", 1, packed}, entry{"/a", 2, "no zstd"}, entry{"/a", 3, packed})
	must(t, os.WriteFile(filepath.Join(dir, MetadataFile), []byte("rosbag2_bagfile_information: {compression_mode: MESSAGE, compression_format: zstd}"), 0o600))
	for _, at := range []string{dir, filepath.Join(dir, "x_0.mcap")} { // a file alone has no metadata
		if got := all(opened(t, at), Range{}); got != "/a@1=hello ! /a@3=hello" {
			t.Errorf("%s: %s", at, got)
		}
		for _, err := range opened(t, at).Messages(Range{}) {
			if want := "x_0.mcap: a message of /a cannot be decompressed"; err != nil && !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, want %q", at, err, want)
			}
		}
	}
}

// TestWhatOnlyTheMetadataKnow: topics without messages, and profiles.
func TestWhatOnlyTheMetadataKnow(t *testing.T) {
	dir := t.TempDir()
	writeMCAP(t, filepath.Join(dir, "x_0.mcap"), true, entry{"/b", 1, "x"})
	must(t, os.WriteFile(filepath.Join(dir, MetadataFile), []byte(`rosbag2_bagfile_information:
  ros_distro: humble
  custom_data: {who: me}
  topics_with_message_count:
    - {topic_metadata: {name: /b, type: other, offered_qos_profiles: "- {reliability: 2}"}, message_count: 77}
    - {topic_metadata: {name: /a, type: std_msgs/msg/Bool, serialization_format: cdr, type_description_hash: h}, message_count: 5}
`), 0o600))
	b := opened(t, dir)
	var got []string
	for _, topic := range b.Topics() {
		got = append(got, fmt.Sprintf("%s %s %d %s", topic.Name, topic.Type, topic.Messages, topic.Hash))
	}
	// Counts are the files', not the list's.
	if fmt.Sprint(got) != "[/a std_msgs/msg/Bool 0 h /b std_msgs/msg/UInt8 1 RIHS01_/b]" {
		t.Error(got)
	}
	if q := b.Topics()[1].QoS; len(q) != 1 || q[0].Reliability != ros2.BestEffort || b.Distribution != "humble" || b.Custom["who"] != "me" {
		t.Errorf("%v %+v", q, b)
	}
}

// TestRecover: each file gets its end, files that can't be recovered are named, progress only grows, and metadata.yaml
// is rewritten.
func TestRecover(t *testing.T) {
	dir := t.TempDir()
	writeMCAP(t, filepath.Join(dir, "x_0.mcap"), true, entry{"/a", 1, "x"})
	writeMCAP(t, filepath.Join(dir, "x_1.mcap"), false, entry{"/a", 2, "y"}, entry{"/b", 3, "z"})
	must(t, os.WriteFile(filepath.Join(dir, "x_2.mcap"), []byte("not an mcap file at all, but a text"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, MetadataFile), []byte("rosbag2_bagfile_information: {ros_distro: iron, custom_data: {k: w}}"), 0o600))
	last := 0.0
	done, err := Recover(dir, func(share float64, file string) {
		if share < last || share > 1 || !strings.HasPrefix(file, "x_") {
			t.Errorf("%g of %s after %g", share, file, last)
		}
		last = share
	})
	must(t, err)
	if len(done) != 3 || done[0].Err != nil || done[1].Err != nil || done[2].Err == nil || last != 1 {
		t.Errorf("%+v, %g", done, last)
	}
	if !done[0].Whole || done[1].Whole || done[1].Messages != 2 {
		t.Errorf("%+v", done)
	}
	b := opened(t, dir)
	if got := all(b, Range{}); got != "/a@1=x /a@2=y /b@3=z" || len(b.Interrupted) != 0 || b.Distribution != "iron" || b.Custom["k"] != "w" {
		t.Errorf("%s, %+v", got, b)
	}
	meta, err := ReadMetadata(dir)
	must(t, err)
	if fmt.Sprint(meta.Paths) != "[x_0.mcap x_1.mcap]" || meta.Messages != 3 || meta.Files[1].Duration.NS != 1 {
		t.Errorf("%+v", meta)
	}
	alone := filepath.Join(t.TempDir(), "y.mcap")
	writeMCAP(t, alone, false, entry{"/a", 2, "y"})
	if done, err := Recover(alone, nil); err != nil || len(done) != 1 || done[0].Err != nil {
		t.Errorf("%+v, %v", done, err)
	}
	if got := all(opened(t, alone), Range{}); got != "/a@2=y" {
		t.Error(got)
	}
	if entries, err := os.ReadDir(filepath.Dir(alone)); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
	if _, err := Recover(filepath.Join(dir, "none"), nil); !errors.Is(err, ErrNoBag) {
		t.Error(err)
	}
}

// TestRecoverOfAFileInUse touches nothing.
func TestRecoverOfAFileInUse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x_0.mcap")
	writeMCAP(t, path, false, entry{"/a", 1, "x"})
	f, err := os.Open(path)
	must(t, err)
	defer func() { must(t, f.Close()) }()
	must(t, mcap.Lock(f))
	before, err := os.ReadFile(path)
	must(t, err)
	if _, err := Recover(dir, nil); !errors.Is(err, mcap.ErrBusy) {
		t.Error(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Error(err, len(before), len(after))
	}
}
