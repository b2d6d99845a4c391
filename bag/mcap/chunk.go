// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Chunk collects messages for [Writer.WriteChunk]. Reset empties it and keeps its memory. The zero value is empty. It
// is not safe for concurrent use.
type Chunk struct {
	data       []byte
	start, end uint64
	count      int
	index      [][]stamp // by channel
	used       []uint16  // channels, in the order of their first message
}

// stamp is a message's log time and its offset in the chunk.
type stamp struct{ time, offset uint64 }

// Add appends a message of the channel with the given number. Its Data is copied.
func (c *Chunk) Add(channel uint16, sequence uint32, logTime, publishTime uint64, data []byte) {
	c.mark(channel, logTime, uint64(len(c.data)))
	b := append(c.data, opMessage)
	b = binary.LittleEndian.AppendUint64(b, uint64(messageHead+len(data)))
	b = binary.LittleEndian.AppendUint16(b, channel)
	b = binary.LittleEndian.AppendUint32(b, sequence)
	b = binary.LittleEndian.AppendUint64(b, logTime)
	b = binary.LittleEndian.AppendUint64(b, publishTime)
	c.data = append(b, data...)
}

// mark adds a message of the channel at offset to the index.
func (c *Chunk) mark(channel uint16, logTime, offset uint64) {
	if c.count == 0 || logTime < c.start {
		c.start = logTime
	}
	c.end = max(c.end, logTime)
	c.count++
	for int(channel) >= len(c.index) {
		c.index = append(c.index, nil)
	}
	if len(c.index[channel]) == 0 {
		c.used = append(c.used, channel)
	}
	c.index[channel] = append(c.index[channel], stamp{logTime, offset})
}

// Append adds all messages of o.
func (c *Chunk) Append(o *Chunk) {
	for d := (decoder{b: o.data}); len(d.b) > 0 && d.err == nil; {
		d.next(1, "kind")
		body := decoder{b: d.next(d.u64("length"), "message")}
		channel, sequence, logTime, publishTime := body.messageHead()
		c.Add(channel, sequence, logTime, publishTime, body.b)
	}
}

// Len returns the number of messages, Size their bytes.
func (c *Chunk) Len() int { return c.count }

// Size returns the bytes of the messages.
func (c *Chunk) Size() int { return len(c.data) }

// Span returns the log times of the earliest and the latest message, ns since 1970.
func (c *Chunk) Span() (start, end uint64) { return c.start, c.end }

// Channels returns the numbers of the channels that have messages. The caller must not change the slice.
func (c *Chunk) Channels() []uint16 { return c.used }

// Count returns the number of messages of a channel.
func (c *Chunk) Count(channel uint16) int {
	if int(channel) >= len(c.index) {
		return 0
	}
	return len(c.index[channel])
}

// Reset empties the chunk.
func (c *Chunk) Reset() {
	for _, ch := range c.used {
		c.index[ch] = c.index[ch][:0]
	}
	c.data, c.used = c.data[:0], c.used[:0]
	c.start, c.end, c.count = 0, 0, 0
}

// messageIndex appends the index of a channel, which must be sorted.
func (e *encoder) messageIndex(channel uint16, stamps []stamp) {
	earlier := func(a, b stamp) int { return cmp.Compare(a.time, b.time) }
	if !slices.IsSortedFunc(stamps, earlier) {
		slices.SortStableFunc(stamps, earlier)
	}
	at := e.begin(opMessageIndex)
	e.u16(channel)
	e.u32(uint32(len(stamps) * indexEntry))
	for _, s := range stamps {
		e.u64(s.time)
		e.u64(s.offset)
	}
	e.end(at)
}

// messageHead reads the fields before a message's data.
func (d *decoder) messageHead() (channel uint16, sequence uint32, logTime, publishTime uint64) {
	return d.u16("channel of a message"), d.u32("sequence"), d.u64("log time"), d.u64("publish time")
}
