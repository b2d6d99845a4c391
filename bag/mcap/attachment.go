// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// attachmentPlace is an attachment written by another program: Recover preserves it; it is not read otherwise.
type attachmentPlace struct {
	offset, length                uint64 // of the record with its head
	logTime, createTime, dataSize uint64
	name, media                   string
}

// attachmentHead is the number of bytes read to decode an attachment's fields before its data.
const attachmentHead = 64 << 10

// takeAttachment adds an attachment. One with a wrong checksum is damage.
func (r *Reader) takeAttachment(off int64, n uint64) error {
	head, err := r.bytes(off+recordHead, min(n, attachmentHead))
	if err != nil {
		return err
	}
	d := decoder{b: head, at: off + recordHead}
	a := attachmentPlace{offset: uint64(off), length: n + recordHead}
	a.logTime, a.createTime = d.u64("attachment's log time"), d.u64("attachment's creation time")
	a.name, a.media = d.str("attachment's name"), d.str("attachment's media type")
	a.dataSize = d.u64("attachment's size")
	if d.err != nil {
		return d.err
	}
	if before := uint64(d.at - off - recordHead); n < before+4 || a.dataSize != n-before-4 {
		return fmt.Errorf("%w: the attachment at byte %d states %d bytes and its record has %d", ErrFormat, off, a.dataSize, n)
	}
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, io.NewSectionReader(r.src, off+recordHead, int64(n)-4)); err != nil {
		return err
	}
	last, err := r.bytes(off+recordHead+int64(n)-4, 4)
	if err != nil {
		return err
	}
	tail := decoder{b: last}
	if want := tail.u32("attachment's checksum"); want != 0 && want != sum.Sum32() { // later records may be intact
		r.Damage = append(r.Damage, Damage{off, int64(a.length), fmt.Errorf("%w: attachment %q at byte %d", ErrChecksum, a.name, off)})
		r.repairs = true
		return nil
	}
	r.attachments = append(r.attachments, a)
	return nil
}

// copyAttachment writes an attachment of another file in pieces.
func (w *Writer) copyAttachment(src io.ReaderAt, a attachmentPlace) error {
	begin, piece := w.off, make([]byte, min(a.length, 1<<20))
	for done := uint64(0); done < a.length; {
		n := min(uint64(len(piece)), a.length-done)
		if _, err := src.ReadAt(piece[:n], int64(a.offset+done)); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		w.block.b = append(w.block.b[:0], piece[:n]...)
		if err := w.flush(); err != nil {
			return err
		}
		done += n
	}
	a.offset = uint64(begin)
	w.attachments = append(w.attachments, a)
	return nil
}

func (w *Writer) attachmentIndexes() {
	for _, a := range w.attachments {
		e := &w.block
		at := e.begin(opAttachmentIndex)
		e.u64(a.offset)
		e.u64(a.length)
		e.u64(a.logTime)
		e.u64(a.createTime)
		e.u64(a.dataSize)
		e.str(a.name)
		e.str(a.media)
		e.end(at)
	}
}
