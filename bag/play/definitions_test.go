// SPDX-License-Identifier: Apache-2.0

package play

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/type_description_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// kept is an output that keeps what is written.
type kept struct {
	list   *[]string
	closed *bool
}

func (k kept) Write(payload []byte) error { *k.list = append(*k.list, string(payload)); return nil }
func (k kept) Close() error               { *k.closed = true; return nil }

// playFile plays a bag at once and calls look before it begins, on another node's transport.
func playFile(t *testing.T, b *bag.Bag, cfg Config, look func(node *ros2.Node)) (log string) {
	t.Helper()
	var text strings.Builder
	synctest.Test(t, func(t *testing.T) {
		net := ros2test.NewNetwork()
		var nodes []*ros2.Node
		for _, name := range []string{"player", "other"} {
			n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: net.NewTransport(), Standard: true})
			if err != nil {
				t.Fatal(err)
			}
			nodes = append(nodes, n)
		}
		cfg.Node, cfg.Bag, cfg.Rate, cfg.Logger = nodes[0], b, 1e6, slog.New(slog.NewTextHandler(&text, nil))
		player, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		look(nodes[1])
		if err := player.Run(context.Background()); err != nil {
			t.Error(err)
		}
		if err := errors.Join(nodes[0].Close(), nodes[1].Close()); err != nil {
			t.Error(err)
		}
	})
	return text.String()
}

func openFile(t *testing.T, name string) *bag.Bag {
	t.Helper()
	b, err := bag.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// TestTypesOfTheBagAreDescribed: the player announces the hash of the definition in the bag and describes the type to
// who asks, so that messages of a type that no other node knows are decoded: .msg and IDL.
func TestTypesOfTheBagAreDescribed(t *testing.T) {
	for file, want := range map[string]string{
		"lf.mcap":  "float64 height\nint32 tank\nstd_msgs/Header header\n",
		"idl.mcap": "float64 height\nint32 tank\n",
	} {
		var heights []string
		log := playFile(t, openFile(t, file), Config{}, func(n *ros2.Node) {
			ends := n.Graph().EndpointsOn("/level")
			if len(ends) != 1 || ends[0].TypeHash == "" {
				t.Fatalf("%s: %v", file, ends)
			}
			client, err := ros2.NewClient(n, type_description_interfaces.GetTypeDescription{}, "/player/get_type_description")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			answer, err := client.Call(ctx, &type_description_interfaces.GetTypeDescriptionRequest{TypeName: ends[0].Type, TypeHash_: ends[0].TypeHash, IncludeTypeSources: true})
			if err != nil || !answer.Successful || answer.TypeDescription.TypeDescription.TypeName != ends[0].Type {
				t.Fatalf("%s: %+v, %v", file, answer, err)
			}
			if text := answer.TypeSources[0].RawFileContents; !strings.HasPrefix(text, want) {
				t.Errorf("%s: %s", file, text)
			}
			typ, err := dynamic.Resolve(ends[0].Type, func(name string) (string, bool) {
				if name == ends[0].Type {
					return strings.ReplaceAll(want, "std_msgs/", "std_msgs/msg/"), true
				}
				return msgs.Definition(name)
			})
			if err != nil || typ.Hash() != ends[0].TypeHash {
				t.Fatalf("%s: %v", file, err)
			}
			if _, err := n.Transport().NewReader(ros2.ReaderConfig{
				EndpointConfig: ros2.EndpointConfig{Node: n.Name(), Topic: "/level", Type: typ.Name, TypeHash: typ.Hash()},
				OnSample: func(s ros2.Sample) {
					m, err := dynamic.Decode(typ, s.Payload)
					if err != nil {
						t.Error(err)
						return
					}
					v, _ := m.Get("height")
					heights = append(heights, fmt.Sprint(v))
				},
			}); err != nil {
				t.Fatal(err)
			}
		})
		if len(heights) != 50 || heights[3] != "0.3" {
			t.Errorf("%s: %v", file, heights)
		}
		if log != "" {
			t.Errorf("%s: %s", file, log)
		}
	}
}

// TestChannelsOfOtherEncodings: JSON goes to viewers as it is, a ROS topic of the same bag to the network; without
// viewers it is skipped with a warning that names the way.
func TestChannelsOfOtherEncodings(t *testing.T) {
	b := openFile(t, "json.mcap")
	var list []string
	var closed bool
	names := map[string]string{}
	log := playFile(t, b, Config{Direct: func(topic *bag.Topic) Output {
		names[topic.Name] = topic.Format + " " + topic.SchemaEncoding
		return kept{&list, &closed}
	}}, func(n *ros2.Node) {
		if ends := n.Graph().EndpointsOn("/count"); len(ends) != 1 {
			t.Error(ends)
		}
		if ends := n.Graph().EndpointsOn("/log"); len(ends) != 0 {
			t.Error(ends)
		}
	})
	if len(list) != 100 || !closed || names["/log"] != "json jsonschema" || names["sample topic"] != "json " || !strings.HasPrefix(list[0], `{"n":`) {
		t.Errorf("%d messages, %v", len(list), names)
	}
	if !strings.Contains(log, "for Foxglove alone") {
		t.Error(log)
	}
	log = playFile(t, b, Config{}, func(*ros2.Node) {})
	if !strings.Contains(log, "level=WARN") || !strings.Contains(log, "--web") {
		t.Error(log)
	}
}

// TestTypesWithoutDefinition: a topic without a definition is played, with a warning; so is one whose definition cannot
// be read. Viewers get its messages as they are.
func TestTypesWithoutDefinition(t *testing.T) {
	for name, c := range map[string]struct {
		topic bag.Topic
		want  string // "" is none
	}{
		"known by name":                 {bag.Topic{Type: "std_msgs/msg/String"}, ""},
		"name of ROS 1":                 {bag.Topic{Type: "std_msgs/String"}, ""},
		"own with definition":           {bag.Topic{Type: "own/msg/T", Schema: "int8 x\n", SchemaEncoding: "ros2msg"}, ""},
		"another version":               {bag.Topic{Type: "std_msgs/msg/String", Schema: "int8 x\n", SchemaEncoding: "ros2msg"}, ""},
		"own without definition":        {bag.Topic{Type: "own/msg/T"}, "no definition"},
		"another version, not in it":    {bag.Topic{Type: "std_msgs/msg/String", Hash: "RIHS01_1"}, "another version"},
		"definition that is not read":   {bag.Topic{Type: "own/msg/T", Schema: "wstring w\n", SchemaEncoding: "ros2msg"}, "wstring"},
		"encoding that is not known":    {bag.Topic{Type: "own/msg/T", Schema: "x", SchemaEncoding: "flatbuffer"}, "flatbuffer"},
		"bad definition of a known one": {bag.Topic{Type: "std_msgs/msg/String", Schema: "%", SchemaEncoding: "ros2msg"}, ""},
	} {
		typ, _, hash, unread := resolveType(&c.topic, msgs.Definition)
		if (unread == nil) != (c.want == "") || unread != nil && !strings.Contains(unread.Error(), c.want) || unread == nil && (hash == "" || typ.Hash() != hash) {
			t.Errorf("%s: hash %q, %v; want %q", name, hash, unread, c.want)
		}
	}
}
