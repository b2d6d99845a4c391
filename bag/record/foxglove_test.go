// SPDX-License-Identifier: Apache-2.0

//go:build peers

package record

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const foxgloveDir = "testdata/foxglove"

// foxgloveFound is what Foxglove's reader found in a file.
type foxgloveFound struct {
	Profile string `json:"profile"`
	Bytes   int    `json:"bytes"`
	Topics  map[string]struct {
		Messages        int
		Type, QoS, Hash string
	} `json:"topics"`
	Decoded  map[string]string            `json:"decoded"`
	Metadata map[string]map[string]string `json:"metadata"`
}

// foxgloveReads reads a file with Foxglove's library (npm's @mcap/core), which scripts/setup.sh installs.
func foxgloveReads(t *testing.T, mode, path string) foxgloveFound {
	t.Helper()
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(foxgloveDir + "/node_modules"); err != nil || missing != nil {
		t.Fatalf("Foxglove's reader needs node (Debian: nodejs) and npm ci in %s; scripts/setup.sh installs both: %v, %v", foxgloveDir, err, missing)
	}
	out, err := exec.Command(node, foxgloveDir+"/read.mjs", mode, path).Output()
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	var found foxgloveFound
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// recordRun records odometry and texts and returns the bag's only file.
func recordRun(t *testing.T, cfg Config) string {
	t.Helper()
	var dir string
	inBubble(t, cfg, func(g *rig) {
		say := g.publisher("text", ros2.LatchedQoS())
		odom, err := ros2.NewPublisher[nav_msgs.Odometry](g.talker, "odom", ros2.SensorDataQoS())
		if err != nil {
			t.Fatal(err)
		}
		dir = g.start("run")
		say("hello")
		for i := range 100 {
			var m nav_msgs.Odometry
			m.Header.FrameID, m.ChildFrameID, m.Pose.Pose.Position.X = "odom", "base_link", float64(i)/4
			if err := odom.Publish(&m); err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	return filepath.Join(dir, "run_0.mcap")
}

func TestFoxgloveReceives(t *testing.T) {
	for _, c := range []mcap.Compression{mcap.Uncompressed, mcap.Zstd} {
		path := recordRun(t, Config{Compression: c})
		sum := checksum(t, path)
		for _, mode := range []string{"indexed", "stream"} {
			found := foxgloveReads(t, mode, path)
			odom, text := found.Topics["/odom"], found.Topics["/text"]
			if found.Profile != "ros2" || odom.Messages != 100 || text.Messages != 1 || odom.Type != "nav_msgs/msg/Odometry" || odom.Hash != (&nav_msgs.Odometry{}).TypeHash() {
				t.Errorf("%q %s: %+v", c, mode, found)
			}
			if found.Bytes != sum {
				t.Errorf("%q %s: the messages' bytes are not those that were recorded", c, mode)
			}
			var m struct {
				Child string `json:"child_frame_id"`
				Pose  struct {
					Pose struct{ Position struct{ X float64 } }
				}
			}
			if err := json.Unmarshal([]byte(found.Decoded["/odom"]), &m); err != nil || m.Child != "base_link" || m.Pose.Pose.Position.X != 99.0/4 {
				t.Errorf("%q %s: decoded by our definition: %s, %v", c, mode, found.Decoded["/odom"], err)
			}
			if found.Metadata[bag.MetadataName][bag.MetadataKey] == "" {
				t.Errorf("%q %s: no metadata: %v", c, mode, found.Metadata)
			}
		}
	}
}

// TestFoxgloveReadsWhatAPowerCutLeft: a file without an end, as a stream; and the same file recovered, by its index.
func TestFoxgloveReadsWhatAPowerCutLeft(t *testing.T) {
	path := recordRun(t, Config{})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	whole, err := mcap.NewReader(r, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	chunks := whole.Chunks()
	last := chunks[len(chunks)-1]
	cut := filepath.Join(quickDir(t), "cut.mcap")
	if err := os.WriteFile(cut, data[:last.Offset+last.Length/2], 0o600); err != nil {
		t.Fatal(err)
	}
	stream := foxgloveReads(t, "stream", cut)
	if n := stream.Topics["/odom"].Messages; n < 85 || n >= 100 {
		t.Errorf("%d messages of the cut file", n)
	}
	if _, err := bag.Recover(cut, nil); err != nil {
		t.Fatal(err)
	}
	if found := foxgloveReads(t, "indexed", cut); found.Topics["/odom"].Messages != stream.Topics["/odom"].Messages || found.Bytes != stream.Bytes {
		t.Errorf("recovered %+v, the cut file had %+v", found, stream)
	}
}

// checksum is that of read.mjs, of all messages in the order of their times.
func checksum(t *testing.T, path string) int {
	t.Helper()
	b, err := bag.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	sum := 0
	for m, err := range b.Messages(bag.Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range m.Data {
			sum = (sum*31 + int(x)) % 1000000007
		}
	}
	return sum
}
