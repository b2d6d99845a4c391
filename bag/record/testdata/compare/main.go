// SPDX-License-Identifier: Apache-2.0

// Command compare compares the messages of two bags that were recorded at the same time: of each topic that both
// have, between the first and the last message that both have, all must be there and equal byte for byte.
package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/epuck-ros2/epuck-driver/bag"
)

func main() {
	if err := compare(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func compare(a, b string) error {
	first, err := messages(a)
	if err != nil {
		return err
	}
	second, err := messages(b)
	if err != nil {
		return err
	}
	compared := 0
	for topic, x := range first {
		y := second[topic]
		if len(y) == 0 {
			continue
		}
		n, err := overlap(x, y)
		if err != nil {
			return fmt.Errorf("%s: %w", topic, err)
		}
		compared += n
	}
	if compared == 0 {
		return fmt.Errorf("%s and %s have no message in common", a, b)
	}
	fmt.Println(compared, "messages are equal")
	return nil
}

// messages reads a bag by topic.
func messages(path string) (map[string][][]byte, error) {
	b, err := bag.Open(path)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	out := map[string][][]byte{}
	for m, err := range b.Messages(bag.Range{}) {
		if err != nil {
			return nil, err
		}
		out[m.Topic.Name] = append(out[m.Topic.Name], m.Data)
	}
	return out, nil
}

// overlap aligns two lists at the first message of the one that the other has, and compares what follows.
func overlap(x, y [][]byte) (int, error) {
	at := slices.IndexFunc(x, func(m []byte) bool { return same(m, y[0]) })
	if at < 0 {
		x, y = y, x
		if at = slices.IndexFunc(x, func(m []byte) bool { return same(m, y[0]) }); at < 0 {
			return 0, fmt.Errorf("none of %d messages is one of %d", len(x), len(y))
		}
	}
	x = x[at:]
	n := min(len(x), len(y))
	for i := range n {
		if !same(x[i], y[i]) {
			return 0, fmt.Errorf("message %d of %d differs", i, n)
		}
	}
	return n, nil
}

// same compares but for the padding behind the content, which DDS stacks add to fill up to four bytes.
func same(a, b []byte) bool {
	n := min(len(a), len(b))
	return max(len(a), len(b))-n < 4 && bytes.Equal(a[:n], b[:n]) || equalButOptions(a, b, n)
}

// equalButOptions leaves out the two option bytes of the encapsulation, which count that padding.
func equalButOptions(a, b []byte, n int) bool {
	return n > 4 && max(len(a), len(b))-n < 4 && bytes.Equal(a[:2], b[:2]) && bytes.Equal(a[4:n], b[4:n])
}
