// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// golden is one message as ROS 2 Humble serialized it.
type golden struct {
	name  string
	value map[string]any
	data  []byte
}

// goldens reads testdata/cdr_humble.jsonl.
func goldens(t testing.TB) []golden {
	t.Helper()
	text, err := os.ReadFile("testdata/cdr_humble.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var list []golden
	for line := range strings.Lines(string(text)) {
		var raw struct {
			Type  string
			Value map[string]any
			CDR   string
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber() // int64 does not fit into float64
		if err := d.Decode(&raw); err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(raw.CDR)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, golden{raw.Type, raw.Value, data})
	}
	return list
}

// empty returns a new message of the golden's type.
func (g *golden) empty(t testing.TB) msgs.Message {
	t.Helper()
	newMessage, ok := msgs.Lookup(g.name)
	if !ok {
		t.Fatalf("no type %s", g.name)
	}
	return newMessage()
}

// sameValue compares messages; NaN equals NaN and nil an empty slice.
var sameValue = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}

func TestGolden(t *testing.T) {
	for i, g := range goldens(t) {
		want := g.empty(t)
		fill(t, want, g.value)
		if got := cdr.Append(nil, want); !bytes.Equal(got, g.data) {
			t.Errorf("line %d: %s encodes to\n%x, want\n%x", i+1, g.name, got, g.data)
		}
		got := g.empty(t)
		if err := cdr.Unmarshal(g.data, got); err != nil {
			t.Errorf("line %d: %s: %v", i+1, g.name, err)
		}
		if diff := cmp.Diff(want, got, sameValue); diff != "" {
			t.Errorf("line %d: %s decodes wrongly (-want +got):\n%s", i+1, g.name, diff)
		}
	}
}

// The reference encoder agrees with ROS 2, so its big-endian form, which ROS 2 does not send on little-endian machines,
// is valid, too.
func TestGoldenBigEndian(t *testing.T) {
	for i, g := range goldens(t) {
		want := g.empty(t)
		fill(t, want, g.value)
		if got := encodeReference(want, binary.LittleEndian); !bytes.Equal(got, g.data) {
			t.Fatalf("line %d: reference encoder: %x, want %x", i+1, got, g.data)
		}
		got := g.empty(t)
		if err := cdr.Unmarshal(encodeReference(want, binary.BigEndian), got); err != nil {
			t.Errorf("line %d: %s: %v", i+1, g.name, err)
		}
		if diff := cmp.Diff(want, got, sameValue); diff != "" {
			t.Errorf("line %d: %s decodes wrongly (-want +got):\n%s", i+1, g.name, diff)
		}
	}
}

// Decoding into a used message yields the same as into an empty one.
func TestDecodingOverwrites(t *testing.T) {
	lines := goldens(t)
	for i := range lines {
		for j := range lines {
			if lines[i].name != lines[j].name {
				continue
			}
			got, want := lines[i].empty(t), lines[i].empty(t)
			for _, step := range []struct {
				m msgs.Message
				g golden
			}{{got, lines[i]}, {got, lines[j]}, {want, lines[j]}} {
				if err := cdr.Unmarshal(step.g.data, step.m); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, got, sameValue); diff != "" {
				t.Errorf("%s: line %d over line %d (-want +got):\n%s", lines[i].name, j+1, i+1, diff)
			}
		}
	}
}

// A message truncated at any byte is rejected with the name of a field; padding at the end is accepted.
func TestTruncatedMessages(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range goldens(t) {
		if seen[g.name] {
			continue
		}
		seen[g.name] = true
		for n := range g.data {
			err := cdr.Unmarshal(g.data[:n], g.empty(t))
			if err == nil {
				t.Errorf("%s: %d of %d bytes decode", g.name, n, len(g.data))
			}
			if n > cdr.HeaderSize && !strings.Contains(err.Error(), "_msgs/") &&
				!strings.Contains(err.Error(), "_interfaces/") && !strings.Contains(err.Error(), "_srvs/") &&
				!strings.Contains(err.Error(), "rmw_dds_common/") {
				t.Errorf("%s: error names no field: %v", g.name, err)
			}
		}
		if err := cdr.Unmarshal(append(g.data, 0, 0, 0), g.empty(t)); err != nil {
			t.Errorf("%s with padding: %v", g.name, err)
		}
	}
}
