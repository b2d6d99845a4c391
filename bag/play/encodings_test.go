// SPDX-License-Identifier: Apache-2.0

package play

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// encodings are channels as other programs write them, by topic.
func encodings() map[string]struct{ message, rosType, schema, text string } {
	return map[string]struct{ message, rosType, schema, text string }{
		"/json":       {"json", "foxglove.Log", "jsonschema", `{"type":"object"}`},
		"/plain":      {"json", "", "", ""},
		"/protobuf":   {"protobuf", "foxglove.Log", "protobuf", "\n\x05"},
		"/flatbuffer": {"flatbuffer", "foxglove.Log", "flatbuffer", "\x18\x00"},
		"/ros1":       {"ros1", "std_msgs/String", "ros1msg", "string data"},
		"/absent":     {"cdr", "", "", ""},
		"/nothing":    {"", "", "", ""},
		"/mixed":      {"cdr", "own_msgs/msg/A", "protobuf", "\n\x05"},
		"/other":      {"cdr", "foxglove.Log", "ros2msg", "uint8 data"},
		"/ros":        {"cdr", "std_msgs/msg/UInt8", "ros2msg", "uint8 data"},
	}
}

// encodedBag writes a bag with a message of each.
func encodedBag(t *testing.T) *bag.Bag {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.mcap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mcap.NewWriter(f, mcap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var chunk mcap.Chunk
	id := uint16(0)
	for topic, c := range encodings() {
		id++
		channel := &mcap.Channel{ID: id, Topic: topic, MessageEncoding: c.message}
		if c.rosType != "" {
			channel.Schema = &mcap.Schema{ID: id, Name: c.rosType, Encoding: c.schema, Data: []byte(c.text)}
		}
		err = errors.Join(err, w.Register(channel))
		chunk.Add(id, 0, uint64(id), uint64(id), []byte("\x00\x01\x00\x00\x07"))
	}
	if err := errors.Join(err, w.WriteChunk(&chunk), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := bag.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// TestChannelsOfEveryEncoding: what ROS 2 has no topic for is skipped with a warning that names it, or played for
// viewers as it is; what can't be decoded is published with a warning, to viewers as it is, too. Limits says the same.
func TestChannelsOfEveryEncoding(t *testing.T) {
	b := encodedBag(t)
	skipped, undecoded := []string{"/json", "/plain", "/protobuf", "/flatbuffer", "/ros1", "/absent", "/nothing", "/other"}, []string{"/mixed"}
	limits := Limits(b, nil)
	limit := func(topic, text string) bool {
		return slices.ContainsFunc(limits, func(l string) bool { return strings.HasPrefix(l, "topic "+topic+": ") && strings.Contains(l, text) })
	}
	for _, withViewers := range []bool{false, true} {
		var cfg Config
		var list []string
		var closed bool
		shown := map[string]bool{}
		if withViewers {
			cfg.Direct = func(topic *bag.Topic) Output {
				shown[topic.Name] = true
				return kept{&list, &closed}
			}
		}
		var published []string
		log := playFile(t, b, cfg, func(n *ros2.Node) {
			for _, e := range n.Graph().Endpoints {
				if _, ours := encodings()[e.Topic]; ours {
					published = append(published, e.Topic)
				}
			}
		})
		if slices.Sort(published); !slices.Equal(published, []string{"/mixed", "/ros"}) {
			t.Errorf("published: %q", published)
		}
		for topic := range encodings() {
			line := ""
			for text := range strings.Lines(log) {
				if strings.Contains(text, "topic="+topic+" ") {
					line += text
				}
			}
			want, hint := "", ""
			switch {
			case slices.Contains(undecoded, topic):
				want, hint = "can be recorded, not decoded", "can be played and recorded, not decoded"
			case slices.Contains(skipped, topic) && withViewers:
				want, hint = "for Foxglove alone", "with --web Foxglove gets it as it is"
			case slices.Contains(skipped, topic):
				want, hint = "topic skipped", "bag play skips it"
			}
			if (want == "") != (line == "") || !strings.Contains(line, want) {
				t.Errorf("%s, viewers %t: %q, want %q", topic, withViewers, line, want)
			}
			if said := limit(topic, hint); said != (hint != "") {
				t.Errorf("%s: want %q in %q", topic, hint, limits)
			}
			if withViewers && shown[topic] != (want != "") {
				t.Errorf("%s is shown: %t", topic, shown[topic])
			}
		}
		if withViewers && (len(list) != len(skipped)+len(undecoded) || !closed) {
			t.Errorf("viewers get %d messages", len(list))
		}
	}
	for topic, want := range map[string]string{"/json": "schema jsonschema of foxglove.Log", "/plain": "without a schema", "/ros1": `"ros1"`, "/absent": "does not name", "/other": `"foxglove.Log"`} {
		if !limit(topic, want) {
			t.Errorf("%s lacks %q: %q", topic, want, limits)
		}
	}
}

// TestBagWithoutTopicsOfROS: nothing can be played without viewers, which is an error.
func TestBagWithoutTopicsOfROS(t *testing.T) {
	cfg := Config{Select: Selection{Topics: []string{"/json"}}, Bag: encodedBag(t)}
	transport := ros2test.NewTransport()
	var err error
	if cfg.Node, err = ros2.NewNode(ros2.NodeConfig{Name: "player", Transport: transport}); err != nil {
		t.Fatal(err)
	}
	if _, err := New(cfg); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if err := errors.Join(cfg.Node.Close(), transport.Close()); err != nil {
		t.Error(err)
	}
}

// TestQualityOfServiceOfOtherTopicsIsWarnedOf: an entry for a topic that the bag does not have has no effect.
func TestQualityOfServiceOfOtherTopicsIsWarnedOf(t *testing.T) {
	cfg := Config{Select: Selection{Topics: []string{"/ros"}}, QoS: map[string]ros2.QoS{"/roz": {}, "/ros": {}}}
	log := playFile(t, encodedBag(t), cfg, func(*ros2.Node) {})
	if strings.Count(log, "not in the bag") != 1 || !strings.Contains(log, "topic=/roz") || !strings.Contains(log, "did you mean '/ros'?") {
		t.Error(log)
	}
}

// TestTopicsThatAreRenamedToOneName: of one type they are published together, of several it is an error with both names.
func TestTopicsThatAreRenamedToOneName(t *testing.T) {
	for topic, want := range map[string]error{"/mixed": bag.ErrTypes, "/ros": nil} {
		args, _, err := ros2.ParseArgs([]string{"--ros-args", "-r", "/ros:=/both", "-r", topic + ":=/both"})
		if err != nil {
			t.Fatal(err)
		}
		cfg := Config{Select: Selection{Topics: []string{"/ros", topic}}, Bag: encodedBag(t)}
		transport := ros2test.NewTransport()
		if cfg.Node, err = ros2.NewNode(ros2.NodeConfig{Name: "player", Transport: transport, Args: args}); err != nil {
			t.Fatal(err)
		}
		p, err := New(cfg)
		if !errors.Is(err, want) || want != nil && (!strings.Contains(err.Error(), "/both") || !strings.Contains(err.Error(), "/ros") || !strings.Contains(err.Error(), topic)) {
			t.Errorf("%s: %v", topic, err)
		}
		if err == nil {
			err = p.close()
		} else {
			err = nil
		}
		if err := errors.Join(err, cfg.Node.Close(), transport.Close()); err != nil {
			t.Error(err)
		}
	}
}
