// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
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
	// Damage are the places that can't be read.
	Damage []string

	topics []*Topic
	files  []Part
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
	messages(topics map[string]*Topic, g Range) iter.Seq2[Message, error]
	close() error
}

// Open opens a bag: its folder, or one of its files alone.
func Open(path string) (*Bag, error) {
	names, meta, err := find(path)
	if errors.Is(err, ErrMetadata) {
		return nil, fmt.Errorf("%w; epuck-driver bag recover writes it anew from the files", err)
	}
	if err != nil {
		return nil, err
	}
	b, err := open(path, names, meta)
	if err != nil && len(names) == 1 {
		err = filekind.Explain(names[0], err, filekind.MCAP, filekind.SQLite)
	}
	return b, err
}

// open opens the files of a bag.
func open(path string, names []string, meta *Metadata) (b *Bag, err error) {
	b = &Bag{Path: path, Storage: StorageMCAP}
	switch {
	case hasSuffix(names, ".zstd"):
		return nil, fmt.Errorf("%w: %s; decompress the files (zstd -d) and take \"compression_mode\" out of its %s", ErrCompressed, path, MetadataFile)
	case hasSuffix(names, ".db3"):
		err = b.openSQLite(names, meta)
	default:
		err = b.openMCAP(names, meta)
	}
	if err != nil {
		return nil, err
	}
	b.complete(meta)
	return b, nil
}

func hasSuffix(names []string, suffix string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, suffix) })
}

// find lists the files of a bag and reads its metadata, if any. With invalid metadata it returns the files and an error
// that matches [ErrMetadata].
func find(path string) (names []string, meta *Metadata, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNoBag, err)
	}
	if !info.IsDir() {
		return []string{path}, nil, nil
	}
	meta, bad := ReadMetadata(path)
	if bad != nil && !errors.Is(bad, ErrMetadata) && !errors.Is(bad, os.ErrNotExist) {
		return nil, nil, bad
	}
	for _, pattern := range []string{"*.mcap", "*.db3", "*.mcap.zstd", "*.db3.zstd"} {
		if names, err = filepath.Glob(filepath.Join(escape(path), pattern)); err != nil || len(names) > 0 {
			break
		}
	}
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%w: %s holds neither .mcap nor .db3 files%s", ErrNoBag, path, otherBag(path))
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b)) })
	if err == nil && errors.Is(bad, ErrMetadata) {
		err = bad
	}
	return names, meta, err
}

// otherBag says what a folder without files of a bag has instead: a recording of another program, or one in an archive.
func otherBag(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return ", it is empty"
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if names, _ := filepath.Glob(filepath.Join(escape(path), MetadataFile)); len(names) > 0 {
				return "; the bag is " + path
			}
			continue
		}
		if err := filekind.Explain(path, ErrNoBag, filekind.BagMetadata); err != ErrNoBag && e.Name() != MetadataFile { //nolint:errorlint // the same if it is not explained
			return ": " + strings.TrimSuffix(err.Error(), " ("+ErrNoBag.Error()+")")
		}
	}
	return ""
}

// escape escapes the special characters of patterns.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// number returns the running number in the name of a file, 12 for name_12.mcap; -1 without one.
func number(name string) int {
	base := strings.TrimSuffix(filepath.Base(name), ".zstd")
	base = strings.TrimSuffix(base, filepath.Ext(base)) // a bag's name may contain dots
	n := -1
	if i := strings.LastIndexByte(base, '_'); i >= 0 {
		if _, err := fmt.Sscanf(base[i+1:], "%d", &n); err != nil {
			return -1
		}
	}
	return n
}

// complete adds the values that only the metadata have, and sorts.
func (b *Bag) complete(meta *Metadata) {
	if meta != nil {
		b.Distribution, b.Custom = meta.Distribution, meta.Custom
		for _, t := range meta.Topics {
			i := slices.IndexFunc(b.topics, func(o *Topic) bool { return o.Name == t.Topic.Name })
			if i < 0 {
				b.topics = append(b.topics, &Topic{
					Name: t.Topic.Name, Type: t.Topic.Type, Format: t.Topic.Format, Hash: t.Topic.Hash, QoS: t.Topic.QoS,
				})
				continue
			}
			if o := b.topics[i]; len(t.Topic.QoS) > 0 {
				o.QoS = t.Topic.QoS
			}
		}
	}
	slices.SortFunc(b.topics, func(x, y *Topic) int { return cmp.Compare(x.Name, y.Name) })
}

// Topics returns the topics sorted by name. The caller must not change them.
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
func (b *Bag) Messages(g Range) iter.Seq2[Message, error] { return b.store.messages(b.byName(), g) }

// maxUnreadable bounds the damaged parts that Sizes reports.
const maxUnreadable = 20

// Sizes returns the bytes of each topic's messages. It reads the whole bag and calls show, if it is not nil, with the
// progress. Parts that can't be read are in the error, with the number of the messages that can.
func (b *Bag) Sizes(show func(share float64)) (map[string]uint64, error) {
	out, done, n := map[string]uint64{}, uint64(0), b.Count()
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
		out[m.Topic.Name] += uint64(len(m.Data))
		if done++; show != nil && done%1000 == 0 {
			show(float64(done) / float64(max(n, done)))
		}
	}
	if len(bad) > 0 {
		return out, fmt.Errorf("%d of %d messages can be read: %w", done, max(n, done), errors.Join(bad...))
	}
	return out, nil
}

func (b *Bag) byName() map[string]*Topic {
	m := make(map[string]*Topic, len(b.topics))
	for _, t := range b.topics {
		m[t.Name] = t
	}
	return m
}

// Metadata returns the bag's metadata in the version that this package writes.
func (b *Bag) Metadata() *Metadata {
	start, end := b.Span()
	m := &Metadata{
		Version: Version, Storage: b.Storage, Duration: nanoseconds{end - start}, Start: sinceEpoch{start}, Messages: b.Count(),
		Custom: maps.Clone(b.Custom), Distribution: b.Distribution,
	}
	for _, t := range b.topics {
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
