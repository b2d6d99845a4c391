// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rmw_dds_common"
	"github.com/epuck-ros2/epuck-driver/msgs/rmw_dds_common/iron"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// lines returns the lines of a file in testdata.
func lines(tb testing.TB, name string) []string {
	tb.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var out []string
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		out = append(out, s.Text())
	}
	if err := s.Err(); err != nil || len(out) == 0 {
		tb.Fatalf("%s: %d lines, %v", name, len(out), err)
	}
	return out
}

func unhex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// Messages written by ROS 2 Humble's rclpy, with random identities of 24 bytes.
func TestGraphMessageGolden(t *testing.T) {
	for _, line := range lines(t, "graph_humble.jsonl") {
		var golden struct {
			Value struct {
				GID   struct{ Data [24]byte }
				Nodes []struct {
					Namespace string                    `json:"node_namespace"`
					Name      string                    `json:"node_name"`
					Readers   []struct{ Data [24]byte } `json:"reader_gid_seq"`
					Writers   []struct{ Data [24]byte } `json:"writer_gid_seq"`
				} `json:"node_entities_info_seq"`
			}
			CDR string
		}
		if err := json.Unmarshal([]byte(line), &golden); err != nil {
			t.Fatal(err)
		}
		want := &graphMessage{participant: wire.GUIDFromBytes(golden.Value.GID.Data[:])}
		for _, n := range golden.Value.Nodes {
			node := graphNode{name: ros2.NodeName{Namespace: n.Namespace, Name: n.Name}}
			for _, g := range n.Readers {
				node.readers = append(node.readers, wire.GUIDFromBytes(g.Data[:]))
			}
			for _, g := range n.Writers {
				node.writers = append(node.writers, wire.GUIDFromBytes(g.Data[:]))
			}
			want.nodes = append(want.nodes, node)
		}
		got, err := parseGraphMessage(unhex(t, golden.CDR))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(graphMessage{}, graphNode{})); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Messages captured from ROS 2 Humble and Jazzy on both DDS implementations: they are parsed in their form, and encode
// to the same bytes or length.
func TestGraphMessageCaptures(t *testing.T) {
	for _, line := range lines(t, "graph_captures.txt") {
		session, data, _ := strings.Cut(line, " ")
		payload := unhex(t, data)
		form := humbleForm
		if strings.HasPrefix(session, "jazzy") {
			form = ironForm
		}
		m, err := parseGraphForm(payload, form)
		if err != nil {
			t.Fatalf("%s: %v", session, err)
		}
		if chosen, err := parseGraphMessage(payload); err != nil || !cmp.Equal(m, chosen, cmp.AllowUnexported(graphMessage{}, graphNode{})) {
			t.Errorf("%s: another form is chosen: %+v, %v", session, chosen, err)
		}
		again := m.append(nil, form)
		// Fast DDS leaves old bytes in the gaps of alignment.
		exact := slices.Equal(again, payload[:len(again)]) || strings.Contains(session, "fastrtps")
		if !exact || len(payload)-len(again) > 3 {
			t.Errorf("%s:\n got %x\nwant %x", session, again, payload)
		}
		for _, n := range m.nodes {
			if ros2.ValidateFullName(n.name.FullName()) != nil {
				t.Errorf("%s: node %+v", session, n.name)
			}
		}
	}
}

func genGUID() *rapid.Generator[wire.GUID] {
	return rapid.Map(rapid.SliceOfN(rapid.Byte(), 16, 16), wire.GUIDFromBytes)
}

func genGraphMessage() *rapid.Generator[*graphMessage] {
	gids := rapid.SliceOfN(genGUID(), 0, 4)
	return rapid.Custom(func(t *rapid.T) *graphMessage {
		m := &graphMessage{participant: genGUID().Draw(t, "participant")}
		for range rapid.IntRange(0, 4).Draw(t, "nodes") {
			m.nodes = append(m.nodes, graphNode{
				name: ros2.NodeName{
					Namespace: "/" + rapid.StringMatching(`[a-z]{0,5}`).Draw(t, "namespace"),
					Name:      rapid.StringMatching(`[a-z]{1,9}`).Draw(t, "name"),
				},
				readers: gids.Draw(t, "readers"), writers: gids.Draw(t, "writers"),
			})
		}
		return m
	})
}

// Every message, in both forms, padded or not, round-trips; and the generated message types encode to the same bytes.
func TestGraphMessageProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := genGraphMessage().Draw(t, "message")
		for _, form := range []gidForm{ironForm, humbleForm} {
			payload := m.append(nil, form)
			want := generated(m, form)
			if !slices.Equal(payload, want) {
				t.Fatalf("form %d:\n got %x\nwant %x", form, payload, want)
			}
			for len(payload)%4 != 0 {
				payload = append(payload, 0)
			}
			got, err := parseGraphMessage(payload)
			if err != nil {
				t.Fatalf("form %d: %v", form, err)
			}
			if !slices.Equal(got.append(nil, ironForm), m.append(nil, ironForm)) {
				t.Fatalf("form %d reads back as %+v", form, got)
			}
		}
	})
}

// generated encodes the message through the types generated from ROS's
// definitions.
func generated(m *graphMessage, form gidForm) []byte {
	if form == ironForm {
		out := iron.ParticipantEntitiesInfo{Gid: iron.Gid{Data: m.participant.Bytes()}}
		gids := func(in []wire.GUID) (out []iron.Gid) {
			for _, g := range in {
				out = append(out, iron.Gid{Data: g.Bytes()})
			}
			return out
		}
		for _, n := range m.nodes {
			out.NodeEntitiesInfoSeq = append(out.NodeEntitiesInfoSeq, iron.NodeEntitiesInfo{
				NodeNamespace: n.name.Namespace, NodeName: n.name.Name,
				ReaderGidSeq: gids(n.readers), WriterGidSeq: gids(n.writers),
			})
		}
		return cdr.Append(nil, &out)
	}
	gid := func(g wire.GUID) (out rmw_dds_common.Gid) {
		b := g.Bytes()
		copy(out.Data[:], b[:])
		return out
	}
	gids := func(in []wire.GUID) (out []rmw_dds_common.Gid) {
		for _, g := range in {
			out = append(out, gid(g))
		}
		return out
	}
	out := rmw_dds_common.ParticipantEntitiesInfo{Gid: gid(m.participant)}
	for _, n := range m.nodes {
		out.NodeEntitiesInfoSeq = append(out.NodeEntitiesInfoSeq, rmw_dds_common.NodeEntitiesInfo{
			NodeNamespace: n.name.Namespace, NodeName: n.name.Name,
			ReaderGidSeq: gids(n.readers), WriterGidSeq: gids(n.writers),
		})
	}
	return cdr.Append(nil, &out)
}

func TestGraphMessageLimits(t *testing.T) {
	node := graphNode{name: ros2.NodeName{Namespace: "/", Name: "n"}, readers: make([]wire.GUID, 3)}
	good := (&graphMessage{nodes: []graphNode{node}}).append(nil, ironForm)
	huge := func(at int) []byte {
		b := slices.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], 0x7fffffff)
		return b
	}
	long := node
	long.name.Name = strings.Repeat("n", 257)
	for name, payload := range map[string][]byte{
		"empty":            nil,
		"header only":      good[:4],
		"cut":              good[:len(good)-1],
		"tail":             append(slices.Clone(good), 0, 0, 0, 0),
		"other encoding":   append([]byte{0, 3}, good[2:]...),
		"node count":       huge(4 + 16),
		"namespace length": huge(4 + 16 + 4),
		"reader count":     huge(4 + 16 + 4 + 8 + 8 - 2),
		"too many nodes":   (&graphMessage{nodes: slices.Repeat([]graphNode{node}, maxGraphNodes+1)}).append(nil, ironForm),
		"too many readers": (&graphMessage{nodes: []graphNode{{readers: make([]wire.GUID, maxGraphEndpoints+1)}}}).append(nil, humbleForm),
		"long name":        (&graphMessage{nodes: []graphNode{long}}).append(nil, ironForm),
	} {
		if m, err := parseGraphMessage(payload); !errors.Is(err, ErrGraphMessage) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
	if _, err := parseGraphMessage(good); err != nil {
		t.Error(err)
	}
}

func FuzzGraphMessage(f *testing.F) {
	for _, line := range lines(f, "graph_captures.txt") {
		_, data, _ := strings.Cut(line, " ")
		f.Add(unhex(f, data))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		m, err := parseGraphMessage(payload)
		if err != nil {
			if !errors.Is(err, ErrGraphMessage) {
				t.Fatalf("%v is no ErrGraphMessage", err)
			}
			return
		}
		again, err := parseGraphMessage(m.append(nil, ironForm))
		if err != nil || !cmp.Equal(m, again, cmp.AllowUnexported(graphMessage{}, graphNode{})) {
			t.Fatalf("%+v reads back as %+v, %v", m, again, err)
		}
	})
}
