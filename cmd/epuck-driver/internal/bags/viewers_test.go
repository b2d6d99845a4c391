// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// recordings returns the paths of files that other programs wrote, which are tests of the player, too.
func recordings(names ...string) (paths []string) {
	for _, n := range names {
		paths = append(paths, filepath.Join("..", "..", "..", "..", "bag", "play", "testdata", n))
	}
	return paths
}

// playPaths plays recordings to their end, with the flags of bag play.
func playPaths(t *testing.T, paths []string, flags ...string) error {
	t.Helper()
	o, cfg := optionsOf(t, flags...)
	b, err := openBags(paths)
	if err != nil {
		return err
	}
	cfg.Bag, cfg.Logger = b, slog.New(slog.DiscardHandler)
	transport := ros2test.NewTransport()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "player", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	err = o.playOn(t.Context(), &frame.Program{Streams: frame.Streams{Out: io.Discard, Err: io.Discard}}, cfg, node, transport)
	return errors.Join(err, node.Close(), transport.Close(), b.Close())
}

// TestRecordingsOfOtherProgramsAreJoined: what bag play does with several paths.
func TestRecordingsOfOtherProgramsAreJoined(t *testing.T) {
	b, err := openBags(recordings("json.mcap", "idl.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	var topics []string
	for _, topic := range b.Topics() {
		topics = append(topics, fmt.Sprint(topic.Name, " ", topic.Format, " ", topic.Messages))
	}
	if got := strings.Join(topics, ", "); got != "/count cdr 50, /level cdr 50, /log json 50, sample topic json 50" {
		t.Error(got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	for _, paths := range [][]string{recordings("idl.mcap", "lf.mcap"), recordings("lf.mcap", "idl.mcap")} { // both have /level
		err := playPaths(t, paths, "--rate=1000")
		for _, want := range []string{"/level", "own_msgs/msg/Level, RIHS01_", "own_msgs/msg/LevelStamped, ", paths[0], paths[1], "play one file alone"} {
			if !errors.Is(err, bag.ErrTypes) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v lacks %q", paths, err, want)
			}
		}
		if err := playPaths(t, append(paths, recordings("json.mcap")...), "--rate=1000", "--exclude-topics=/level"); err != nil {
			t.Errorf("%q without /level: %v", paths, err)
		}
	}
	if _, err := openBags(recordings("idl.mcap", "none.mcap")); !errors.Is(err, bag.ErrNoBag) || !strings.Contains(err.Error(), "none.mcap") {
		t.Error(err)
	}
	if b, err := openBags(recordings("idl.mcap", "idl.mcap")); err != nil || b.Count() != 100 {
		t.Errorf("one recording twice: %v", err)
	} else if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// TestViewersGetChannelsThatAreNotOfROS: bag play --web offers Foxglove the JSON channels of a recording with their
// schemas, and those whose names ROS does not allow, and passes their messages unchanged; topics of ROS are topics.
func TestViewersGetChannelsThatAreNotOfROS(t *testing.T) {
	p := playForViewers(t, "json.mcap", "idl.mcap")
	channels := p.channels("/log", "sample topic", "/count", "/level")
	for topic, want := range map[string]string{
		"/log":         `json foxglove.Log jsonschema {"type":"object","properties":{"n":{"type":"number"}}}`,
		"sample topic": "json   ",
		"/count":       "cdr std_msgs/msg/Int32 ros2msg int32 data",
		"/level":       "cdr own_msgs/msg/Level ros2msg float64 height\nint32 tank",
	} {
		c := channels[topic]
		got := fmt.Sprint(c["encoding"], " ", c["schemaName"], " ", c["schemaEncoding"], " ", c["schema"])
		if strings.TrimSpace(strings.ReplaceAll(got, "<nil>", "")) != strings.TrimSpace(want) {
			t.Errorf("channel %s: %q, want %q", topic, got, want)
		}
	}
	p.subscribe(channels)
	p.resume()
	got := p.firstMessages(len(channels))
	for topic, want := range map[string]string{
		"/log": `{"n":1}`, "sample topic": `{"n":2}`, "/count": "\x00\x01\x00\x00", "/level": "\x00\x01\x00\x00",
	} {
		if m := got[topic]; !strings.HasPrefix(m, want) || want[0] == '{' && m != want {
			t.Errorf("message of %s: %q, want %q", topic, m, want)
		}
	}
	p.stop()
}

// TestViewersGetTypesThatOnlyTheRecordingHas: the messages of lf.mcap, whose definition has lines that end with LF and
// a nested header, are decoded by the definition that viewers get.
func TestViewersGetTypesThatOnlyTheRecordingHas(t *testing.T) {
	p := playForViewers(t, "lf.mcap")
	channels := p.channels("/level")
	c := channels["/level"]
	if schema := fmt.Sprint(c["schema"]); c["schemaName"] != "own_msgs/msg/LevelStamped" || c["schemaEncoding"] != "ros2msg" ||
		!strings.HasPrefix(schema, "float64 height\nint32 tank\nstd_msgs/Header header\n===") {
		t.Errorf("%v", c)
	}
	p.subscribe(channels)
	p.resume()
	if m := p.firstMessages(1)["/level"]; !strings.HasPrefix(m, "\x00\x01\x00\x00") {
		t.Errorf("%q", m)
	}
	p.stop()
}

// TestTopicsWithoutViewersAreSkipped: without --web the player says which topics it leaves out, and plays the others.
func TestTopicsWithoutViewersAreSkipped(t *testing.T) {
	b, err := openBags(recordings("json.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	o, cfg := optionsOf(t, "--rate=1000")
	var log bytes.Buffer
	cfg.Bag, cfg.Logger = b, slog.New(slog.NewTextHandler(&log, nil))
	transport := ros2test.NewTransport()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "player", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.playOn(t.Context(), &frame.Program{Streams: frame.Streams{Out: io.Discard, Err: io.Discard}}, cfg, node, transport); err != nil {
		t.Error(err)
	}
	for _, topic := range []string{"topic=/log", `topic="sample topic"`} {
		if !strings.Contains(log.String(), topic) {
			t.Errorf("nothing is said of %s:\n%s", topic, log.String())
		}
	}
	if strings.Contains(log.String(), "topic=/count") {
		t.Errorf("a topic of ROS is left out:\n%s", log.String())
	}
	if err := errors.Join(node.Close(), transport.Close(), b.Close()); err != nil {
		t.Error(err)
	}
}
