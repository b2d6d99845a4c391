// SPDX-License-Identifier: Apache-2.0

package bag_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// A recording is read message by message, whether it was finished or not.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "bag")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f, err := os.Create(filepath.Join(dir, "run_0.mcap"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	w, err := mcap.NewWriter(f, mcap.Options{Profile: bag.Profile})
	if err != nil {
		fmt.Println(err)
		return
	}
	channel := &mcap.Channel{ID: 1, Topic: "/button", MessageEncoding: "cdr", Schema: &mcap.Schema{ID: 1, Name: "std_msgs/msg/Bool", Encoding: "ros2msg", Data: []byte("bool data\n")}}
	var chunk mcap.Chunk
	chunk.Add(1, 0, 1_000_000_000, 1_000_000_000, []byte{0, 1, 0, 0, 1})
	if err := w.Register(channel); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.WriteChunk(&chunk); err != nil { // and here the power fails
		fmt.Println(err)
		return
	}

	b, err := bag.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	fmt.Println("not finished:", b.Interrupted)
	for m, err := range b.Messages(bag.Range{}) {
		fmt.Println(m.Topic.Name, m.Topic.Type, m.LogTime, m.Data, err)
	}
	// Output:
	// not finished: [run_0.mcap]
	// /button std_msgs/msg/Bool 1000000000 [0 1 0 0 1] <nil>
}
