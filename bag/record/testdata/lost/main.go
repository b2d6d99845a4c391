// SPDX-License-Identifier: Apache-2.0

// Command lost counts the messages of a bag of the command load, and those that are missing between the first and the
// last of each topic: they carry running numbers.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
)

// numberAt is where a message has its number: behind the encapsulation, an empty layout and the length of the data.
const numberAt = 4 + 4 + 4 + 4

func main() {
	if err := count(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "lost:", err)
		os.Exit(1)
	}
}

func count(path string) error {
	b, err := bag.Open(path)
	if err != nil {
		return err
	}
	defer b.Close()
	next, there, lost := map[string]uint32{}, 0, uint32(0)
	for m, err := range b.Messages(bag.Range{}) {
		if err != nil {
			return err
		}
		n := binary.LittleEndian.Uint32(m.Data[numberAt:])
		if want, known := next[m.Topic.Name]; known && n > want {
			lost += n - want
		}
		next[m.Topic.Name] = n + 1
		there++
	}
	start, end := b.Span()
	fmt.Printf("  %d messages of %d topics in %.1f s, %d lost between them\n", there, len(next), time.Duration(end-start).Seconds(), lost)
	return nil
}
