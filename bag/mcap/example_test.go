// SPDX-License-Identifier: Apache-2.0

package mcap_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// A file is written chunk by chunk, each of which survives whatever comes after it.
func Example() {
	f, err := os.CreateTemp("", "*.mcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w, err := mcap.NewWriter(f, mcap.Options{Library: "example", Compression: mcap.Zstd})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Register(&mcap.Channel{ID: 1, Topic: "/a", MessageEncoding: "json"}); err != nil {
		fmt.Println(err)
		return
	}
	var chunk mcap.Chunk
	chunk.Add(1, 1, 10, 9, []byte(`{"x": 1}`))
	chunk.Add(1, 2, 20, 19, []byte(`{"x": 2}`))
	if err := w.WriteChunk(&chunk); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	data, err := os.ReadFile(f.Name())
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := mcap.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		fmt.Println(err)
		return
	}
	for m, err := range mcap.Messages([]*mcap.Reader{r}, mcap.Range{Start: 15}) {
		fmt.Println(m.Channel.Topic, m.LogTime, string(m.Data), err)
	}
	// Output: /a 20 {"x": 2} <nil>
}
