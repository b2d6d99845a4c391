// SPDX-License-Identifier: Apache-2.0

package mcap

// maxSampled is the maximum number of chunks that [Sample] reads.
const maxSampled = 3

// Sample returns one message of the channels that wanted selects, an early one of its file. It reads at most three chunks,
// and only those that have one of the channels by their index, or no index; ok is false if there is no message in them.
func Sample(files []*Reader, wanted func(*Channel) bool) (m Message, ok bool) {
	g, read := Range{Channel: wanted}, 0
	for _, s := range plan(files, g) {
		if !s.file.mayHold(s.chunk, wanted) {
			continue
		}
		if read++; read > maxSampled {
			return Message{}, false
		}
		if l, _ := s.file.load(s.chunk, &g); l != nil && len(l.order) > 0 { // a damaged chunk has none
			return l.next(), true
		}
	}
	return Message{}, false
}

// mayHold reports whether a chunk has a message of the wanted channels by its index and the file's statistics.
func (r *Reader) mayHold(c *ChunkInfo, wanted func(*Channel) bool) bool {
	for _, i := range c.indexes {
		if ch := r.channels[i.channel]; ch != nil && wanted(ch) {
			return true
		}
	}
	if len(c.indexes) > 0 {
		return false
	}
	for id, ch := range r.channels {
		if (r.counts[id] > 0 || len(r.counts) == 0) && wanted(ch) {
			return true
		}
	}
	return false
}
