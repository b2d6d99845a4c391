// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Errors of this package; they are wrapped with the byte offset.
var (
	// ErrFormat: the data are not MCAP, or invalid.
	ErrFormat = errors.New("mcap: invalid format")
	// ErrTruncated: the file ends within a record.
	ErrTruncated = errors.New("mcap: truncated")
	// ErrChecksum: a chunk or the summary does not match its checksum.
	ErrChecksum = errors.New("mcap: wrong checksum")
	// ErrCompression: a chunk has an unsupported compression.
	ErrCompression = errors.New("mcap: unknown compression")
	// ErrTooLarge: a chunk exceeds the memory limit.
	ErrTooLarge = errors.New("mcap: chunk too large")
	// ErrOverlap: more chunks overlap in time than the memory limit permits; messages are returned out of order.
	ErrOverlap = errors.New("mcap: too many overlapping chunks")
	// ErrRegistered: a channel or schema was registered before with another content, or not at all.
	ErrRegistered = errors.New("mcap: channel not registered, or registered differently")
	// ErrClosed: the writer is closed.
	ErrClosed = errors.New("mcap: closed")
)

// Kinds of records, by their first byte (MCAP specification, "Opcodes").
const (
	opHeader          = 0x01
	opFooter          = 0x02
	opSchema          = 0x03
	opChannel         = 0x04
	opMessage         = 0x05
	opChunk           = 0x06
	opMessageIndex    = 0x07
	opChunkIndex      = 0x08
	opAttachment      = 0x09
	opAttachmentIndex = 0x0A
	opStatistics      = 0x0B
	opMetadata        = 0x0C
	opMetadataIndex   = 0x0D
	opSummaryOffset   = 0x0E
	opDataEnd         = 0x0F
	opFirstPrivate    = 0x80
)

// magic begins and ends a file.
const magic = "\x89MCAP0\r\n"

const (
	recordHead    = 1 + 8         // kind and length
	footerLength  = 8 + 8 + 4     // of its content
	messageHead   = 2 + 4 + 8 + 8 // of a message's content, before the data
	chunkFixed    = 8 + 8 + 8 + 4 // of a chunk's content, before the name of the compression
	indexEntry    = 8 + 8
	maxRecordSize = 1 << 40
)

// encoder appends records to b. All numbers are little-endian.
type encoder struct{ b []byte }

func (e *encoder) u16(v uint16) { e.b = binary.LittleEndian.AppendUint16(e.b, v) }
func (e *encoder) u32(v uint32) { e.b = binary.LittleEndian.AppendUint32(e.b, v) }
func (e *encoder) u64(v uint64) { e.b = binary.LittleEndian.AppendUint64(e.b, v) }

func (e *encoder) str(s string) {
	e.u32(uint32(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) bytes(s []byte) {
	e.u32(uint32(len(s)))
	e.b = append(e.b, s...)
}

// dict writes a map, sorted by key so that equal maps are equal bytes.
func (e *encoder) dict(m map[string]string) {
	at := len(e.b)
	e.u32(0)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		e.str(k)
		e.str(m[k])
	}
	binary.LittleEndian.PutUint32(e.b[at:], uint32(len(e.b)-at-4))
}

// begin starts a record; end, with the result of begin, completes it.
func (e *encoder) begin(op byte) int {
	e.b = append(e.b, op, 0, 0, 0, 0, 0, 0, 0, 0)
	return len(e.b)
}

func (e *encoder) end(at int) {
	binary.LittleEndian.PutUint64(e.b[at-8:], uint64(len(e.b)-at))
}

// decoder reads values from b; after the first missing one all are zero and err has its position.
type decoder struct {
	b   []byte
	at  int64 // of b[0] in the file
	err error
}

func (d *decoder) next(n uint64, what string) []byte {
	if d.err != nil {
		return nil
	}
	if n > uint64(len(d.b)) {
		d.err = fmt.Errorf("%w: %s at byte %d needs %d bytes, %d are left of its record", ErrFormat, what, d.at, n, len(d.b))
		return nil
	}
	v := d.b[:n:n]
	d.b, d.at = d.b[n:], d.at+int64(n)
	return v
}

func (d *decoder) u16(what string) uint16 {
	if v := d.next(2, what); v != nil {
		return binary.LittleEndian.Uint16(v)
	}
	return 0
}

func (d *decoder) u32(what string) uint32 {
	if v := d.next(4, what); v != nil {
		return binary.LittleEndian.Uint32(v)
	}
	return 0
}

func (d *decoder) u64(what string) uint64 {
	if v := d.next(8, what); v != nil {
		return binary.LittleEndian.Uint64(v)
	}
	return 0
}

func (d *decoder) bytes(what string) []byte { return d.next(uint64(d.u32(what)), what) }

func (d *decoder) str(what string) string { return string(d.bytes(what)) }

// list reads a list that is preceded by its length in bytes.
func (d *decoder) list(what string) decoder {
	b := d.bytes(what)
	return decoder{b: b, at: d.at - int64(len(b)), err: d.err}
}

func (d *decoder) dict(what string) map[string]string {
	in := d.list(what)
	m := map[string]string{}
	for len(in.b) > 0 && in.err == nil {
		k := in.str(what)
		m[k] = in.str(what)
	}
	if d.err == nil {
		d.err = in.err
	}
	return m
}
