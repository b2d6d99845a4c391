// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// Range selects messages.
type Range struct {
	// Start and End bound the log time, ns since 1970: Start <= time < End. An End of 0 is no bound.
	Start, End uint64
	// Channel reports whether the channel's messages are included. It defaults to all.
	Channel func(*Channel) bool
}

func (g *Range) holds(t uint64) bool { return t >= g.Start && (g.End == 0 || t < g.End) }

// maxHeld is the maximum memory of the chunks that overlap in time, bytes.
const maxHeld = 256 << 20

// Messages returns the messages of one or more files ordered by log time; equal ones in the order of files. It keeps
// only the chunks that overlap in time in memory, at most 256 MiB of them, or a single larger one. If that is not
// enough it reports one error that matches [ErrOverlap], and the messages of further chunks follow out of order. A
// chunk that can't be read results in a [*FileError] with its position, and the messages after it follow.
func Messages(files []*Reader, g Range) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		m := merge{g: g, waiting: plan(files, g), limit: maxHeld}
		for {
			msg, err, ok := m.next()
			if !ok || !yield(msg, err) {
				return
			}
		}
	}
}

// FileError is an error of reading one of several files.
type FileError struct {
	File *Reader
	Err  error
}

// Error returns the error of reading, which has the position in the file.
func (e *FileError) Error() string { return e.Err.Error() }

// Unwrap returns the error of reading.
func (e *FileError) Unwrap() error { return e.Err }

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

// merge returns the messages of overlapping chunks in order.
type merge struct {
	g       Range
	waiting []source
	need    uint64 // memory of the first waiting chunk, in bytes; 0 if not known yet
	open    []*loaded
	held    uint64 // memory of the open chunks, in bytes
	limit   uint64 // of held, with more than one chunk
	late    bool   // the limit was reported
}

func (m *merge) next() (Message, error, bool) {
	for {
		first := m.earliest()
		if len(m.waiting) > 0 && (first < 0 || m.waiting[0].chunk.Start <= m.open[first].time()) {
			if first < 0 || m.fits() {
				if err := m.load(); err != nil {
					return Message{}, err, true
				}
				continue
			}
			if !m.late {
				m.late = true
				return Message{}, fmt.Errorf("%w: the chunk at byte %d needs %d bytes in addition to the %d of chunks that overlap with it, the limit is %d; messages follow out of order",
					ErrOverlap, m.waiting[0].chunk.Offset, m.need, m.held, m.limit), true
			}
		}
		if first < 0 {
			return Message{}, nil, false
		}
		c := m.open[first]
		msg := c.next()
		if len(c.order) == 0 {
			m.open = slices.Delete(m.open, first, first+1)
			m.held -= c.size
		}
		return msg, nil, true
	}
}

// earliest returns the index of the open chunk with the earliest message; -1 without any.
func (m *merge) earliest() int {
	first := -1
	for i, c := range m.open {
		if first < 0 || c.time() < m.open[first].time() {
			first = i
		}
	}
	return first
}

// fits reports whether the first waiting chunk may be loaded in addition to the open ones.
func (m *merge) fits() bool {
	if m.need == 0 {
		m.need = m.waiting[0].file.memory(m.waiting[0].chunk)
	}
	return m.held+m.need <= m.limit
}

// load opens the first waiting chunk.
func (m *merge) load() error {
	next := m.waiting[0]
	m.waiting, m.need = m.waiting[1:], 0
	c, err := next.file.load(next.chunk, &m.g)
	if c != nil && len(c.order) > 0 {
		m.open = append(m.open, c)
		m.held += c.size
	}
	if err != nil {
		return &FileError{next.file, err}
	}
	return nil
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
