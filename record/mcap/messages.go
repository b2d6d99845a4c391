// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// Range chooses messages.
type Range struct {
	// Start and End bound the log time, ns since 1970: Start <= time < End. An End of 0 is no bound.
	Start, End uint64
	// Channel tells whether the channel's messages are wanted. It defaults to all.
	Channel func(*Channel) bool
}

func (g *Range) holds(t uint64) bool { return t >= g.Start && (g.End == 0 || t < g.End) }

// Messages returns the messages of one or more files in the order of their log times; of equal ones the first in the
// first file comes first. It keeps the chunks in memory that overlap in time, no more. A chunk that can't be read
// gives an error with its position, and the messages go on behind it.
func Messages(files []*Reader, g Range) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		m := merge{g: g, waiting: plan(files, g)}
		for {
			msg, err, ok := m.next()
			if !ok || !yield(msg, err) {
				return
			}
		}
	}
}

// source is a chunk of a file.
type source struct {
	file  *Reader
	chunk *ChunkInfo
}

// plan lists the chunks that may hold messages of the range, by their start.
func plan(files []*Reader, g Range) []source {
	var out []source
	for _, f := range files {
		for i := range f.chunks {
			if c := &f.chunks[i]; c.End >= g.Start && (g.End == 0 || c.Start < g.End) {
				out = append(out, source{f, c})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b source) int { return cmp.Compare(a.chunk.Start, b.chunk.Start) })
	return out
}

// merge puts the messages of chunks that overlap in order.
type merge struct {
	g       Range
	waiting []source
	open    [][]Message // of each chunk in memory what has not been given away, in order
}

func (m *merge) next() (Message, error, bool) {
	for {
		first := -1
		for i, list := range m.open {
			if first < 0 || list[0].LogTime < m.open[first][0].LogTime {
				first = i
			}
		}
		if len(m.waiting) > 0 && (first < 0 || m.waiting[0].chunk.Start <= m.open[first][0].LogTime) {
			next := m.waiting[0]
			m.waiting = m.waiting[1:]
			list, err := next.file.load(next.chunk, &m.g)
			if len(list) > 0 {
				m.open = append(m.open, list)
			}
			if err != nil {
				return Message{}, err, true
			}
			continue
		}
		if first < 0 {
			return Message{}, nil, false
		}
		msg := m.open[first][0]
		if m.open[first] = m.open[first][1:]; len(m.open[first]) == 0 {
			m.open = slices.Delete(m.open, first, first+1)
		}
		return msg, nil, true
	}
}

// load reads the messages of a chunk, in order.
func (r *Reader) load(c *ChunkInfo, g *Range) ([]Message, error) {
	data, err := r.content(c)
	if err != nil {
		return nil, err
	}
	wanted := map[uint16]bool{}
	for id, ch := range r.channels {
		wanted[id] = g.Channel == nil || g.Channel(ch)
	}
	var out []Message
	err = walk(data, c.Offset, func(op byte, d *decoder, _ int) error {
		if op != opMessage {
			return nil
		}
		id, sequence, logTime, publishTime := d.messageHead()
		if d.err == nil && wanted[id] && g.holds(logTime) {
			out = append(out, Message{r.channels[id], sequence, logTime, publishTime, d.b})
		}
		return d.err
	})
	earlier := func(a, b Message) int { return cmp.Compare(a.LogTime, b.LogTime) }
	if !slices.IsSortedFunc(out, earlier) {
		slices.SortStableFunc(out, earlier)
	}
	return out, err
}

// content returns the records of a chunk, uncompressed.
func (r *Reader) content(c *ChunkInfo) ([]byte, error) {
	switch {
	case c.partial != nil:
		return c.partial, nil
	case c.plain:
		return r.bytes(c.Offset, uint64(c.Length))
	case c.Length < recordHead+chunkFixed+4+8:
		return nil, fmt.Errorf("%w: a chunk of %d bytes at byte %d", ErrFormat, c.Length, c.Offset)
	}
	read, crc, err := r.chunkHead(c.Offset, uint64(c.Length-recordHead))
	if err != nil {
		return nil, err
	}
	return r.records(&read, crc)
}
