// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Errors of opening bags.
var (
	// ErrNoBag: there is no recording.
	ErrNoBag = errors.New("no bag")
	// ErrCompressed: a bag whose files were compressed as a whole by rosbag2.
	ErrCompressed = errors.New("compressed file by file")
	// ErrLarge: a message or a table of a sqlite3 file exceeds the memory limit.
	ErrLarge = errors.New("too large")
)

// Topic is a topic of a bag.
type Topic struct {
	Name, Type string
	// Format is the encoding of the messages, "cdr".
	Format string
	// Hash is the type hash (RIHS01 …), empty if the recorder did not know it.
	Hash string
	// QoS are the profiles that its publishers offered.
	QoS []ros2.QoS
	// Messages is the number of messages.
	Messages uint64
	// Schema is the definition of the type in the encoding SchemaEncoding, "ros2msg"; both are empty if it was not
	// known.
	Schema, SchemaEncoding string
	// Files are the names of the bag's files that have the topic with this type and definition.
	Files []string
}

// Message is a recorded message.
type Message struct {
	Topic *Topic
	// LogTime is when the message was recorded, PublishTime when it was sent, in ns since 1970.
	LogTime, PublishTime int64
	// Data is the message in the topic's format, for CDR with its encapsulation header.
	Data []byte
}

// Range selects messages.
type Range struct {
	// Start and End bound the log time, ns since 1970: Start <= time < End. An End of 0 is no bound.
	Start, End int64
	// Topic reports whether a topic's messages are included. It defaults to all.
	Topic func(*Topic) bool
}

// Bag is a recording. It is safe for concurrent use. Close it when done.
type Bag struct {
	// Path is the opened folder or file.
	Path string
	// Storage is "mcap" or "sqlite3".
	Storage string
	// Distribution is the ROS 2 distribution of the recording, empty if not known; Custom is the user's metadata.
	Distribution string
	Custom       map[string]string
	// Interrupted are the files without an end: the recorder was interrupted, or is still writing.
	Interrupted []string
	// Damage are the files and places that can't be read.
	Damage []string
	// Remarks are the files of the folder that are not part of the bag although they are recordings, and entries of its
	// metadata that do not fit, one sentence for each.
	Remarks []string

	topics []*Topic
	files  []Part
	packed bool // each message is compressed
	store  store
}

// Part is one file of a bag.
type Part struct {
	// Path is relative to the bag's folder.
	Path     string
	Size     int64
	Messages uint64
	// Start and End are the log times of its first and last message, ns since 1970.
	Start, End int64
}

// store is a storage format.
type store interface {
	messages(g Range) iter.Seq2[Message, error]
	close() error
}

// Open opens a bag: its folder, or one of its files alone.
func Open(path string) (*Bag, error) {
	c, err := locate(path)
	if err != nil {
		return nil, err
	}
	if c.bad != nil {
		return nil, fmt.Errorf("%w; epuck-driver bag recover writes it again from the files", c.bad)
	}
	return c.open()
}

// complete adds the values that only the metadata have, and sorts.
func (b *Bag) complete(meta *Metadata) {
	if meta != nil {
		b.Distribution, b.Custom = meta.Distribution, meta.Custom
		byName := map[string][]*Topic{}
		for _, t := range b.topics {
			byName[t.Name] = append(byName[t.Name], t)
		}
		for _, t := range meta.Topics {
			have := byName[t.Topic.Name]
			if have == nil {
				have = []*Topic{{Name: t.Topic.Name, Type: t.Topic.Type, Format: t.Topic.Format, Hash: t.Topic.Hash}}
				b.topics, byName[t.Topic.Name] = append(b.topics, have[0]), have
			}
			for _, o := range have {
				if len(t.Topic.QoS) > 0 {
					o.QoS = t.Topic.QoS
				}
			}
		}
	}
	sortTopics(b.topics)
}

// sortTopics sorts topics by name; those of one name stay in their order.
func sortTopics(topics []*Topic) {
	slices.SortStableFunc(topics, func(x, y *Topic) int { return cmp.Compare(x.Name, y.Name) })
}

// Topics returns the topics sorted by name. A name occurs more than once if the bag has it with several types, encodings
// or definitions of its type: each message has the topic by whose definition it was written. The caller must not change
// them.
func (b *Bag) Topics() []*Topic { return b.topics }

// Span returns the log times of the first and the last message, ns since 1970; zeros without messages.
func (b *Bag) Span() (start, end int64) {
	first := true
	for _, f := range b.files {
		if f.Messages == 0 {
			continue
		}
		if first || f.Start < start {
			start, first = f.Start, false
		}
		end = max(end, f.End)
	}
	return start, end
}

// Count returns the number of messages.
func (b *Bag) Count() (n uint64) {
	for _, t := range b.topics {
		n += t.Messages
	}
	return n
}

// Files returns the files. The caller must not change them.
func (b *Bag) Files() []Part { return b.files }

// Size returns the bytes of the files.
func (b *Bag) Size() (n int64) {
	for _, f := range b.files {
		n += f.Size
	}
	return n
}

// Messages returns messages ordered by log time. An error is a part that can't be read; the messages after it follow.
func (b *Bag) Messages(g Range) iter.Seq2[Message, error] { return b.store.messages(g) }

// maxUnreadable bounds the damaged parts that Sizes reports.
const maxUnreadable = 20

// Sizes returns the bytes of each topic's messages. It reads the whole bag and calls show, if it is not nil, with the
// progress. Parts that can't be read are in the error, with the number of the messages that can.
func (b *Bag) Sizes(show func(share float64)) (map[*Topic]uint64, error) {
	out, done, n := map[*Topic]uint64{}, uint64(0), b.Count()
	var bad []error
	for m, err := range b.Messages(Range{}) {
		if errors.Is(err, mcap.ErrOverlap) { // their order does not matter here
			continue
		}
		if err != nil {
			if bad = append(bad, err); len(bad) < maxUnreadable {
				continue
			}
			break
		}
		out[m.Topic] += uint64(len(m.Data))
		if done++; show != nil && done%1000 == 0 {
			show(float64(done) / float64(max(n, done)))
		}
	}
	if len(bad) > 0 {
		return out, fmt.Errorf("%d of %d messages can be read: %w", done, max(n, done), errors.Join(bad...))
	}
	return out, nil
}

// Metadata returns the bag's metadata in the version that this package writes.
func (b *Bag) Metadata() *Metadata {
	start, end := b.Span()
	m := &Metadata{
		Version: Version, Storage: b.Storage, Duration: nanoseconds{end - start}, Start: sinceEpoch{start}, Messages: b.Count(),
		Custom: maps.Clone(b.Custom), Distribution: b.Distribution,
	}
	if b.packed {
		m.Compression, m.CompressionBy = formatZstd, byMessage
	}
	for _, t := range b.topics { // sorted; the metadata have each name once
		if n := len(m.Topics); n > 0 && m.Topics[n-1].Topic.Name == t.Name {
			m.Topics[n-1].Count += t.Messages
			continue
		}
		m.Topics = append(m.Topics, TopicCount{topicMetadata{t.Name, t.Type, t.Format, t.QoS, t.Hash}, t.Messages})
	}
	for _, f := range b.files {
		m.Paths = append(m.Paths, f.Path)
		m.Files = append(m.Files, FileSpan{f.Path, sinceEpoch{f.Start}, nanoseconds{f.End - f.Start}, f.Messages})
	}
	return m
}

// New returns the metadata of a bag of MCAP files.
func New(topics []*Topic, parts []Part, custom map[string]string, distribution string) *Metadata {
	b := Bag{Storage: StorageMCAP, topics: topics, files: parts, Custom: custom, Distribution: distribution}
	return b.Metadata()
}

// Close closes the files.
func (b *Bag) Close() error { return b.store.close() }
