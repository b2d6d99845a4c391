// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
)

// Reader reads one file. It is safe for concurrent use. The code that opened the file closes it, after the last use.
type Reader struct {
	src  io.ReaderAt
	size int64

	// Profile and Library are from the header.
	Profile, Library string
	// Interrupted is true if the file has no footer: its writer was interrupted, or is still writing.
	Interrupted bool
	// Damage lists the parts that can't be read, in file order.
	Damage []Damage

	schemas  map[uint16]*Schema
	channels map[uint16]*Channel
	chunks   []ChunkInfo
	counts   map[uint16]uint64
	metadata []Metadata
	places   []metadataPlace

	attachments []attachmentPlace // found by scanning all records

	end     int64                // of the last whole record of the data section
	show    func(done, of int64) // progress of the scan; may be nil
	headed  bool                 // there is a header
	repairs bool                 // there is damage elsewhere than at the end
}

// Damage is a part of a file that can't be read.
type Damage struct {
	// Offset and Length are its bytes in the file.
	Offset, Length int64
	// Err is the reason.
	Err error
}

// String returns the position and the reason.
func (d Damage) String() string {
	return fmt.Sprintf("bytes %d to %d: %v", d.Offset, d.Offset+d.Length, d.Err)
}

// NewReader reads the structure of a file of the given size in bytes: from its summary, or by scanning it if there is
// none. It fails if the file is not MCAP; damage is not an error.
func NewReader(src io.ReaderAt, size int64) (*Reader, error) {
	r := newReader(src, size)
	if err := r.head(); err != nil {
		return nil, err
	}
	err := r.readSummary()
	if err == nil {
		return r, nil
	}
	missing := errors.Is(err, ErrTruncated)
	r = newReader(src, size)
	if err := r.head(); err != nil {
		return nil, err
	}
	r.scan()
	r.Interrupted = missing
	return r, nil
}

// scanWhole is NewReader without the summary: it scans the whole file and verifies every checksum. show, if it is not
// nil, is called repeatedly with the progress.
func scanWhole(src io.ReaderAt, size int64, show func(done, of int64)) (*Reader, error) {
	r := newReader(src, size)
	r.show = show
	if err := r.head(); err != nil {
		return nil, err
	}
	missing := errors.Is(newReader(src, size).readSummary(), ErrTruncated)
	r.scan()
	r.Interrupted = missing
	return r, nil
}

func newReader(src io.ReaderAt, size int64) *Reader {
	return &Reader{src: src, size: size, schemas: map[uint16]*Schema{}, channels: map[uint16]*Channel{}, counts: map[uint16]uint64{}}
}

// Channels returns the channels sorted by number.
func (r *Reader) Channels() []*Channel {
	out := make([]*Channel, 0, len(r.channels))
	for _, id := range slices.Sorted(maps.Keys(r.channels)) {
		out = append(out, r.channels[id])
	}
	return out
}

// Count returns the number of messages of a channel.
func (r *Reader) Count(channel uint16) uint64 { return r.counts[channel] }

// Chunks returns the chunks in the order of the file. The caller must not change the slice.
func (r *Reader) Chunks() []ChunkInfo { return r.chunks }

// Span returns the log times of the earliest and the latest message, ns since 1970; zeros without messages.
func (r *Reader) Span() (start, end uint64) { return span(r.chunks) }

// Metadata returns the metadata in the order of the file. The caller must not change the slice.
func (r *Reader) Metadata() []Metadata { return r.metadata }

// Size returns the bytes of the file.
func (r *Reader) Size() int64 { return r.size }

// bytes reads n bytes of the file, which must exist.
func (r *Reader) bytes(off int64, n uint64) ([]byte, error) {
	if off < 0 || off > r.size || n > uint64(r.size-off) {
		return nil, fmt.Errorf("%w: %d bytes at byte %d of %d", ErrTruncated, n, off, r.size)
	}
	b := make([]byte, n)
	if _, err := r.src.ReadAt(b, off); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b, nil
}

// head checks the magic and reads the header.
func (r *Reader) head() error {
	b, err := r.bytes(0, min(uint64(r.size), uint64(len(magic)+recordHead)))
	if err != nil {
		return err
	}
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return fmt.Errorf("%w: the magic number is missing", ErrFormat)
	}
	r.end = int64(len(magic))
	op, n, err := r.record(r.end)
	if err != nil || op != opHeader {
		return nil //nolint:nilerr // scan reports the damage
	}
	body, err := r.bytes(r.end+recordHead, n)
	if err != nil {
		return nil //nolint:nilerr // scan reports the damage
	}
	d := decoder{b: body, at: r.end + recordHead}
	r.Profile, r.Library = d.str("profile"), d.str("library")
	r.headed = d.err == nil
	return nil
}

// record reads the head of a record: its kind and the length of its content, which must be within the file.
func (r *Reader) record(off int64) (op byte, n uint64, err error) {
	head, err := r.bytes(off, recordHead)
	if err != nil {
		return 0, 0, err
	}
	d := decoder{b: head[1:], at: off + 1}
	op, n = head[0], d.u64("length")
	switch {
	case op == 0:
		return op, n, fmt.Errorf("%w: no record begins at byte %d", ErrFormat, off)
	case op > opDataEnd && op < opFirstPrivate:
		return op, n, fmt.Errorf("%w: record of unknown kind %#02x at byte %d", ErrFormat, op, off)
	case n > uint64(r.size-off-recordHead):
		return op, n, fmt.Errorf("%w: the record at byte %d has %d bytes, the file %d more", ErrTruncated, off, n, r.size-off-recordHead)
	}
	return op, n, nil
}

// readSummary reads channels and chunks from the summary. [ErrTruncated] means that there is none.
func (r *Reader) readSummary() error {
	const tail = recordHead + footerLength + int64(len(magic))
	if r.size < int64(len(magic))+tail {
		return ErrTruncated
	}
	b, err := r.bytes(r.size-tail, uint64(tail))
	if err != nil {
		return err
	}
	if string(b[len(b)-len(magic):]) != magic || b[0] != opFooter {
		return fmt.Errorf("%w: no footer", ErrTruncated)
	}
	d := decoder{b: b[recordHead:], at: r.size - tail + recordHead}
	start, offsets, crc := d.u64("summary start"), d.u64("summary offsets"), d.u32("summary checksum")
	if start == 0 || start > uint64(r.size-tail) || offsets > uint64(r.size-tail) {
		return fmt.Errorf("%w: no summary", ErrFormat)
	}
	summary, err := r.bytes(int64(start), uint64(r.size)-start-4-uint64(len(magic)))
	if err != nil {
		return err
	}
	if crc != 0 && crc32.ChecksumIEEE(summary) != crc {
		return fmt.Errorf("%w: of the summary", ErrChecksum)
	}
	return r.parseSummary(summary[:uint64(r.size-tail)-start], int64(start))
}

// parseSummary reads the records of a summary. It fails for one without the positions of the chunks.
func (r *Reader) parseSummary(b []byte, at int64) error {
	schemaOf, complete := map[*Channel]uint16{}, false
	for len(b) > 0 {
		d := decoder{b: b, at: at}
		op := d.next(1, "kind")
		body := decoder{b: d.next(d.u64("length"), "record"), at: d.at}
		if d.err != nil {
			return d.err
		}
		switch op[0] {
		case opSchema:
			if s := body.schema(); s.ID != 0 {
				r.schemas[s.ID] = s
			}
		case opChannel:
			c, schema := body.channel()
			r.channels[c.ID], schemaOf[c] = c, schema
		case opStatistics:
			complete = r.statistics(&body)
		case opChunkIndex:
			r.chunks = append(r.chunks, body.chunkIndex())
		case opMetadataIndex:
			p := metadataPlace{offset: body.u64("metadata offset"), length: body.u64("metadata length"), name: body.str("metadata name")}
			if err := r.readMetadata(p); err != nil {
				return err
			}
		}
		if body.err != nil {
			return body.err
		}
		b, at = d.b, d.at
	}
	for c, id := range schemaOf {
		if c.Schema = r.schemas[id]; c.Schema == nil && id != 0 {
			complete = false // a writer need not repeat them
		}
	}
	for id, n := range r.counts {
		complete = complete && (n == 0 || r.channels[id] != nil)
	}
	if !complete {
		return fmt.Errorf("%w: a summary without statistics, chunks, channels or their schemas", ErrFormat)
	}
	return r.checkChunks()
}

// statistics reads the counts; it reports whether the chunks' indexes cover all messages.
func (r *Reader) statistics(d *decoder) bool {
	total := d.u64("message count")
	d.u16("schema count")
	d.u32("channel count")
	d.u32("attachment count")
	d.u32("metadata count")
	chunks := d.u32("chunk count")
	d.u64("start")
	d.u64("end")
	in := d.list("message counts")
	for len(in.b) > 0 && in.err == nil {
		ch := in.u16("channel")
		r.counts[ch] = in.u64("count")
	}
	return in.err == nil && (total == 0 || chunks > 0)
}

// checkChunks compares the chunks' indexes with the file. Chunks that overlap would be read twice and are an error.
func (r *Reader) checkChunks() error {
	for i := range r.chunks {
		c := &r.chunks[i]
		op, n, err := r.record(c.Offset)
		if err != nil || op != opChunk || int64(n)+recordHead != c.Length {
			return fmt.Errorf("%w: no chunk of %d bytes at byte %d", ErrFormat, c.Length, c.Offset)
		}
	}
	sorted := slices.SortedFunc(slices.Values(r.chunks), func(a, b ChunkInfo) int { return cmp.Compare(a.Offset, b.Offset) })
	for i := 1; i < len(sorted); i++ {
		if a, b := &sorted[i-1], &sorted[i]; b.Offset-a.Offset < a.Length {
			return fmt.Errorf("%w: chunks at bytes %d and %d share bytes", ErrFormat, a.Offset, b.Offset)
		}
	}
	return nil
}

func (r *Reader) readMetadata(p metadataPlace) error {
	op, n, err := r.record(int64(p.offset))
	if err != nil || op != opMetadata {
		return fmt.Errorf("%w: no metadata at byte %d", ErrFormat, p.offset)
	}
	b, err := r.bytes(int64(p.offset)+recordHead, n)
	if err != nil {
		return err
	}
	d := decoder{b: b, at: int64(p.offset) + recordHead}
	r.metadata, r.places = append(r.metadata, d.metadata()), append(r.places, p)
	return d.err
}
