// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/record/mcap"
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

// TestFoldersWithSigns: a folder's name may hold the signs of patterns.
func TestFoldersWithSigns(t *testing.T) {
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

// TestFileThatCannotBeOpened is told with its name.
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

// TestCutOffAtEveryByte: a file that the power cut at any byte opens, or is refused as no MCAP; the messages that come
// are the first of those written.
func TestCutOffAtEveryByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x_0.mcap")
	writeMCAP(t, path, true, entry{"/a", 1, "x"}, entry{"/a", 2, "y"}, entry{"/b", 3, "z"})
	whole, err := os.ReadFile(path)
	must(t, err)
	const written = "/a@1=x /a@2=y /b@3=z"
	last := 3 // messages of the longer file
	for n := len(whole) - 1; n >= 0; n-- { // one file, ever shorter
		must(t, os.Truncate(path, int64(n)))
		b, err := Open(path)
		if err != nil {
			if !errors.Is(err, mcap.ErrFormat) {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		got := strings.TrimSpace(strings.ReplaceAll(all(b, Range{}), "!", ""))
		must(t, b.Close())
		count := strings.Count(got, "@")
		if !strings.HasPrefix(written, got) || count > last {
			t.Fatalf("%d bytes: %q, of one more %d messages", n, got, last)
		}
		last = count
	}
	if last != 0 {
		t.Errorf("%d messages of the shortest file", last)
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
	if got := all(opened(t, dir), Range{}); got != "/a@1=hello ! /a@3=hello" {
		t.Error(got)
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
	if fmt.Sprint(got) != "[/a std_msgs/msg/Bool 0 h /b std_msgs/msg/UInt8 1 RIHS01_/b]" { // counts are the files', not the list's
		t.Error(got)
	}
	if q := b.Topics()[1].QoS; len(q) != 1 || q[0].Reliability != ros2.BestEffort || b.Distribution != "humble" || b.Custom["who"] != "me" {
		t.Errorf("%v %+v", q, b)
	}
}

// TestInfo holds the text of "ros2 bag info" (rosbag2_transport's Formatter): columns, sizes, days, services apart.
func TestInfo(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC).UnixNano()
	b := &Bag{
		Storage: StorageMCAP,
		topics: []*Topic{
			{Name: "/a", Type: "std_msgs/msg/UInt8", Format: "cdr", Messages: 3, SchemaEncoding: "ros2msg", QoS: []ros2.QoS{{}}},
			{Name: "/b", Type: "std_msgs/msg/Bool", Format: "cdr"},
			{Name: "/s/_service_event", Type: "std_srvs/srv/Trigger_Event", Format: "cdr", Messages: 2},
		},
		files: []Part{{"x_0.mcap", 1000, 2, at, at + 1}, {"x_1.mcap", 536, 3, at + 5, at + 1_500_000_000}, {Path: "x_2.mcap"}},
	}
	var out bytes.Buffer
	must(t, b.WriteInfo(&out, time.UTC, nil))
	const want = `
Files:             x_0.mcap
                   x_1.mcap
                   x_2.mcap
Bag size:          1.5 KiB
Storage id:        mcap
ROS Distro:        unknown
Duration:          1.500000000s
Start:             Feb  3 2026 04:05:06.000000007 (1770091506.000000007)
End:               Feb  3 2026 04:05:07.500000007 (1770091507.500000007)
Messages:          3
Topic information: Topic: /a | Type: std_msgs/msg/UInt8 | Count: 3 | Serialization Format: cdr
                   Topic: /b | Type: std_msgs/msg/Bool | Count: 0 | Serialization Format: cdr
Service:           1
Service information: Service: /s | Type: std_srvs/srv/Trigger | Event Count: 2 | Serialization Format: cdr
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
	out.Reset()
	b.Distribution = "jazzy"
	must(t, b.WriteInfo(&out, time.FixedZone("", 3600), map[string]uint64{"/a": 2048, "/s/_service_event": 7}))
	for _, want := range []string{
		"ROS Distro:        jazzy\n", "Feb  3 2026 05:05:06", "Count: 3 | Size Contribution: 2.0 KiB | Serial", "Count: 0 | Size Contribution: 0 B |",
		"Event Count: 2 | Size Contribution: 7 B |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := b.WriteInfo(fullDisk{}, time.UTC, nil); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

var errFull = errors.New("no space left")

// fullDisk writes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestJSON: what a program reads, with lists that are never null.
func TestJSON(t *testing.T) {
	dir := t.TempDir()
	writeMCAP(t, filepath.Join(dir, "x_0.mcap"), false, entry{"/a", 1_000_000_000, "xyz"}, entry{"/a", 3_500_000_000, "x"})
	b := opened(t, dir)
	sizes, err := b.Sizes(nil)
	must(t, err)
	text, err := b.JSON(sizes)
	must(t, err)
	var got map[string]any
	must(t, json.Unmarshal(text, &got))
	for field, want := range map[string]string{
		"duration_s": "2.5", "start_ns": "1e+09", "end_ns": "3.5e+09", "messages": "2", "storage": "mcap", "interrupted": "[x_0.mcap]",
		"topics": "[map[has_definition:true messages:2 name:/a offered_qos:" + ros2.QoS{Durability: ros2.TransientLocal}.String() +
			" serialization_format:cdr size_bytes:4 type:std_msgs/msg/UInt8 type_hash:RIHS01_/a]]",
	} {
		if fmt.Sprint(got[field]) != want {
			t.Errorf("%s is %v, want %s", field, got[field], want)
		}
	}
	empty, err := (&Bag{}).JSON(nil)
	if must(t, err); !bytes.Contains(empty, []byte(`"files": []`)) || !bytes.Contains(empty, []byte(`"topics": []`)) || bytes.Contains(empty, []byte("null")) {
		t.Errorf("%s", empty)
	}
}

// TestSizes tells how far it is, and stops at a place that can't be read.
func TestSizes(t *testing.T) {
	dir := t.TempDir()
	var entries []entry
	for i := range 2500 {
		entries = append(entries, entry{"/a", uint64(i), "xy"})
	}
	path := filepath.Join(dir, "x_0.mcap")
	writeMCAP(t, path, true, entries...)
	var shares []float64
	sizes, err := opened(t, dir).Sizes(func(share float64) { shares = append(shares, share) })
	if err != nil || sizes["/a"] != 5000 || fmt.Sprint(shares) != "[0.4 0.8]" {
		t.Error(sizes, shares, err)
	}
}

func TestSizeText(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 1<<20 - 1: "1024.0 KiB", 1 << 20: "1.0 MiB", 5 << 30: "5.0 GiB",
		1 << 40: "1.0 TiB", 2000 << 40: "2000.0 TiB",
	} {
		if got := SizeText(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64().Draw(t, "ns")
		var sec, frac int64
		text := seconds(ns)
		if _, err := fmt.Sscanf(strings.TrimPrefix(text, "-"), "%d.%d", &sec, &frac); err != nil || len(text)-strings.IndexByte(text, '.') != 10 {
			t.Fatal(text, err)
		}
		if got := sec*1e9 + frac; got != ns && -got != ns || strings.HasPrefix(text, "-") != (ns < 0) {
			t.Fatalf("%d is %s", ns, text)
		}
	})
}

func TestServiceOf(t *testing.T) {
	for _, c := range []struct {
		topic, rosType, name, service string
		ok                            bool
	}{
		{"/s/_service_event", "a/srv/B_Event", "/s", "a/srv/B", true}, {"/n/s/_service_event", "a/srv/B_Event", "/n/s", "a/srv/B", true},
		{"/_service_event", "a/srv/B_Event", "", "a/srv/B", false}, {"/s/_service_event", "a/srv/B", "/s", "a/srv/B", false},
		{"/s", "a/srv/B_Event", "/s", "a/srv/B", false}, {"", "", "", "", false},
	} {
		if name, service, ok := ServiceOf(c.topic, c.rosType); ok != c.ok || ok && (name != c.name || service != c.service) {
			t.Errorf("%+v: %s %s %v", c, name, service, ok)
		}
	}
}

// TestPeriods: every form in which recorders have written "for ever" is none, and no text makes a time before now.
func TestPeriods(t *testing.T) {
	for _, c := range []struct {
		sec, nsec int64
		want      time.Duration
	}{
		{0, 0, 0}, {0, 1, 1}, {1, 0, time.Second}, {2, 500_000_000, 2500 * time.Millisecond}, {0, 1_000_000_000, time.Second},
		{math.MaxInt64 / 1_000_000_000, 854775807, 0}, {math.MaxInt64 / 1_000_000_000, 854775806, math.MaxInt64 - 1},
		{math.MaxInt64 / 1_000_000_000, 854775808, 0}, // beyond the clock
		{math.MaxInt32, math.MaxUint32, 0},            // Foxy
		{-1, 0, 0}, {0, -1, 0}, {5, -1, 0}, {1, math.MaxInt64, 0}, {math.MaxInt64, math.MaxInt64, 0}, {math.MinInt64, 0, 0},
	} {
		if got := (period{c.sec, c.nsec}).duration(); got != c.want {
			t.Errorf("%d s %d ns: %v, want %v", c.sec, c.nsec, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := period{rapid.Int64().Draw(t, "sec"), rapid.Int64().Draw(t, "nsec")}
		if d := p.duration(); d < 0 {
			t.Fatalf("%+v: %v", p, d)
		}
		if d := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "duration")); periodOf(d).duration() != d && d != math.MaxInt64 {
			t.Fatalf("%d became %d", d, periodOf(d).duration())
		}
	})
}

// TestPolicies by number and by name, in any case of letters; what says nothing is ROS's default.
func TestPolicies(t *testing.T) {
	for text, want := range map[string]ros2.QoS{
		"{}": {}, "{reliability: 0, durability: 0, liveliness: 0, history: 0}": {}, "{reliability: 99, durability: 99, history: 99}": {},
		"{reliability: system_default, durability: unknown}": {}, "{reliability: BEST_EFFORT}": {Reliability: ros2.BestEffort},
		"{history: keep_last, depth: 5}": {Depth: 5}, "{history: 1, depth: -5}": {}, "{history: keep_all, depth: 5}": {History: ros2.KeepAll},
		"{history: 3, depth: 5}": {}, "{liveliness: manual_by_topic, liveliness_lease_duration: {sec: 1}}": {Liveliness: ros2.LivelinessManualByTopic, LivelinessLease: time.Second},
		"{deadline: {nsec: 5}, lifespan: {sec: 2}}": {Deadline: 5, Lifespan: 2 * time.Second}, "{deadline: ~}": {},
	} {
		got, err := DecodeQoS("- " + text)
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
		overrides, err := ReadOverrides([]byte("/t: " + text))
		if err != nil || overrides["/t"] != want {
			t.Errorf("%s: %+v, %v", text, overrides, err)
		}
	}
	for _, bad := range []string{"- {reliability: perhaps}", "x", "- {deadline: 5}", "- [", "- {depth: many}"} {
		if got, err := DecodeQoS(bad); !errors.Is(err, ErrMetadata) {
			t.Errorf("%s: %v, %v", bad, got, err)
		}
	}
	for _, bad := range []string{"- a", "/t: {reliability: perhaps}", "/t: [", "/t: 5"} {
		if got, err := ReadOverrides([]byte(bad)); !errors.Is(err, ErrMetadata) {
			t.Errorf("%s: %v, %v", bad, got, err)
		}
	}
	if got, err := DecodeQoS(""); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
}

// TestRecover: each file gets its end, what can't be is told by name, progress only grows, and metadata.yaml is anew.
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
