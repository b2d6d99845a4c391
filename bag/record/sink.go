// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// sink writes the files of one bag. It belongs to the recorder's writing goroutine.
type sink struct {
	cfg     *Config
	topics  *topics
	latched *latched
	split   func(closed, opened string)
	dir     string
	name    string

	w      *mcap.Writer // nil between files
	known  topicState   // of w
	file   mcap.File
	begun  uint64 // log time of the file's first message, ns since 1970
	index  int    // of the next file
	last   string // path of the previous file
	files  []bag.Part
	counts []map[uint16]uint64 // of each file, by channel
	total  uint64              // messages written, also into files that were removed
	full   bool
}

// newSink creates the folder of a new bag.
func newSink(r *Recorder, dir string) (*sink, error) {
	cfg := &r.cfg
	if err := enoughSpace(cfg, dir); err != nil {
		return nil, err
	}
	if err := cfg.disk.mkdir(dir); err != nil {
		if errors.Is(err, errExist) {
			return nil, fmt.Errorf("%w: %s", errExists, dir)
		}
		return nil, fmt.Errorf("record: %w", err)
	}
	s := &sink{cfg: cfg, topics: r.topics, latched: &r.latched, split: r.split, dir: dir, name: filepath.Base(dir)}
	return s, s.writeMetadata()
}

// write writes a chunk, in a new file if the current one is full or there is none. After an error for which [diskFull]
// is true the chunk can be written again.
func (s *sink) write(c *mcap.Chunk) error {
	start, end := c.Span()
	if s.w != nil && s.splitDue(c.Size(), end) {
		if err := s.closeFile(); err != nil {
			return err
		}
	}
	if err := s.freeSpace(int64(c.Size())); err != nil {
		return err
	}
	for {
		if s.w == nil {
			if err := s.open(start); err != nil {
				return err
			}
		}
		err := s.put(c)
		if !errors.Is(err, errRedefined) {
			return err
		}
		if err := s.closeFile(); err != nil {
			return err
		}
	}
}

// put writes a chunk into the open file.
func (s *sink) put(c *mcap.Chunk) (err error) {
	if s.known, err = s.topics.register(s.w, s.known); err != nil {
		return err
	}
	if err := s.w.WriteChunk(c); err != nil {
		return err
	}
	s.total += uint64(c.Len())
	for _, ch := range c.Channels() {
		s.counts[len(s.counts)-1][ch] += uint64(c.Count(ch))
	}
	return nil
}

// splitDue reports whether a chunk belongs in a new file.
func (s *sink) splitDue(size int, end uint64) bool {
	limit := s.cfg.MaxFileSize
	if s.cfg.DiskShare > 0 {
		if _, total, err := s.cfg.disk.space(s.dir); err == nil { // so that there is an oldest file to remove
			if eighth := int64(float64(total)*s.cfg.DiskShare) / 8; limit == 0 || eighth < limit {
				limit = max(eighth, 1<<20)
			}
		}
	}
	return s.cfg.MaxIndex > 0 && s.w.IndexSize() > s.cfg.MaxIndex || limit > 0 && s.w.Size()+int64(size) > limit && s.w.Size() > 1<<10 ||
		s.cfg.MaxFileTime > 0 && s.begun > 0 && end-min(end, s.begun) >= uint64(s.cfg.MaxFileTime)
}

// open begins a file whose first message has the log time start.
func (s *sink) open(start uint64) (err error) {
	name := fmt.Sprintf("%s_%d.mcap", s.name, s.index)
	path := filepath.Join(s.dir, name)
	f, err := s.cfg.disk.create(path)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	w, err := mcap.NewWriter(f, mcap.Options{Profile: bag.Profile, Library: s.cfg.Library, Compression: s.cfg.Compression})
	for _, m := range s.cfg.Records {
		if err == nil {
			err = w.WriteMetadata(m)
		}
	}
	if err == nil {
		err = w.Sync()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("record: %s: %w", name, err), f.Close(), s.cfg.disk.remove(path))
	}
	s.w, s.known, s.file, s.begun = w, topicState{}, f, start
	s.files, s.counts = append(s.files, bag.Part{Path: name}), append(s.counts, map[uint16]uint64{})
	s.index++
	if s.index > 1 {
		s.split(s.last, path)
	}
	s.last = path
	if s.index == 1 || s.cfg.RepeatLatched {
		if c := s.latched.before(start); c != nil {
			if err := s.put(c); err != nil {
				return err
			}
		}
	}
	return s.writeMetadata()
}

// sync syncs the file to the disk.
func (s *sink) sync() error {
	if s.w == nil {
		return nil
	}
	return s.w.Sync()
}

// closeFile completes the current file. If there is no space for its end it is left without one, which MCAP readers and
// "bag recover" handle.
func (s *sink) closeFile() error {
	if s.w == nil {
		return nil
	}
	var errs []error
	if text, err := s.fileMetadata(); err == nil {
		errs = append(errs, s.w.WriteMetadata(mcap.Metadata{Name: bag.MetadataName, Entries: map[string]string{bag.MetadataKey: text}}))
	}
	errs = append(errs, s.w.Close(), s.w.Sync())
	s.copyFigures()
	errs = append(errs, s.file.Close())
	s.w, s.file = nil, nil
	errs = append(errs, s.writeMetadata())
	err := errors.Join(errs...)
	if diskFull(err) {
		s.cfg.Logger.Warn("the disk is full: a file of the recording is incomplete; complete it with \"bag recover\"", "bag", s.dir)
		return nil
	}
	return err
}

// copyFigures copies the current file's counts.
func (s *sink) copyFigures() {
	f := &s.files[len(s.files)-1]
	start, end := s.w.Span()
	f.Start, f.End, f.Size, f.Messages = int64(start), int64(end), s.w.Size(), 0
	for _, n := range s.counts[len(s.counts)-1] {
		f.Messages += n
	}
}

// fileMetadata returns the metadata at the end of each file, about that file alone.
func (s *sink) fileMetadata() (string, error) {
	s.copyFigures()
	f := s.files[len(s.files)-1]
	return bag.New(s.topics.list(s.counts[len(s.counts)-1]), []bag.Part{f}, s.cfg.Custom, s.cfg.Distribution).Inner()
}

// writeMetadata writes the current metadata.yaml: after a power cut it is out of date instead of missing.
func (s *sink) writeMetadata() error {
	if s.w != nil {
		s.copyFigures()
	}
	total := map[uint16]uint64{}
	for _, counts := range s.counts {
		for ch, n := range counts {
			total[ch] += n
		}
	}
	err := bag.New(s.topics.list(total), s.files, s.cfg.Custom, s.cfg.Distribution).Write(s.dir)
	if diskFull(err) {
		return nil // it is written again when a file begins or ends
	}
	return err
}

// size returns the bytes of all files.
func (s *sink) size() (n int64) {
	for _, f := range s.files {
		n += f.Size
	}
	if s.w != nil {
		n += s.w.Size() - s.files[len(s.files)-1].Size
	}
	return n
}
