// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"errors"
	"fmt"
	"hash/crc32"
)

// plainRun is the maximum size of a run of messages outside chunks, bytes.
const plainRun = 1 << 20

// scan scans the records of the data section.
func (r *Reader) scan() {
	r.repairs = !r.headed
	off, run := int64(len(magic)), int64(-1) // run is the chunk that collects messages outside chunks
	for off < r.size {
		if r.show != nil {
			r.show(off, r.size)
		}
		op, n, err := r.record(off)
		if err == nil && (op == opDataEnd || op == opFooter) {
			break
		}
		next := off + recordHead + int64(n)
		if err == nil {
			err = r.index(op, off, n, &run)
		}
		if err == nil {
			off = next
			r.end = off
			continue
		}
		off = r.skip(off, err)
		run = -1
	}
	r.end = min(r.end, r.size)
}

// skip records damage at off and returns where to continue: at the next chunk that can be read, or the end.
func (r *Reader) skip(off int64, cause error) int64 {
	next, found := r.resync(off + 1)
	if !found {
		saved := r.partial(off, cause)
		r.Damage = append(r.Damage, Damage{off, r.size - off, cause})
		r.repairs = r.repairs || saved
		return r.size
	}
	r.Damage = append(r.Damage, Damage{off, next - off, cause})
	r.repairs = true
	return next
}

// index processes one intact record.
func (r *Reader) index(op byte, off int64, n uint64, run *int64) error {
	switch op {
	case opChunk:
		*run = -1
		return r.takeChunk(off, n)
	case opAttachment:
		*run = -1
		return r.takeAttachment(off, n)
	case opMessage, opSchema, opChannel, opMetadata, opMessageIndex:
		if n > maxChunk {
			return fmt.Errorf("%w: record of %d bytes at byte %d", ErrTooLarge, n, off)
		}
		b, err := r.bytes(off+recordHead, n)
		if err != nil {
			return err
		}
		d := decoder{b: b, at: off + recordHead}
		switch op {
		case opMetadata:
			r.metadata = append(r.metadata, d.metadata())
			r.places = append(r.places, metadataPlace{r.metadata[len(r.metadata)-1].Name, uint64(off), n + recordHead})
		case opMessageIndex:
			r.takeIndex(&d, off, n)
		case opMessage:
			r.takePlain(&d, off, n, run)
		default:
			return r.define(op, &d)
		}
		return d.err
	}
	return nil // header and records of later specifications
}

// define adds a schema or channel.
func (r *Reader) define(op byte, d *decoder) error {
	if op == opSchema {
		if s := d.schema(); d.err == nil && s.ID != 0 { // 0 means no schema
			r.schemas[s.ID] = s
		}
		return d.err
	}
	c, schema := d.channel()
	if d.err != nil {
		return d.err
	}
	if _, known := r.channels[c.ID]; known {
		return nil
	}
	c.Schema = r.schemas[schema]
	if schema != 0 && c.Schema == nil {
		return fmt.Errorf("%w: channel %d at byte %d has schema %d, which is not defined", ErrFormat, c.ID, d.at, schema)
	}
	r.channels[c.ID] = c
	return nil
}

// takeChunk reads a chunk, verifies its checksum and counts its messages. A chunk is used completely or not at all.
func (r *Reader) takeChunk(off int64, n uint64) error {
	c, crc, err := r.chunkHead(off, n)
	if err != nil {
		return err
	}
	data, err := r.records(&c, crc)
	if err != nil {
		return err
	}
	counts, err := r.countMessages(data, c.Offset)
	if err != nil {
		return err
	}
	for ch, k := range counts {
		r.counts[ch] += k
	}
	r.chunks = append(r.chunks, c)
	return nil
}

// countMessages adds the definitions in a chunk and counts its messages.
func (r *Reader) countMessages(data []byte, at int64) (map[uint16]uint64, error) {
	counts := map[uint16]uint64{}
	err := walk(data, at, func(op byte, d *decoder, _ int) error {
		switch op {
		case opSchema, opChannel:
			return r.define(op, d)
		case opMessage:
			ch, _, _, _ := d.messageHead()
			if d.err == nil && r.channels[ch] == nil {
				return fmt.Errorf("%w: message of channel %d, which is not defined, in the chunk at byte %d", ErrFormat, ch, at)
			}
			counts[ch]++
			return d.err
		}
		return nil
	})
	return counts, err
}

// walk calls f with each record of a chunk's data and its offset there; at is the chunk's offset, for errors. The
// decoder is valid until f returns.
func walk(data []byte, at int64, f func(op byte, d *decoder, offset int) error) error {
	var body decoder // reused: there may be millions of records
	for rest := data; len(rest) > 0; {
		offset := len(data) - len(rest)
		d := decoder{b: rest, at: at}
		op := d.next(1, "kind")
		body = decoder{b: d.next(d.u64("length"), "record of a chunk"), at: at}
		if d.err != nil {
			return d.err
		}
		if err := f(op[0], &body, offset); err != nil {
			return err
		}
		rest = d.b
	}
	return nil
}

// chunkHead reads the fields before a chunk's records.
func (r *Reader) chunkHead(off int64, n uint64) (ChunkInfo, uint32, error) {
	c := ChunkInfo{Offset: off, Length: recordHead + int64(n)}
	const most = chunkFixed + 4 + 16 + 8 // no compression has a name of more than 16 bytes
	head, err := r.bytes(off+recordHead, min(n, most))
	if err != nil {
		return c, 0, err
	}
	d := decoder{b: head, at: off + recordHead}
	c.Start, c.End, c.Uncompressed = d.u64("chunk start"), d.u64("chunk end"), d.u64("uncompressed size")
	crc := d.u32("chunk checksum")
	c.Compression, c.Compressed = d.str("compression"), d.u64("size of the records")
	if d.err == nil && c.Compressed != n-uint64(c.headLength()) {
		d.err = fmt.Errorf("%w: the chunk at byte %d states %d bytes of records and has %d", ErrFormat, off, c.Compressed, n-uint64(c.headLength()))
	}
	return c, crc, d.err
}

// headLength returns the length of the content before the records.
func (c *ChunkInfo) headLength() int64 { return chunkFixed + 4 + int64(len(c.Compression)) + 8 }

// records reads a chunk's records, uncompressed; a checksum of 0 is none.
func (r *Reader) records(c *ChunkInfo, crc uint32) ([]byte, error) {
	if c.Compressed > maxChunk {
		return nil, fmt.Errorf("%w: %d bytes at byte %d", ErrTooLarge, c.Compressed, c.Offset)
	}
	packed, err := r.bytes(c.Offset+recordHead+c.headLength(), c.Compressed)
	if err != nil {
		return nil, err
	}
	data, err := decompress(c.Compression, packed, c.Uncompressed, false)
	if err != nil {
		return nil, fmt.Errorf("chunk at byte %d: %w", c.Offset, err)
	}
	if crc != 0 && crc32.ChecksumIEEE(data) != crc {
		return nil, fmt.Errorf("%w: chunk at byte %d", ErrChecksum, c.Offset)
	}
	return data, nil
}

// takeIndex adds a message index to the chunk before it.
func (r *Reader) takeIndex(d *decoder, off int64, n uint64) {
	ch := d.u16("channel of a message index")
	if d.bytes("message index"); d.err == nil && len(d.b) > 0 {
		d.err = fmt.Errorf("%w: the message index at byte %d has %d bytes too many", ErrFormat, off, len(d.b))
	}
	if d.err != nil || len(r.chunks) == 0 {
		return
	}
	c := &r.chunks[len(r.chunks)-1]
	if c.plain || uint64(c.Offset+c.Length)+c.indexLength != uint64(off) {
		return
	}
	c.indexes = append(c.indexes, indexPlace{ch, uint64(off)})
	c.indexLength += n + recordHead
}

// takePlain adds a message outside chunks to the current run of them.
func (r *Reader) takePlain(d *decoder, off int64, n uint64, run *int64) {
	ch, _, logTime, _ := d.messageHead()
	if d.err != nil {
		return
	}
	if r.channels[ch] == nil {
		d.err = fmt.Errorf("%w: message of channel %d, which is not defined, at byte %d", ErrFormat, ch, off)
		return
	}
	r.counts[ch]++
	length := recordHead + int64(n)
	if *run >= 0 {
		c := &r.chunks[*run]
		if c.Offset+c.Length == off && c.Length+length <= plainRun {
			c.Length += length
			c.Start, c.End = min(c.Start, logTime), max(c.End, logTime)
			return
		}
	}
	*run = int64(len(r.chunks))
	r.chunks = append(r.chunks, ChunkInfo{Offset: off, Length: length, Start: logTime, End: logTime, plain: true})
}

// resync searches for the next chunk that can be read, from off on.
func (r *Reader) resync(off int64) (int64, bool) {
	const window int64 = 1 << 20
	buf := make([]byte, max(0, min(window, r.size-off)))
	for off < r.size {
		n, _ := r.src.ReadAt(buf[:min(window, r.size-off)], off)
		if n == 0 {
			return 0, false
		}
		for i, b := range buf[:n] {
			if b == opChunk && r.chunkAt(off+int64(i)) {
				return off + int64(i), true
			}
		}
		off += int64(n)
	}
	return 0, false
}

// chunkAt reports whether a complete chunk begins at off. It reads the records only if the head is plausible.
func (r *Reader) chunkAt(off int64) bool {
	op, n, err := r.record(off)
	if err != nil || op != opChunk || n < chunkFixed+4+8 {
		return false
	}
	c, crc, err := r.chunkHead(off, n)
	if err != nil || c.Start > c.End {
		return false
	}
	switch c.Compression {
	case "", string(Zstd), lz4Name:
	default:
		return false
	}
	data, err := r.records(&c, crc)
	return err == nil && walk(data, off, func(byte, *decoder, int) error { return nil }) == nil
}

// partial recovers the messages at the beginning of a truncated last chunk if the chunk has no checksum, so they need
// not be verified. It reports whether there are any.
func (r *Reader) partial(off int64, cause error) bool {
	if !errors.Is(cause, ErrTruncated) || r.size-off < recordHead {
		return false
	}
	op, _, _ := r.record(off)
	if op != opChunk {
		return false
	}
	c, crc, err := r.chunkHead(off, uint64(r.size-off-recordHead))
	if err != nil && !errors.Is(err, ErrFormat) || crc != 0 || r.size < off+recordHead+c.headLength() {
		return false
	}
	packed, err := r.bytes(off+recordHead+c.headLength(), uint64(r.size-off-recordHead-c.headLength()))
	if err != nil {
		return false
	}
	data, err := decompress(c.Compression, packed, min(c.Uncompressed, maxChunk), true)
	if err != nil {
		return false
	}
	whole := 0
	_ = walk(data, off, func(op byte, d *decoder, offset int) error {
		if op == opMessage || op == opSchema || op == opChannel {
			whole = offset + recordHead + len(d.b)
			return nil
		}
		return ErrFormat
	})
	counts, err := r.countMessages(data[:whole], off)
	if err != nil || len(counts) == 0 {
		return false
	}
	for ch, k := range counts {
		r.counts[ch] += k
	}
	c.Length, c.partial = r.size-off, data[:whole]
	r.chunks = append(r.chunks, c)
	return true
}
