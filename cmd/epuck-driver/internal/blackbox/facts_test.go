// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// TestFactsOfEachNodeAreTheLast: a robot's node publishes the facts of a run until it leaves, then the simulation's.
func TestFactsOfEachNodeAreTheLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mcap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mcap.NewWriter(f, mcap.Options{Profile: bag.Profile})
	if err != nil {
		t.Fatal(err)
	}
	schema := &mcap.Schema{ID: 1, Name: "std_msgs/msg/String", Encoding: "ros2msg", Data: []byte("string data\n")}
	err = w.Register(&mcap.Channel{ID: 1, Schema: schema, Topic: "/" + TopicRun, MessageEncoding: "cdr"})
	var chunk mcap.Chunk
	for i, node := range []string{"/epuck_driver", "/epuck_driver", "/simulation", "/simulation"} {
		text := fmt.Sprintf(`{"node": %q, "trace_at_s": %d}`, node, i)
		data, failed := cdr.Marshal(nil, &std_msgs.String{Data: text})
		err = errors.Join(err, failed)
		chunk.Add(1, 0, uint64(i), uint64(i), data)
	}
	if err := errors.Join(err, w.WriteChunk(&chunk), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := bag.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	runs, err := FactsIn(b)
	if err != nil || len(runs) != 2 || runs[0].Node != "/epuck_driver" || runs[0].TraceAt != 1 || runs[1].Node != "/simulation" || runs[1].TraceAt != 3 {
		t.Errorf("%+v, %v", runs, err)
	}
}
