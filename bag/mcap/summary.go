// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"hash/crc32"
	"maps"
	"slices"
)

// summary appends the records after the messages: the channels, the counts and the offsets.
func (w *Writer) summary() {
	e := &w.block
	at := e.begin(opDataEnd)
	e.u32(0) // no checksum of the whole file, which would cost time while recording; the chunks have theirs
	e.end(at)
	begin := len(e.b)
	groups := make([]group, 0, 6)
	put := func(op byte, f func()) {
		from := len(e.b)
		f()
		if len(e.b) > from {
			groups = append(groups, group{op, uint64(w.off) + uint64(from), uint64(len(e.b) - from)})
		}
	}
	put(opSchema, w.summarySchemas)
	put(opChannel, w.summaryChannels)
	put(opStatistics, w.statistics)
	put(opAttachmentIndex, w.attachmentIndexes)
	put(opMetadataIndex, w.metadataIndexes)
	put(opChunkIndex, w.chunkIndexes)
	offsets := len(e.b)
	for _, g := range groups {
		at := e.begin(opSummaryOffset)
		e.b = append(e.b, g.op)
		e.u64(g.offset)
		e.u64(g.length)
		e.end(at)
	}
	at = e.begin(opFooter)
	e.u64(uint64(w.off) + uint64(begin))
	e.u64(uint64(w.off) + uint64(offsets))
	e.u32(0)
	e.end(at)
	// The length of the footer is part of what the checksum covers.
	crc := crc32.ChecksumIEEE(e.b[begin : len(e.b)-4])
	e.b = e.b[:len(e.b)-4]
	e.u32(crc)
	e.b = append(e.b, magic...)
}

// group holds the records of one kind in the summary.
type group struct {
	op             byte
	offset, length uint64
}

func (w *Writer) summarySchemas() {
	used := map[uint16]bool{}
	for ch := range w.inFile {
		used[w.channels[ch].schemaID()] = true
	}
	for _, s := range w.schemas {
		if used[s.ID] {
			w.block.schema(s)
		}
	}
}

func (w *Writer) summaryChannels() {
	for _, ch := range slices.Sorted(maps.Keys(w.inFile)) {
		w.block.channel(w.channels[ch])
	}
}

func (w *Writer) statistics() {
	e := &w.block
	var total uint64
	for _, n := range w.counts {
		total += n
	}
	schemas := map[uint16]bool{}
	for ch := range w.inFile {
		schemas[w.channels[ch].schemaID()] = true
	}
	delete(schemas, 0)
	start, end := w.Span()
	at := e.begin(opStatistics)
	e.u64(total)
	e.u16(uint16(len(schemas)))
	e.u32(uint32(len(w.inFile)))
	e.u32(uint32(len(w.attachments)))
	e.u32(uint32(len(w.metadata)))
	e.u32(uint32(len(w.chunks)))
	e.u64(start)
	e.u64(end)
	e.u32(uint32(len(w.inFile) * (2 + 8)))
	for _, ch := range slices.Sorted(maps.Keys(w.inFile)) {
		e.u16(ch)
		e.u64(w.counts[ch])
	}
	e.end(at)
}

func (w *Writer) metadataIndexes() {
	for _, m := range w.metadata {
		at := w.block.begin(opMetadataIndex)
		w.block.u64(m.offset)
		w.block.u64(m.length)
		w.block.str(m.name)
		w.block.end(at)
	}
}

func (w *Writer) chunkIndexes() {
	e := &w.block
	for i := range w.chunks {
		c := &w.chunks[i]
		at := e.begin(opChunkIndex)
		e.u64(c.Start)
		e.u64(c.End)
		e.u64(uint64(c.Offset))
		e.u64(uint64(c.Length))
		e.u32(uint32(len(c.indexes) * (2 + 8)))
		for _, p := range c.indexes {
			e.u16(p.channel)
			e.u64(p.offset)
		}
		e.u64(c.indexLength)
		e.str(c.Compression)
		e.u64(c.Compressed)
		e.u64(c.Uncompressed)
		e.end(at)
	}
}

// chunkIndex reads a chunk's index.
func (d *decoder) chunkIndex() ChunkInfo {
	c := ChunkInfo{Start: d.u64("chunk start"), End: d.u64("chunk end"), Offset: int64(d.u64("chunk offset")), Length: int64(d.u64("chunk length"))}
	in := d.list("message indexes")
	for len(in.b) > 0 && in.err == nil {
		c.indexes = append(c.indexes, indexPlace{in.u16("channel of a message index"), in.u64("offset of a message index")})
	}
	if d.err == nil {
		d.err = in.err
	}
	c.indexLength, c.Compression = d.u64("length of message indexes"), d.str("compression")
	c.Compressed, c.Uncompressed = d.u64("compressed size"), d.u64("uncompressed size")
	return c
}
