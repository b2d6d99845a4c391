// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// levelChannel is a channel of the topic /level with a definition of its type.
func levelChannel(id uint16, encoding, text, hash string) *mcap.Channel {
	c := &mcap.Channel{ID: id, Topic: "/level", MessageEncoding: "cdr", Schema: &mcap.Schema{ID: id, Name: "own_msgs/msg/Level", Encoding: encoding, Data: []byte(text)}}
	if hash != "" {
		c.Metadata = map[string]string{KeyHash: hash}
	}
	return c
}

// writeChannels writes a file with a message of each channel, whose data is the channel's definition.
func writeChannels(t *testing.T, path string, at uint64, channels ...*mcap.Channel) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	w, err := mcap.NewWriter(f, mcap.Options{Profile: Profile})
	must(t, err)
	var chunk mcap.Chunk
	for i, c := range channels {
		must(t, w.Register(c))
		chunk.Add(c.ID, 0, at+uint64(i), at, c.Schema.Data)
	}
	must(t, errors.Join(w.WriteChunk(&chunk), w.Close(), f.Close()))
}

// readByOwnDefinition reads a bag whose messages are their definitions.
func readByOwnDefinition(t *testing.T, b *Bag, messages int) {
	t.Helper()
	for m, err := range b.Messages(Range{}) {
		must(t, err)
		messages--
		if m.Topic.Schema != string(m.Data) {
			t.Errorf("a message of %q is read by %q", m.Data, m.Topic.Schema)
		}
	}
	if messages != 0 {
		t.Errorf("%d messages are missing", messages)
	}
	for _, topic := range b.Topics() {
		for m, err := range b.Messages(Range{Topic: func(o *Topic) bool { return o == topic }}) {
			if err != nil || m.Topic != topic {
				t.Errorf("selected %q, got %q, %v", topic.Schema, m.Topic.Schema, err)
			}
		}
	}
}

// TestFilesWithDefinitionsOfTheirOwn: files of one bag, and channels of one file, have different definitions of a type;
// each message is read by the definition of its own file, the error names files, type and hashes, and metadata.yaml has
// the topic once.
func TestFilesWithDefinitionsOfTheirOwn(t *testing.T) {
	const one, two = "float64 height\n", "float32 height\nint32 tank\n"
	for name, write := range map[string]func(dir string){
		"two files": func(dir string) {
			writeChannels(t, filepath.Join(dir, "x_0.mcap"), 1, levelChannel(1, "ros2msg", one, ""))
			writeChannels(t, filepath.Join(dir, "x_1.mcap"), 10, levelChannel(1, "ros2msg", two, ""))
		},
		"two files with hashes": func(dir string) {
			writeChannels(t, filepath.Join(dir, "x_0.mcap"), 1, levelChannel(1, "ros2msg", one, "RIHS01_1"))
			writeChannels(t, filepath.Join(dir, "x_1.mcap"), 10, levelChannel(1, "ros2msg", two, "RIHS01_2"))
		},
		"two channels": func(dir string) {
			writeChannels(t, filepath.Join(dir, "x_0.mcap"), 1, levelChannel(1, "ros2msg", one, ""), levelChannel(2, "ros2msg", two, ""))
		},
		"an encoding that is not read": func(dir string) {
			writeChannels(t, filepath.Join(dir, "x_0.mcap"), 1, levelChannel(1, "flatbuffer", one, ""))
			writeChannels(t, filepath.Join(dir, "x_1.mcap"), 10, levelChannel(1, "flatbuffer", two, ""))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(dir)
			b := opened(t, dir)
			readByOwnDefinition(t, b, 2)
			if len(b.Topics()) != 2 || b.Topics()[0].Messages != 1 || b.Topics()[1].Messages != 1 {
				t.Fatalf("%+v", b.Topics())
			}
			_, remarks, err := Inspect(dir)
			must(t, err)
			said := strings.Join(remarks, "\n")
			for i, topic := range b.Topics() {
				want := fmt.Sprintf("%s (%q)", topic.version(), topic.Files[0])
				if !strings.Contains(said, want) || !strings.Contains(said, "topic /level has 2 definitions of own_msgs/msg/Level") {
					t.Errorf("%q lacks %q of topic %d", said, want, i)
				}
			}
			if _, err := Recover(dir, nil); err != nil {
				t.Error(err)
			}
			meta, err := ReadMetadata(dir)
			if must(t, err); len(meta.Topics) != 1 || meta.Topics[0].Count != 2 || meta.Messages != 2 {
				t.Errorf("%+v", meta.Topics)
			}
			readByOwnDefinition(t, opened(t, dir), 2)
		})
	}
}

// TestTopicsWithSeveralTypesOrEncodings: they stay apart, also in one file; only those in CDR are ambiguous.
func TestTopicsWithSeveralTypesOrEncodings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mcap")
	other, text := levelChannel(2, "ros2msg", "int8 data\n", ""), levelChannel(3, "jsonschema", "{}", "")
	other.Schema.Name, text.MessageEncoding = "std_msgs/msg/Int8", "json"
	writeChannels(t, path, 1, levelChannel(1, "ros2msg", "float64 height\n", ""), other, text)
	b := opened(t, path)
	readByOwnDefinition(t, b, 3)
	if got := fmt.Sprint(b.Ambiguities(nil)); strings.Count(got, "topic /level has 2 types") != 1 || strings.Contains(got, "jsonschema") {
		t.Error(got)
	}
	cdr := func(t *Topic) bool { return t.Type != "std_msgs/msg/Int8" }
	if got := b.Ambiguities(cdr); len(got) > 0 {
		t.Error(got)
	}
}

// TestDefinitionThatComesLater: a channel without a definition belongs to the only topic of its name that has one,
// whatever the order of the files, and to none of two.
func TestDefinitionThatComesLater(t *testing.T) {
	for _, c := range []struct {
		texts, want []string // by file
	}{
		{[]string{"", "int8 a\n"}, []string{"int8 a\n", "int8 a\n"}},
		{[]string{"int8 a\n", ""}, []string{"int8 a\n", "int8 a\n"}},
		{[]string{"", "int8 a\n", "int16 a\n"}, []string{"", "int8 a\n", "int16 a\n"}},
		{[]string{"int8 a\n", "", "int16 a\n", ""}, []string{"int8 a\n", "", "int16 a\n", ""}},
		{[]string{"int8 a\n", "int8 a # m\n", ""}, []string{"int8 a\n", "int8 a\n", "int8 a\n"}},
	} {
		dir := t.TempDir()
		for i, text := range c.texts {
			encoding := "ros2msg"
			if text == "" {
				encoding = ""
			}
			writeChannels(t, filepath.Join(dir, fmt.Sprintf("x_%d.mcap", i)), uint64(i), levelChannel(1, encoding, text, ""))
		}
		var got []string
		for m, err := range opened(t, dir).Messages(Range{}) {
			must(t, err)
			got = append(got, m.Topic.Schema)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
	}
}

// TestManyDefinitionsOfATopic: a file with many definitions is read in time that is linear in
// their number.
func TestManyDefinitionsOfATopic(t *testing.T) {
	var set topicSet
	var topics []*Topic
	for i := range 1 << 14 {
		topics = append(topics, &Topic{Name: "/a", Type: "own_msgs/msg/A", Format: "cdr", SchemaEncoding: "ros2msg", Schema: fmt.Sprintf("int8 a%d\n", i), Messages: 1})
	}
	of := set.merge(append(topics, topics...))
	if len(set.list) != len(topics) || of[topics[77]].Schema != "int8 a77\n" || of[topics[77]].Messages != 2 {
		t.Errorf("%d topics, %+v", len(set.list), of[topics[77]])
	}
	b := &Bag{topics: set.list}
	if errs := b.Ambiguities(nil); len(errs) != 1 || len(errs[0].Error()) > 10_000 {
		t.Errorf("%d errors", len(errs))
	}
}

// TestSummaryWithoutChannels: a writer need not repeat channels and schemas in the summary; they are taken from the file.
func TestSummaryWithoutChannels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mcap")
	writeChannels(t, path, 1, levelChannel(1, "ros2msg", "float64 height\n", ""))
	whole, err := os.ReadFile(path)
	must(t, err)
	for name, kind := range map[string]byte{"channels": 0x04, "schemas": 0x03} {
		must(t, os.WriteFile(path, withoutInSummary(t, whole, kind), 0o600))
		b := opened(t, path)
		readByOwnDefinition(t, b, 1)
		if len(b.Damage)+len(b.Interrupted) > 0 || len(b.Topics()) != 1 || b.Topics()[0].Type != "own_msgs/msg/Level" {
			t.Errorf("without %s: %+v, topics %+v", name, b, b.Topics())
		}
	}
}

// withoutInSummary returns a file without the records of a kind in its summary, and without the summary's checksum.
func withoutInSummary(t *testing.T, whole []byte, kind byte) []byte {
	t.Helper()
	footer := whole[len(whole)-8-29:]
	start := binary.LittleEndian.Uint64(footer[9:])
	out := slices.Clone(whole[:start])
	rest, removed := whole[start:len(whole)-8-29], 0
	for len(rest) > 0 {
		n := 9 + binary.LittleEndian.Uint64(rest[1:])
		if rest[0] == kind {
			removed++
		} else {
			out = append(out, rest[:n]...)
		}
		rest = rest[n:]
	}
	if removed == 0 {
		t.Fatalf("no record of kind %d in the summary", kind)
	}
	out = append(out, footer[:9]...)
	out = binary.LittleEndian.AppendUint64(out, start)
	out = append(out, make([]byte, 8+4)...) // no offsets, no checksum
	return append(out, footer[29:]...)
}
