// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"cmp"
	"encoding/binary"
	"slices"
)

const (
	orderEntry     = 4                        // bytes of a message in loaded.order
	minMessage     = recordHead + messageHead // bytes of a message without data
	loadedOverhead = 256                      // approximate bytes of a loaded chunk besides records and order
)

// loaded is a chunk in memory. Its messages are decoded when they are requested: decoded at once, tiny ones would
// need several times the memory of their chunk.
type loaded struct {
	channels map[uint16]*Channel
	data     []byte   // the records
	order    []uint32 // offsets of the remaining messages, ordered by log time
	size     uint64   // memory in bytes
}

// memory returns an upper bound of the memory that load needs for a chunk, in bytes.
func (r *Reader) memory(c *ChunkInfo) uint64 {
	n := uint64(c.Length)
	if !c.plain {
		n = min(c.Uncompressed, maxChunk)
		// The summary may state another size than the chunk.
		if head, _, err := r.chunkHead(c.Offset, uint64(max(0, c.Length-recordHead))); err == nil {
			n = min(head.Uncompressed, maxChunk)
		}
	}
	return n + n/minMessage*orderEntry + loadedOverhead
}

// load reads a chunk. With an error from one of its records it also returns the messages before it.
func (r *Reader) load(c *ChunkInfo, g *Range) (*loaded, error) {
	data, err := r.content(c)
	if err != nil {
		return nil, err
	}
	wanted := map[uint16]bool{}
	for id, ch := range r.channels {
		wanted[id] = g.Channel == nil || g.Channel(ch)
	}
	each := func(f func(offset int)) error {
		return walk(data, c.Offset, func(op byte, d *decoder, offset int) error {
			if op != opMessage {
				return nil
			}
			id, _, logTime, _ := d.messageHead()
			if d.err == nil && wanted[id] && g.holds(logTime) {
				f(offset)
			}
			return d.err
		})
	}
	count := 0
	err = each(func(int) { count++ })
	l := &loaded{channels: r.channels, data: data, order: make([]uint32, 0, count)}
	l.size = uint64(cap(data)) + uint64(count)*orderEntry + loadedOverhead
	_ = each(func(offset int) { l.order = append(l.order, uint32(offset)) }) // the error was checked above
	if earlier := func(a, b uint32) int { return cmp.Compare(l.at(a), l.at(b)) }; !slices.IsSortedFunc(l.order, earlier) {
		slices.SortFunc(l.order, func(a, b uint32) int { return cmp.Or(earlier(a, b), cmp.Compare(a, b)) })
	}
	return l, err
}

// at returns the log time of the message at an offset.
func (l *loaded) at(offset uint32) uint64 {
	return binary.LittleEndian.Uint64(l.data[int(offset)+recordHead+2+4:])
}

// time returns the log time of the next message.
func (l *loaded) time() uint64 { return l.at(l.order[0]) }

// next returns the next message.
func (l *loaded) next() Message {
	d := decoder{b: l.data[l.order[0]+1:]}
	l.order = l.order[1:]
	body := decoder{b: d.next(d.u64("length"), "message")}
	id, sequence, logTime, publishTime := body.messageHead()
	return Message{l.channels[id], sequence, logTime, publishTime, body.b}
}
