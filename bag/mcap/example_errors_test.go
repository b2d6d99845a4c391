// SPDX-License-Identifier: Apache-2.0

package mcap_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// The errors of a writer that is used wrongly, and of a damaged file.
func ExampleWriter_Register() {
	f, err := os.CreateTemp("", "*.mcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w, err := mcap.NewWriter(f, mcap.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Register(&mcap.Channel{ID: 1, Topic: "/a", MessageEncoding: "json"}); err != nil {
		fmt.Println(err)
		return
	}
	err = w.Register(&mcap.Channel{ID: 1, Topic: "/b", MessageEncoding: "json"})
	fmt.Println("registered:", errors.Is(err, mcap.ErrRegistered))
	var chunk mcap.Chunk
	chunk.Add(1, 1, 10, 10, []byte(`{"x": 1}`))
	if err := w.WriteChunk(&chunk); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("closed:", errors.Is(w.WriteChunk(&chunk), mcap.ErrClosed))

	data, err := os.ReadFile(f.Name())
	if err != nil {
		fmt.Println(err)
		return
	}
	read := func(data []byte) error {
		r, err := mcap.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		for _, err := range mcap.Messages([]*mcap.Reader{r}, mcap.Range{}) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Println("whole:", read(data))
	data[bytes.Index(data, []byte(`"x"`))+1] ^= 1
	fmt.Println("damaged:", errors.Is(read(data), mcap.ErrChecksum))
	// Output:
	// registered: true
	// closed: true
	// whole: <nil>
	// damaged: true
}
