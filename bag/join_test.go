// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// numbers writes a bag with messages of a topic at the given times, ns since 1970.
func numbers(t *testing.T, name, topic, rosType string, times ...uint64) *Bag {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".mcap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mcap.NewWriter(f, mcap.Options{Profile: Profile})
	if err != nil {
		t.Fatal(err)
	}
	schema := &mcap.Schema{ID: 1, Name: rosType, Encoding: "ros2msg", Data: []byte("int8 data\n")}
	if err := w.Register(&mcap.Channel{ID: 1, Schema: schema, Topic: topic, MessageEncoding: "cdr"}); err != nil {
		t.Fatal(err)
	}
	var chunk mcap.Chunk
	for _, at := range times {
		chunk.Add(1, 0, at, at, []byte(name))
	}
	if err := errors.Join(w.WriteChunk(&chunk), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSeveralBagsAreOne: messages by time, of equal times those of the first bag first; topics and counts together.
func TestSeveralBagsAreOne(t *testing.T) {
	x, y, z := numbers(t, "x", "/a", "std_msgs/msg/Int8", 1, 4, 5), numbers(t, "y", "/b", "std_msgs/msg/Int8", 2, 4, 9), numbers(t, "z", "/a", "std_msgs/msg/Int8", 3)
	b := Join(x, y, z)
	var got []string
	for m, err := range b.Messages(Range{}) {
		got = append(got, fmt.Sprint(m.LogTime, string(m.Data), m.Topic.Name, err))
	}
	if want := "[1x/a<nil> 2y/b<nil> 3z/a<nil> 4x/a<nil> 4y/b<nil> 5x/a<nil> 9y/b<nil>]"; strings.ReplaceAll(fmt.Sprint(got), " <nil>", "<nil>") != want {
		t.Errorf("%v", got)
	}
	first, last := b.Span()
	if first != 1 || last != 9 || b.Count() != 7 || len(b.Topics()) != 2 || b.Topics()[0].Messages != 4 || b.Storage != "mcap" {
		t.Errorf("%d to %d, %d messages, %+v", first, last, b.Count(), b.Topics()[0])
	}
	for m := range b.Messages(Range{Start: 4, Topic: func(t *Topic) bool { return t.Name == "/b" }}) {
		if m.LogTime < 4 || m.Topic.Name != "/b" {
			t.Errorf("%+v", m)
		}
		break // ends early
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if one := Join(x); one != x {
		t.Error(one)
	}
}

// TestBagsThatDoNotFitTogether: each message has the topic of its own bag's type, and the error names topic, types, files
// and the way.
func TestBagsThatDoNotFitTogether(t *testing.T) {
	x, y := numbers(t, "x", "/a", "std_msgs/msg/Int8", 1, 3), numbers(t, "y", "/a", "std_msgs/msg/Byte", 2)
	defer func() { _ = errors.Join(x.Close(), y.Close()) }()
	both := func(want ...string) {
		t.Helper()
		b := Join(x, y)
		got := errors.Join(b.Ambiguities(nil)...)
		for _, want := range want {
			if !errors.Is(got, ErrTypes) || !strings.Contains(got.Error(), want) {
				t.Errorf("%v lacks %q", got, want)
			}
		}
		var types []string
		for m, err := range b.Messages(Range{}) {
			types = append(types, fmt.Sprint(m.Topic.Type, m.Topic.Hash, err))
		}
		if of := func(b *Bag) string { return b.topics[0].Type + b.topics[0].Hash + "<nil>" }; !slices.Equal(types, []string{of(x), of(y), of(x)}) {
			t.Errorf("%q", types)
		}
		if none := b.Ambiguities(func(t *Topic) bool { return t.Name != "/a" }); none != nil {
			t.Error(none)
		}
	}
	both("topic /a has 2 types", "std_msgs/msg/Int8", "std_msgs/msg/Byte", x.Path, y.Path, "play one file alone")
	y.topics[0].Type, y.topics[0].Hash, x.topics[0].Hash = "std_msgs/msg/Int8", "RIHS01_1", "RIHS01_2"
	both("topic /a has 2 definitions of std_msgs/msg/Int8", "RIHS01_2 (\""+x.Path, "RIHS01_1 (\""+y.Path)
}
