// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// Names of rosbag2's profile of MCAP.
const (
	// Profile is the profile in the header.
	Profile = "ros2"
	// KeyQoS and KeyHash are keys of a channel's metadata: the offered profiles and the type hash.
	KeyQoS  = "offered_qos_profiles"
	KeyHash = "topic_type_hash"
	// MetadataName is the name of the record with the bag's metadata, MetadataKey its key; the text lacks the outermost
	// name.
	MetadataName = "rosbag2"
	MetadataKey  = "serialized_metadata"
)

// maxMessage is the maximum size of a message that is decompressed or stored in SQLite, bytes.
const maxMessage = 256 << 20

// mcapStore holds the files of one bag.
type mcapStore struct {
	files   []*os.File
	readers []*mcap.Reader
	names   []string                 // of the readers' files, relative to the bag
	topics  map[*mcap.Channel]*Topic // of each file's channels
	unzip   *zstd.Decoder            // of messages compressed individually; nil otherwise
}

// openMCAP opens the files. A file that is not MCAP, such as an empty one after a power cut, is damage instead of an
// error if there are others.
func (b *Bag) openMCAP(c *content) (err error) {
	s := &mcapStore{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	bad := unreadable{kind: filekind.MCAP}
	for _, name := range c.names {
		r, err := s.open(name)
		if err != nil {
			bad.add(name, err, errors.Is(err, mcap.ErrFormat))
			continue
		}
		s.names = append(s.names, c.relative(name))
		b.add(r, c.relative(name))
	}
	if err := bad.into(b, c.names); err != nil {
		return err
	}
	b.topics, s.topics = mcapTopics(s.readers, s.names)
	if b.packed = c.meta.packed(s.compressed); b.packed {
		if s.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxMessage)); err != nil {
			return err
		}
	}
	b.store = s
	return nil
}

// zstdMagic begins data in Zstandard's format; CDR never begins so.
const zstdMagic = "\x28\xb5\x2f\xfd"

// compressed reports whether an early message in CDR of a bag without metadata is compressed individually. It reads only a
// few chunks, of a bag without CDR none.
func (s *mcapStore) compressed() bool {
	m, ok := mcap.Sample(s.readers, func(c *mcap.Channel) bool { return s.topics[c].CDR() })
	return ok && bytes.HasPrefix(m.Data, []byte(zstdMagic))
}

func (s *mcapStore) open(name string) (*mcap.Reader, error) {
	f, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	s.files = append(s.files, f)
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := mcap.NewReader(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.readers = append(s.readers, r)
	return r, nil
}

// add adds what a file has besides its topics. name is relative to the bag's folder.
func (b *Bag) add(r *mcap.Reader, name string) {
	f := Part{Path: name, Size: r.Size()}
	for _, c := range r.Channels() {
		f.Messages += r.Count(c.ID)
	}
	start, end := r.Span()
	f.Start, f.End = int64(start), int64(end)
	b.files = append(b.files, f)
	if r.Interrupted {
		b.Interrupted = append(b.Interrupted, name)
	}
	for _, d := range r.Damage {
		b.Damage = append(b.Damage, name+": "+d.String())
	}
	for _, m := range r.Metadata() {
		if m.Name != MetadataName {
			continue
		}
		if inner, err := parseInner(m.Entries[MetadataKey]); err == nil {
			b.Distribution, b.Custom = inner.Distribution, inner.Custom
		}
	}
}

// mcapTopics returns the topics of files with the given names, and to which of them each channel belongs. A topic may have
// a channel in each file, and more than one in a file.
func mcapTopics(readers []*mcap.Reader, names []string) ([]*Topic, map[*mcap.Channel]*Topic) {
	var topics []*Topic
	var channels []*mcap.Channel
	for i, r := range readers {
		texts := map[*mcap.Schema]string{} // channels share them
		for _, c := range r.Channels() {
			t := &Topic{Name: c.Topic, Format: c.MessageEncoding, Hash: c.Metadata[KeyHash], Messages: r.Count(c.ID), Files: names[i : i+1]}
			if s := c.Schema; s != nil {
				if _, known := texts[s]; !known {
					texts[s] = string(s.Data)
				}
				t.Type, t.Schema, t.SchemaEncoding = s.Name, texts[s], s.Encoding
			}
			if qos, err := DecodeQoS(c.Metadata[KeyQoS]); err == nil {
				t.QoS = qos
			}
			topics, channels = append(topics, t), append(channels, c)
		}
	}
	var set topicSet
	merged, of := set.merge(topics), make(map[*mcap.Channel]*Topic, len(channels))
	for i, c := range channels {
		of[c] = merged[topics[i]]
	}
	return set.list, of
}

func (s *mcapStore) messages(g Range) iter.Seq2[Message, error] {
	inner := mcap.Range{Start: uint64(max(0, g.Start)), End: uint64(max(0, g.End))}
	if g.Topic != nil {
		inner.Channel = func(c *mcap.Channel) bool { return g.Topic(s.topics[c]) }
	}
	return func(yield func(Message, error) bool) {
		for m, err := range mcap.Messages(s.readers, inner) {
			if err != nil {
				if !yield(Message{}, s.named(err)) {
					return
				}
				continue
			}
			if s.unzip != nil {
				if m.Data, err = s.unzip.DecodeAll(m.Data, nil); err != nil {
					err = fmt.Errorf("%s: a message of %s cannot be decompressed: %w", s.nameOf(m.Channel), printable.Line(m.Channel.Topic), err)
				}
			}
			if !yield(Message{s.topics[m.Channel], int64(m.LogTime), int64(m.PublishTime), m.Data}, err) {
				return
			}
		}
	}
}

// named adds the name of the file to an error of reading it.
func (s *mcapStore) named(err error) error {
	var of *mcap.FileError
	if !errors.As(err, &of) {
		return err
	}
	if i := slices.Index(s.readers, of.File); i >= 0 {
		return fmt.Errorf("%s: %w", s.names[i], err)
	}
	return err
}

// nameOf returns the name of a channel's file.
func (s *mcapStore) nameOf(c *mcap.Channel) string {
	for i, r := range s.readers {
		if slices.Contains(r.Channels(), c) {
			return s.names[i]
		}
	}
	return ""
}

func (s *mcapStore) close() error {
	if s.unzip != nil {
		s.unzip.Close()
	}
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
