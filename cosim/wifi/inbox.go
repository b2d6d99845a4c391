// SPDX-License-Identifier: Apache-2.0

package wifi

import (
	"context"
	"io"
)

const (
	// chunk is how much is read at once, chunks how many of these wait: together lwIP's window of 5744 bytes.
	chunk  = 64
	chunks = 5744 / chunk
	// capacity is how much is looked at: five commands and one that is not complete would do.
	capacity = 2048
)

// inbox is what a client has sent and was not looked at: receive fills it on a goroutine of its own, the others empty
// it.
type inbox struct {
	chunks chan []byte // closed when nothing will come any more
	bytes  []byte
	ended  bool
}

// receive reads until there is nothing more to read.
func (in *inbox) receive(ctx context.Context, from io.Reader) {
	defer close(in.chunks)
	for {
		p := make([]byte, chunk)
		n, err := from.Read(p)
		if n > 0 {
			select {
			case in.chunks <- p[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// drain takes what is there.
func (in *inbox) drain() {
	for !in.ended && len(in.bytes) < capacity {
		select {
		case p, ok := <-in.chunks:
			in.add(p, ok)
		default:
			return
		}
	}
}

// await waits until n bytes are there. It reports whether they are.
func (in *inbox) await(ctx context.Context, n int) bool {
	for !in.ended && len(in.bytes) < n {
		select {
		case p, ok := <-in.chunks:
			in.add(p, ok)
		case <-ctx.Done():
			return false
		}
	}
	return len(in.bytes) >= n
}

func (in *inbox) add(p []byte, ok bool) {
	if !ok {
		in.ended = true
		return
	}
	in.bytes = append(in.bytes, p...)
}
