// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
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
	unzip   *zstd.Decoder // of messages compressed individually; nil otherwise
}

// openMCAP opens the files. A file that is not MCAP, such as an empty one after a power cut, is damage instead of an
// error if there are others.
func (b *Bag) openMCAP(names []string, meta *Metadata) (err error) {
	s := &mcapStore{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	bad := unreadable{kind: filekind.MCAP}
	for _, name := range names {
		r, err := s.open(name)
		if err != nil {
			bad.add(name, err, errors.Is(err, mcap.ErrFormat))
			continue
		}
		b.add(r, name)
	}
	if err := bad.into(b, names); err != nil {
		return err
	}
	if meta != nil && meta.CompressionBy == "MESSAGE" {
		if s.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxMessage)); err != nil {
			return err
		}
	}
	b.store = s
	return nil
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

// add adds the topics of a file.
func (b *Bag) add(r *mcap.Reader, name string) {
	base := filepath.Base(name)
	f := Part{Path: base, Size: r.Size()}
	for _, c := range r.Channels() {
		f.Messages += r.Count(c.ID)
		b.addChannel(c, r.Count(c.ID))
	}
	start, end := r.Span()
	f.Start, f.End = int64(start), int64(end)
	b.files = append(b.files, f)
	if r.Interrupted {
		b.Interrupted = append(b.Interrupted, base)
	}
	for _, d := range r.Damage {
		b.Damage = append(b.Damage, base+": "+d.String())
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

// addChannel adds one topic. A topic may have a channel in each file, and more than one in a file.
func (b *Bag) addChannel(c *mcap.Channel, messages uint64) {
	for _, t := range b.topics {
		if t.Name == c.Topic {
			t.Messages += messages
			if t.SchemaEncoding == "" && c.Schema != nil && c.Schema.Name == t.Type { // not known in the first file
				t.Schema, t.SchemaEncoding = string(c.Schema.Data), c.Schema.Encoding
			}
			return
		}
	}
	t := &Topic{Name: c.Topic, Format: c.MessageEncoding, Hash: c.Metadata[KeyHash], Messages: messages}
	if c.Schema != nil {
		t.Type, t.Schema, t.SchemaEncoding = c.Schema.Name, string(c.Schema.Data), c.Schema.Encoding
	}
	if qos, err := DecodeQoS(c.Metadata[KeyQoS]); err == nil {
		t.QoS = qos
	}
	b.topics = append(b.topics, t)
}

func (s *mcapStore) messages(topics map[string]*Topic, g Range) iter.Seq2[Message, error] {
	inner := mcap.Range{Start: uint64(max(0, g.Start)), End: uint64(max(0, g.End))}
	if g.Topic != nil {
		inner.Channel = func(c *mcap.Channel) bool { return g.Topic(topics[c.Topic]) }
	}
	return func(yield func(Message, error) bool) {
		for m, err := range mcap.Messages(s.readers, inner) {
			if err != nil {
				if !yield(Message{}, err) {
					return
				}
				continue
			}
			if s.unzip != nil {
				m.Data, err = s.unzip.DecodeAll(m.Data, nil)
			}
			if !yield(Message{topics[m.Channel.Topic], int64(m.LogTime), int64(m.PublishTime), m.Data}, err) {
				return
			}
		}
	}
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
