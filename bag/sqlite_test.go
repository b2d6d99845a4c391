// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// tables are those of rosbag2's releases.
var tables = map[string][]string{
	"Foxy": {
		"CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL)",
		"INSERT INTO topics VALUES (1, '/a', 'std_msgs/msg/String', 'cdr'), (2, '/tf_static', 'tf2_msgs/msg/TFMessage', 'cdr')",
	},
	"Humble": {
		"CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL)",
		"INSERT INTO topics VALUES (1, '/a', 'std_msgs/msg/String', 'cdr', ''), " +
			"(2, '/tf_static', 'tf2_msgs/msg/TFMessage', 'cdr', '- {history: 3, depth: 0, reliability: 1, durability: 1}')",
	},
	"Jazzy": {
		"CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL)",
		"CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, " +
			"offered_qos_profiles TEXT NOT NULL, type_description_hash TEXT NOT NULL)",
		"CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL, encoding TEXT NOT NULL, " +
			"encoded_message_definition TEXT NOT NULL, type_description_hash TEXT NOT NULL)",
		"INSERT INTO topics VALUES (1, '/a', 'std_msgs/msg/String', 'cdr', '', 'RIHS01_1'), " +
			"(2, '/tf_static', 'tf2_msgs/msg/TFMessage', 'cdr', '- {history: unknown, depth: 0, reliability: reliable, durability: transient_local}', 'RIHS01_2')",
		"INSERT INTO message_definitions VALUES (1, 'std_msgs/msg/String', 'ros2msg', 'string data', 'RIHS01_1')",
	},
}

// messagesTable is every release's.
var messagesTable = []string{
	"CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL)",
	"CREATE INDEX timestamp_idx ON messages (timestamp ASC)",
}

// putMessage is how a message gets there.
const putMessage = "INSERT INTO messages (topic_id, timestamp, data) VALUES (?, ?, ?)"

// makeSQLite writes a file as rosbag2 does and returns it open: /tf_static once at 1000, /a at 1001, 1002, … with n
// bytes each; the last two change places.
func makeSQLite(t testing.TB, path string, statements []string, messages, n int) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	unsynced := []string{"PRAGMA synchronous = OFF", "PRAGMA journal_mode = OFF"} // of this connection, not of the file
	for _, s := range slices.Concat(unsynced, statements, messagesTable) {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	put := func(topic, at int, data []byte) {
		if _, err := db.ExecContext(t.Context(), putMessage, topic, at, data); err != nil {
			t.Fatal(err)
		}
	}
	put(2, 1000, []byte("tf"))
	for i := range messages {
		put(1, 1001+(i^1), fmt.Appendf(nil, "%d%s", i^1, strings.Repeat(" ", n)))
	}
	return db
}

// read returns the messages of a bag in short.
func read(t testing.TB, b *Bag, g Range) string {
	t.Helper()
	var out []string
	for m, err := range b.Messages(g) {
		if err != nil {
			t.Fatal(err)
		}
		if m.PublishTime != m.LogTime {
			t.Errorf("sent %d, recorded %d", m.PublishTime, m.LogTime)
		}
		out = append(out, fmt.Sprintf("%s@%d=%s", m.Topic.Name, m.LogTime, strings.TrimSpace(string(m.Data))))
	}
	return strings.Join(out, " ")
}

func TestSQLiteOfAllReleases(t *testing.T) {
	for name, statements := range tables {
		t.Run(name, func(t *testing.T) {
			plain := filepath.Join(t.TempDir(), "a_0.db3")
			path := filepath.Join(filepath.Dir(plain), "a ?#%41_0.db3") // signs that have a meaning in addresses
			if err := errors.Join(makeSQLite(t, plain, statements, 4, 0).Close(), os.Rename(plain, path)); err != nil {
				t.Fatal(err)
			}
			b, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			if got := read(t, b, Range{}); got != "/tf_static@1000=tf /a@1001=0 /a@1002=1 /a@1003=2 /a@1004=3" {
				t.Error(got)
			}
			if got := read(t, b, Range{Start: 1002, End: 1004, Topic: func(t *Topic) bool { return t.Name == "/a" }}); got != "/a@1002=1 /a@1003=2" {
				t.Error(got)
			}
			if got := read(t, b, Range{Topic: func(*Topic) bool { return false }}); got != "" {
				t.Error(got)
			}
			start, end := b.Span()
			if start != 1000 || end != 1004 || b.Count() != 5 || b.Storage != StorageSQLite || b.Size() == 0 {
				t.Errorf("%d, %d, %d messages, %s", start, end, b.Count(), b.Storage)
			}
			a, tf := b.Topics()[0], b.Topics()[1]
			if a.Messages != 4 || tf.Messages != 1 || tf.Type != "tf2_msgs/msg/TFMessage" || tf.Format != "cdr" {
				t.Errorf("%+v %+v", a, tf)
			}
			if name != "Foxy" && (len(tf.QoS) != 1 || tf.QoS[0].Durability != ros2.TransientLocal) {
				t.Errorf("%+v", tf.QoS)
			}
			if name == "Jazzy" && (a.Hash != "RIHS01_1" || a.Schema != "string data" || a.SchemaEncoding != "ros2msg") {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestSQLiteInterrupted: a bag of two files without metadata.yaml, the second still in its write-ahead log. Recovering
// writes the metadata, after which counting is left to it.
func TestSQLiteInterrupted(t *testing.T) {
	dir := t.TempDir()
	if err := makeSQLite(t, dir+"/b_0.db3", tables["Humble"], 2, 0).Close(); err != nil {
		t.Fatal(err)
	}
	log := makeSQLite(t, dir+"/b_1.db3", append([]string{"PRAGMA journal_mode=WAL"}, tables["Humble"]...), 4, 0)
	defer log.Close()
	const want = "/tf_static@1000=tf /tf_static@1000=tf /a@1001=0 /a@1001=0 /a@1002=1 /a@1002=1 /a@1003=2 /a@1004=3"
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, b, Range{}); got != want || len(b.Interrupted) != 2 {
		t.Error(got, b.Interrupted)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	done, err := Recover(dir, nil)
	if err != nil || len(done) != 2 || !done[1].Whole || done[1].Messages != 5 {
		t.Fatalf("%+v %v", done, err)
	}
	meta, err := ReadMetadata(dir)
	if err != nil || meta.Storage != StorageSQLite || meta.Messages != 8 || len(meta.Files) != 2 {
		t.Fatalf("%+v %v", meta, err)
	}
	if b, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if got := read(t, b, Range{}); got != want || len(b.Interrupted) != 0 || b.Topics()[0].Messages != 6 {
		t.Error(got, b.Interrupted)
	}
	if n, err := b.Sizes(nil); err != nil || n[b.topics[0]] != 6 {
		t.Error(n, err)
	}
}

// TestSQLiteFilesWithDefinitionsOfTheirOwn: files of one bag have different definitions of a type; each message has that of
// its file, and the ambiguity is named with files and hashes, unless no message has one of them.
func TestSQLiteFilesWithDefinitionsOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	for i, text := range []string{"string data", "string text"} {
		hash := fmt.Sprint("RIHS01_", i+7)
		if err := makeSQLite(t, fmt.Sprintf("%s/d_%d.db3", dir, i), slices.Concat(tables["Jazzy"], []string{
			"UPDATE topics SET type_description_hash = '" + hash + "' WHERE id = 1",
			"UPDATE message_definitions SET encoded_message_definition = '" + text + "', type_description_hash = '" + hash + "'",
		}), 2, 0).Close(); err != nil {
			t.Fatal(err)
		}
	}
	b, remarks, err := Inspect(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	read := map[string]int{}
	for m, err := range b.Messages(Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		read[m.Topic.Name+" "+m.Topic.Schema+" "+m.Topic.Hash]++
	}
	if read["/a string data RIHS01_7"] != 2 || read["/a string text RIHS01_8"] != 2 || read["/tf_static  RIHS01_2"] != 2 {
		t.Errorf("%v", read)
	}
	said := strings.Join(remarks, "\n")
	for _, want := range []string{"topic /a has 2 definitions of std_msgs/msg/String", `RIHS01_7 ("d_0.db3")`, `RIHS01_8 ("d_1.db3")`} {
		if !strings.Contains(said, want) || strings.Contains(said, "/tf_static") {
			t.Errorf("%q lacks %q", said, want)
		}
	}
	if names := pathsOf(b); !slices.Equal(names, []string{"d_0.db3", "d_1.db3"}) || len(b.Topics()) != 3 {
		t.Errorf("%q, %d topics", names, len(b.Topics()))
	}
	b.topics[0].Messages = 0
	if got := b.Ambiguities(nil); len(got) > 0 {
		t.Errorf("a definition without messages: %v", got)
	}
}

// TestSQLiteRowsThatDoNotFit: messages of topics that are not in the table are named with their number, and a topic has the
// definition with the hash of its type.
func TestSQLiteRowsThatDoNotFit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "o_0.db3")
	db := makeSQLite(t, path, slices.Concat(tables["Jazzy"], []string{
		"INSERT INTO message_definitions VALUES (2, 'std_msgs/msg/String', 'ros2msg', 'string text', 'RIHS01_9')",
		"INSERT INTO topics VALUES (3, '/b', 'std_msgs/msg/String', 'cdr', '', 'RIHS01_9'), (4, '/c', 'std_msgs/msg/String', 'cdr', '', 'RIHS01_8')",
	}), 2, 0)
	for _, topic := range []int{7, 7, 8} {
		if _, err := db.ExecContext(t.Context(), putMessage, topic, 2000, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if got := fmt.Sprint(b.Damage); got != "[o_0.db3: 3 messages have the number of a topic that is not in the table of topics]" || b.Count() != 3 || b.files[0].Messages != 3 {
		t.Errorf("%s, %d messages, %+v", got, b.Count(), b.files)
	}
	for i, want := range []string{"string data", "string text", "", ""} {
		if topic := b.Topics()[i]; topic.Schema != want {
			t.Errorf("%+v, want %q", topic, want)
		}
	}
}

// TestSQLiteDamaged: what comes before the broken page is read; the error says where it ends.
func TestSQLiteDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d_0.db3")
	db := makeSQLite(t, path, tables["Humble"], 400, 1000)
	var leaf int // a page of messages in the middle
	for _, s := range []string{"DROP INDEX timestamp_idx", "VACUUM", "CREATE INDEX timestamp_idx ON messages (timestamp ASC)"} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&leaf); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[leaf/2*4096:], make([]byte, 3*4096))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	good, bad := 0, error(nil)
	for _, err := range b.Messages(Range{}) {
		if err != nil {
			bad = err
			continue
		}
		good++
	}
	if got := strings.Join(b.Damage, "\n"); !strings.Contains(got, "d_0.db3: not all messages can be counted") || int(b.Count()) < good {
		t.Errorf("%q, %d messages", got, b.Count())
	}
	if good < 50 || bad == nil || !errors.Is(bad, ErrSQLite) || !strings.Contains(bad.Error(), "the messages after number") {
		t.Errorf("%d messages, then %v", good, bad)
	}
	done, err := Recover(path, nil)
	if err != nil || len(done) != 1 || done[0].Whole || done[0].Err == nil || !strings.Contains(done[0].Err.Error(), "the messages after number") {
		t.Errorf("recovered: %+v, %v", done, err)
	}
}

// TestSQLiteCompressed: rosbag2's --compression-mode message, with the bag's metadata and, after a power cut, without.
func TestSQLiteCompressed(t *testing.T) {
	dir := t.TempDir()
	db := makeSQLite(t, dir+"/z_0.db3", tables["Humble"], 0, 0)
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "DELETE FROM messages"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), putMessage, 1, 7, encoder.EncodeAll([]byte("text"), nil)); err != nil {
		t.Fatal(err)
	}
	meta := Metadata{Version: 5, Storage: StorageSQLite, Messages: 1, Compression: "zstd", CompressionBy: "MESSAGE",
		Topics: []TopicCount{{topicMetadata{Name: "/a", Type: "std_msgs/msg/String"}, 1}}}
	if err := errors.Join(encoder.Close(), db.Close(), meta.Write(dir)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, dir + "/z_0.db3"} {
		b, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, b, Range{}); got != "/a@7=text" || b.Topics()[0].Messages != 1 {
			t.Error(path, got)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSQLiteWhereNothingCanBeWritten: on a disk that is mounted for reading, even with a log.
func TestSQLiteWhereNothingCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	db := makeSQLite(t, dir+"/r_0.db3", append([]string{"PRAGMA journal_mode=WAL"}, tables["Humble"]...), 1, 0)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o700) }()
	b, err := Open(dir + "/r_0.db3")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if got := read(t, b, Range{}); got != "/tf_static@1000=tf /a@1002=1" {
		t.Error(got)
	}
}

// TestSQLiteRecoverNamesTheFile: messages that cannot be decompressed are errors of their file alone, also if its name
// contains that of another, and not all of them are listed.
func TestSQLiteRecoverNamesTheFile(t *testing.T) {
	zip, err := zstd.NewWriter(nil)
	must(t, err)
	dir := t.TempDir()
	writePackedSQLite(t, filepath.Join(dir, "1.db3"), string(zip.EncodeAll([]byte("text"), nil)))
	must(t, zip.Close())
	const damaged = 3 * maxUnreadable
	must(t, os.Mkdir(filepath.Join(dir, "more"), 0o700))
	for _, name := range []string{"11.db3", "more/1.db3"} {
		db := makeSQLite(t, filepath.Join(dir, name), tables["Humble"], damaged-1, 0)
		must(t, db.Close())
	}
	meta := Metadata{Version: 8, Storage: StorageSQLite, Compression: "zstd", CompressionBy: "MESSAGE", Paths: []string{"1.db3", "11.db3", "more/1.db3"}}
	must(t, meta.Write(dir))
	done, err := Recover(dir, nil)
	must(t, err)
	if len(done) != 3 {
		t.Fatalf("%+v", done)
	}
	for _, one := range done {
		if one.File == "1.db3" {
			if !one.Whole || one.Err != nil {
				t.Errorf("%+v", one)
			}
			continue
		}
		text := fmt.Sprint(one.Err)
		if n := strings.Count(text, filepath.Base(one.File)); one.Whole || n != maxUnreadable || !strings.Contains(text, fmt.Sprintf("and %d more errors", damaged-maxUnreadable)) {
			t.Errorf("%s: whole: %t, named %d times: %.500s", one.File, one.Whole, n, text)
		}
	}
}
