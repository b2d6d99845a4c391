// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// File is the destination of a [Writer]; an [os.File] is one.
type File interface {
	io.WriterAt
	// Truncate sets the length: it removes the remains of a failed write.
	Truncate(size int64) error
	// Sync returns when everything written is on the disk.
	Sync() error
	Close() error
}

// Options of a file. The zero value is usable.
type Options struct {
	// Profile defines the meaning of the channels' metadata, as in "ros2".
	Profile string
	// Library names the writing program.
	Library string
	// Compression of the chunks. It defaults to none.
	Compression Compression
}

// Writer writes one file. It is not safe for concurrent use. The code that opened the File closes it, after Close.
type Writer struct {
	file   File
	zstd   *zstd.Encoder
	off    int64
	block  encoder // to be written
	packed []byte
	closed bool

	schemas  []*Schema
	channels []*Channel // by number
	inFile   map[uint16]bool
	chunks   []ChunkInfo
	counts   map[uint16]uint64
	metadata []metadataPlace
	index    int // memory for chunks, bytes

	attachments []attachmentPlace // of a file that is recovered
}

// Bytes of memory on a 64-bit machine.
const (
	chunkInfoSize  = 136
	indexPlaceSize = 16
)

type metadataPlace struct {
	name           string
	offset, length uint64
}

// NewWriter begins a file.
func NewWriter(f File, o Options) (*Writer, error) {
	w, err := newWriter(f, o.Compression)
	if err != nil {
		return nil, err
	}
	w.block.b = append(w.block.b[:0], magic...)
	at := w.block.begin(opHeader)
	w.block.str(o.Profile)
	w.block.str(o.Library)
	w.block.end(at)
	return w, w.flush()
}

func newWriter(f File, c Compression) (*Writer, error) {
	w := &Writer{file: f, inFile: map[uint16]bool{}, counts: map[uint16]uint64{}}
	switch c {
	case Uncompressed:
	case Zstd:
		var err error
		if w.zstd, err = newZstd(); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%w: %q; there are \"zstd\" and none", ErrCompression, c)
	}
	return w, nil
}

// Register announces a channel before the first chunk that uses it. Registering it again with the same content has no
// effect.
func (w *Writer) Register(c *Channel) error {
	for int(c.ID) >= len(w.channels) {
		w.channels = append(w.channels, nil)
	}
	if old := w.channels[c.ID]; old != nil && !old.equal(c) {
		return fmt.Errorf("%w: channel %d is %s already, now %s", ErrRegistered, c.ID, old.Topic, c.Topic)
	}
	if s := c.Schema; s != nil {
		known := w.schema(s.ID)
		switch {
		case s.ID == 0: // means no schema in a channel
			return fmt.Errorf("%w: schema %s of channel %d has the number 0", ErrRegistered, s.Name, c.ID)
		case known == nil:
			w.schemas = append(w.schemas, s)
		case !known.equal(s):
			return fmt.Errorf("%w: schema %d is %s already, now %s", ErrRegistered, s.ID, known.Name, s.Name)
		}
	}
	w.channels[c.ID] = c
	return nil
}

func (w *Writer) schema(id uint16) *Schema {
	for _, s := range w.schemas {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// WriteChunk writes the messages of c, whose channels are registered, as one chunk with its indexes in a single
// write. On an error the file is unchanged, and the chunk may be written again.
func (w *Writer) WriteChunk(c *Chunk) error {
	if w.closed {
		return ErrClosed
	}
	if c.count == 0 {
		return nil
	}
	w.block.b = w.block.b[:0]
	fresh, err := w.introduce(c.used)
	if err != nil {
		return err
	}
	info := ChunkInfo{
		Offset: w.off + int64(len(w.block.b)), Start: c.start, End: c.end,
		Uncompressed: uint64(len(c.data)), indexes: make([]indexPlace, 0, len(c.used)),
	}
	w.chunk(c, &info)
	info.Length = w.off + int64(len(w.block.b)) - info.Offset
	w.indexes(c, &info)
	if err := w.flush(); err != nil {
		return err
	}
	for _, ch := range fresh {
		w.inFile[ch] = true
	}
	for _, ch := range c.used {
		w.counts[ch] += uint64(len(c.index[ch]))
	}
	w.chunks = append(w.chunks, info)
	w.index += chunkInfoSize + len(info.indexes)*indexPlaceSize
	return nil
}

// introduce appends the channels that are not in the file yet, with their schemas.
func (w *Writer) introduce(used []uint16) (fresh []uint16, err error) {
	var schemas map[uint16]bool // allocated when needed, which is rare
	for _, ch := range used {
		if int(ch) >= len(w.channels) || w.channels[ch] == nil {
			return nil, fmt.Errorf("%w: %d", ErrRegistered, ch)
		}
		if w.inFile[ch] {
			continue
		}
		if schemas == nil {
			schemas = map[uint16]bool{0: true}
			for known := range w.inFile {
				schemas[w.channels[known].schemaID()] = true
			}
		}
		c := w.channels[ch]
		if id := c.schemaID(); !schemas[id] {
			schemas[id] = true
			w.block.schema(c.Schema)
		}
		w.block.channel(c)
		fresh = append(fresh, ch)
	}
	return fresh, nil
}

// chunk appends the chunk's record.
func (w *Writer) chunk(c *Chunk, info *ChunkInfo) {
	records := c.data
	if w.zstd != nil {
		w.packed = w.zstd.EncodeAll(c.data, w.packed[:0])
		records, info.Compression = w.packed, string(Zstd)
	}
	info.Compressed = uint64(len(records))
	at := w.block.begin(opChunk)
	w.block.u64(c.start)
	w.block.u64(c.end)
	w.block.u64(uint64(len(c.data)))
	w.block.u32(crc32.ChecksumIEEE(c.data))
	w.block.str(info.Compression)
	w.block.u64(uint64(len(records)))
	w.block.b = append(w.block.b, records...)
	w.block.end(at)
}

// indexes appends the message indexes of the chunk appended last and adds them to info.
func (w *Writer) indexes(c *Chunk, info *ChunkInfo) {
	for _, ch := range slices.Sorted(slices.Values(c.used)) {
		info.indexes = append(info.indexes, indexPlace{ch, uint64(w.off) + uint64(len(w.block.b))})
		w.block.messageIndex(ch, c.index[ch])
	}
	info.indexLength = uint64(w.off+int64(len(w.block.b))) - uint64(info.Offset+info.Length)
}

// WriteMetadata writes a named map of texts.
func (w *Writer) WriteMetadata(m Metadata) error {
	if w.closed {
		return ErrClosed
	}
	w.block.b = w.block.b[:0]
	w.block.metadata(m)
	place := metadataPlace{m.Name, uint64(w.off), uint64(len(w.block.b))}
	if err := w.flush(); err != nil {
		return err
	}
	w.metadata = append(w.metadata, place)
	return nil
}

// Sync returns when everything written is on the disk.
func (w *Writer) Sync() error { return w.file.Sync() }

// Size returns the bytes of the file so far.
func (w *Writer) Size() int64 { return w.off }

// IndexSize returns the memory used for the index of the file's chunks, bytes. Close writes the index.
func (w *Writer) IndexSize() int { return w.index }

// Messages returns the number of messages of a channel.
func (w *Writer) Messages(channel uint16) uint64 { return w.counts[channel] }

// Span returns the log times of the earliest and the latest message, ns since 1970; zeros without messages.
func (w *Writer) Span() (start, end uint64) { return span(w.chunks) }

func span(chunks []ChunkInfo) (start, end uint64) {
	first := true
	for i := range chunks {
		if c := &chunks[i]; c.End > 0 || c.Start > 0 {
			if first || c.Start < start {
				start, first = c.Start, false
			}
			end = max(end, c.End)
		}
	}
	return start, end
}

// Close completes the file: end of data, summary, footer. On an error the file is unchanged and Close may be called
// again.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.block.b = w.block.b[:0]
	w.summary()
	if err := w.flush(); err != nil {
		return err
	}
	w.closed = true
	if w.zstd != nil {
		_ = w.zstd.Close() // it writes nowhere
	}
	return nil
}

// flush writes the block at the end of the file, completely or not at all.
func (w *Writer) flush() error {
	n, err := w.file.WriteAt(w.block.b, w.off)
	if err == nil && n < len(w.block.b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		if cut := w.file.Truncate(w.off); cut != nil {
			return fmt.Errorf("mcap: %w; and its partial data could not be removed: %w", err, cut)
		}
		return fmt.Errorf("mcap: %w", err)
	}
	w.off += int64(len(w.block.b))
	return nil
}
