// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// Report is the result of [Recover].
type Report struct {
	// Whole: the file was complete.
	Whole bool
	// Rewritten: the file was rewritten because more than its end was damaged; the original is kept under the name in
	// Kept.
	Rewritten bool
	Kept      string
	// Messages is the number of messages in the file now.
	Messages uint64
	// Damage lists the parts that could not be recovered.
	Damage []Damage
}

// damagedSuffix is appended to the name of the original of a rewritten file.
const damagedSuffix = ".damaged"

// Recover completes an interrupted or damaged file. If only the end is missing it is completed in place, else the
// readable part is rewritten and the original is kept under another name. last, if not nil, returns metadata to add,
// such as rosbag2's. show, if not nil, is called repeatedly with the number of bytes scanned. An interrupted Recover
// can be repeated.
func Recover(path string, last func(*Reader) (Metadata, error), show func(done, of int64)) (Report, error) {
	f, err := regular.OpenToChange(path)
	if err != nil {
		return Report{}, err
	}
	defer func() { _ = f.Close() }() // what was written to it is synced
	if err := Lock(f); err != nil {
		return Report{}, fmt.Errorf("%s: %w", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return Report{}, err
	}
	if just, err := justBegun(f, info.Size()); err != nil {
		return Report{}, err
	} else if just {
		return Report{}, beginAgain(f, last)
	}
	r, err := scanWhole(f, info.Size(), show)
	if err != nil {
		return Report{}, fmt.Errorf("%s: %w", path, err)
	}
	report := Report{Damage: r.Damage, Messages: r.total()}
	if !r.Interrupted && len(r.Damage) == 0 && newReader(f, info.Size()).readSummary() == nil {
		report.Whole = true
		return report, nil
	}
	if !r.repairs && r.indexed() {
		return report, r.complete(f, last)
	}
	report.Rewritten, report.Kept = true, path+damagedSuffix
	name, err := r.rewrite(path, last)
	if err != nil {
		return report, err
	}
	// Windows neither renames nor replaces a file that is open.
	return report, errors.Join(f.Close(), replace(path, name))
}

// justBegun reports whether a file is shorter than the magic number: its writer ended before writing the header.
func justBegun(f io.ReaderAt, size int64) (bool, error) {
	if size >= int64(len(magic)) {
		return false, nil
	}
	b := make([]byte, size)
	if _, err := f.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return strings.HasPrefix(magic, string(b)), nil
}

// beginAgain turns a file that was just begun into a complete one without messages.
func beginAgain(f *os.File, last func(*Reader) (Metadata, error)) error {
	w, err := NewWriter(f, Options{})
	if err != nil {
		return err
	}
	r, err := scanWhole(f, w.off, nil)
	if err != nil {
		return err
	}
	return finish(w, r, last)
}

func (r *Reader) total() (n uint64) {
	for _, k := range r.counts {
		n += k
	}
	return n
}

// indexed reports whether all messages are in chunks with indexes, except those of the last chunk, which can be written
// again.
func (r *Reader) indexed() bool {
	for i := range r.chunks {
		if c := &r.chunks[i]; c.plain || c.partial != nil || len(c.indexes) == 0 && i < len(r.chunks)-1 {
			return false
		}
	}
	return true
}

// complete truncates the damaged end and writes the missing records.
func (r *Reader) complete(f File, last func(*Reader) (Metadata, error)) error {
	w, err := newWriter(f, Uncompressed)
	if err != nil {
		return err
	}
	w.off, w.chunks, w.counts, w.metadata, w.attachments = r.end, r.chunks, r.counts, r.places, r.attachments
	for _, c := range r.Channels() {
		if err := w.Register(c); err != nil {
			return err
		}
		w.inFile[c.ID] = true
	}
	if err := r.reindexLast(w); err != nil {
		return err
	}
	if err := f.Truncate(w.off); err != nil {
		return err
	}
	return finish(w, r, last)
}

// finish adds the metadata and closes.
func finish(w *Writer, r *Reader, last func(*Reader) (Metadata, error)) error {
	if last != nil {
		m, err := last(r)
		if err != nil {
			return err
		}
		if err := w.WriteMetadata(m); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return w.Sync()
}

// reindexLast rewrites the indexes of the last chunk: the file may have ended within them.
func (r *Reader) reindexLast(w *Writer) error {
	if len(w.chunks) == 0 {
		return nil
	}
	c := &w.chunks[len(w.chunks)-1]
	if uint64(c.Offset+c.Length)+c.indexLength != uint64(r.end) {
		return nil // intact records follow it
	}
	list, err := r.content(c)
	if err != nil {
		return err
	}
	var again Chunk
	err = walk(list, c.Offset, func(op byte, d *decoder, offset int) error {
		if op == opMessage {
			ch, _, logTime, _ := d.messageHead()
			again.mark(ch, logTime, uint64(offset))
		}
		return d.err
	})
	if err != nil {
		return err
	}
	w.off = c.Offset + c.Length
	w.block.b = w.block.b[:0]
	c.indexes = c.indexes[:0]
	w.indexes(&again, c)
	return w.flush()
}

// rewrite writes the readable data to a new file in the folder of path, and returns its name.
func (r *Reader) rewrite(path string, last func(*Reader) (Metadata, error)) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".recover-*.mcap")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	if old, err := os.Stat(path); err == nil {
		if err := f.Chmod(old.Mode()); err != nil {
			return "", err
		}
	}
	w, err := NewWriter(f, Options{Profile: r.Profile, Library: r.Library})
	if err != nil {
		return "", err
	}
	for _, c := range r.Channels() {
		if err := w.Register(c); err != nil {
			return "", err
		}
	}
	for _, m := range r.metadata {
		if err := w.WriteMetadata(m); err != nil {
			return "", err
		}
	}
	if err := r.copyChunks(w); err != nil {
		return "", err
	}
	for _, a := range r.attachments {
		if err := w.copyAttachment(r.src, a); err != nil {
			return "", err
		}
	}
	if err := finish(w, r, last); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// replace replaces a file by another one and keeps it under another name.
func replace(path, by string) error {
	if err := keepAs(path, path+damagedSuffix); err != nil {
		return err
	}
	return system.Rename(by, path)
}

// keepAs gives a file a second name by a hard link, so that its own name always exists; without support for hard links
// it is renamed.
func keepAs(path, name string) error {
	_ = os.Remove(name) // left by an earlier attempt
	if os.Link(path, name) == nil {
		return nil
	}
	return system.Rename(path, name)
}

// copyChunks writes the messages in chunks of the original sizes.
func (r *Reader) copyChunks(w *Writer) error {
	var chunk Chunk
	all := Range{}
	for i := range r.chunks {
		chunk.Reset()
		c, err := r.load(&r.chunks[i], &all)
		if err != nil {
			return err
		}
		for len(c.order) > 0 {
			m := c.next()
			chunk.Add(m.Channel.ID, m.Sequence, m.LogTime, m.PublishTime, m.Data)
		}
		if err := w.WriteChunk(&chunk); err != nil {
			return err
		}
	}
	return nil
}
