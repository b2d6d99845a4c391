// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

const hasSQLite = true

// sqliteStore holds the files of one bag.
type sqliteStore struct {
	files []*sqliteFile
	unzip *zstd.Decoder // of messages compressed individually; nil otherwise
}

// sqliteFile is one of the files.
type sqliteFile struct {
	name   string // its last part
	part   string // relative to the bag's folder
	db     *sql.DB
	topics map[int64]*Topic // by number

	longest int64 // of a message, in bytes
}

// openSQLite opens the files. A file that is not a database of rosbag2 is damage instead of an error if there are
// others.
func (b *Bag) openSQLite(c *content) (err error) {
	s := &sqliteStore{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	b.Storage, b.store = StorageSQLite, s
	bad := unreadable{kind: filekind.SQLite}
	for _, name := range c.names {
		f, err := b.openSQLitePart(c, name)
		if err != nil {
			refused := errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, regular.ErrKind) || errors.Is(err, ErrLarge)
			bad.add(name, fmt.Errorf("%w: %s: %w", ErrSQLite, name, err), !refused)
			continue
		}
		s.files = append(s.files, f)
	}
	if err := bad.into(b, c.names); err != nil {
		return err
	}
	b.mergeSQLite(s.files)
	if c.meta == nil && c.folder { // rosbag2 writes the metadata at the end; a file alone has none
		for _, f := range b.files {
			b.Interrupted = append(b.Interrupted, f.Path)
		}
	}
	if b.packed = c.meta.packed(s.compressed); b.packed {
		s.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxMessage))
	}
	return err
}

// openSQLitePart opens a file and adds its contents, all or nothing.
func (b *Bag) openSQLitePart(c *content, name string) (*sqliteFile, error) {
	f, err := openSQLiteFile(name)
	if err != nil {
		return nil, err
	}
	f.part = c.relative(name)
	if err = f.checkTables(); err == nil {
		err = b.addSQLite(f, c, f.part)
	}
	if err != nil {
		return nil, errors.Join(err, f.db.Close())
	}
	return f, nil
}

// compressed reports whether the first message of a bag without metadata is compressed individually.
func (s *sqliteStore) compressed() bool {
	for _, f := range s.files {
		var begin []byte
		if f.db.QueryRowContext(context.Background(), fmt.Sprintf("SELECT substr(data, 1, 4) FROM messages WHERE octet_length(data) <= %d LIMIT 1", maxMessage)).Scan(&begin) == nil {
			return string(begin) == zstdMagic
		}
	}
	return false
}

// openSQLiteFile opens a file read-only. In a read-only folder SQLite can't share it with a program that writes;
// there it is opened as immutable.
func openSQLiteFile(name string) (*sqliteFile, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	f, err := regular.Open(full) // SQLite would block on a pipe
	if err != nil {
		return nil, err
	}
	if err := errors.Join(checkLength(f), f.Close()); err != nil {
		return nil, err
	}
	for _, how := range []string{"mode=ro", "mode=ro&immutable=1"} {
		address := url.URL{Scheme: "file", Path: full, RawQuery: how}
		db, failed := sql.Open("sqlite", address.String())
		if failed != nil {
			return nil, failed
		}
		var n int
		if err = db.QueryRowContext(context.Background(), "SELECT COUNT(*) FROM (SELECT 1 FROM topics LIMIT 1)").Scan(&n); err == nil {
			return &sqliteFile{name: filepath.Base(name), db: db, topics: map[int64]*Topic{}, longest: maxMessage}, nil
		}
		err = errors.Join(err, db.Close())
	}
	return nil, err
}

// checkLength rejects a file with an incomplete last page, which SQLite would read as zeros. A file with a log may have one,
// which the log completes. Source: "Database File Format" of sqlite.org, 1.3.2.
func checkLength(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var head [18]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil //nolint:nilerr // too short for a database, which SQLite reports
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 1 << 16
	}
	if wal, err := os.Stat(f.Name() + "-wal"); err == nil && wal.Size() > 0 || page < 512 || info.Size()%page == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d bytes are %d of its last page of %d", io.ErrUnexpectedEOF, info.Size(), info.Size()%page, page)
}

// checkTables rejects a file in which a table of rosbag2 is replaced: a view or a virtual table can compute rows
// without end, of any size, and a generated column values of any size.
func (f *sqliteFile) checkTables() error {
	var name, kind string
	err := f.db.QueryRowContext(context.Background(), "SELECT name, type FROM sqlite_master WHERE lower(name) IN "+
		"('topics', 'messages', 'message_definitions') AND (type <> 'table' OR sql NOT LIKE 'CREATE TABLE%') LIMIT 1").Scan(&name, &kind)
	if err == nil {
		return fmt.Errorf("%s is not an ordinary table (%s)", name, kind)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var column string
	err = f.db.QueryRowContext(context.Background(), "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c "+
		"WHERE lower(m.name) IN ('topics', 'messages', 'message_definitions') AND c.hidden <> 0 LIMIT 1").Scan(&name, &column)
	if err == nil {
		return fmt.Errorf("%s has the computed column %q", name, column)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return nil
}

// addSQLite adds the contents of a file; its name is relative to the bag's folder. If the metadata of a bag of one file
// match, the messages need not be counted.
func (b *Bag) addSQLite(f *sqliteFile, c *content, name string) error {
	part := Part{Path: name}
	var err error
	if part.Size, err = f.size(); err != nil {
		return err
	}
	if err := f.readTopics(); err != nil {
		return err
	}
	var start, end sql.NullInt64
	var counts map[int64]uint64
	err = f.db.QueryRowContext(context.Background(), "SELECT COUNT(*), MIN(timestamp), MAX(timestamp) FROM messages").Scan(&part.Messages, &start, &end)
	part.Start, part.End = start.Int64, end.Int64
	if err == nil {
		var known bool
		if counts, known = f.countsOf(c.meta, part.Messages); !known || len(c.names) > 1 {
			counts, err = f.count()
		}
	}
	if err != nil {
		if counts, part = f.countReadable(part); part.Messages == 0 {
			return err
		}
		b.Damage = append(b.Damage, fmt.Sprintf("%s: not all messages can be counted: %v", name, err))
	}
	without := uint64(0)
	for id, n := range counts {
		if t := f.topics[id]; t != nil {
			t.Messages = n
		} else {
			without += n
		}
	}
	if part.Messages -= without; without > 0 {
		b.Damage = append(b.Damage, fmt.Sprintf("%s: %d messages have the number of a topic that is not in the table of topics", name, without))
	}
	for _, t := range f.topics {
		t.Files = []string{name}
	}
	b.files = append(b.files, part)
	return nil
}

// countsOf returns the numbers of messages in the metadata by the numbers of their topics, if they fit: each name is that
// of one topic, and the sum is the number of messages in the file.
func (f *sqliteFile) countsOf(meta *Metadata, messages uint64) (counts map[int64]uint64, ok bool) {
	if meta == nil || meta.Messages != messages {
		return nil, false
	}
	ids, sum := map[string]int64{}, uint64(0)
	for id, t := range f.topics {
		ids[t.Name] = id
	}
	counts = map[int64]uint64{}
	for _, t := range meta.Topics {
		if id, known := ids[t.Topic.Name]; known && counts[id] == 0 {
			counts[id] = t.Count
			sum += t.Count
		}
	}
	return counts, sum == messages && len(ids) == len(f.topics)
}

// mergeSQLite sets the topics of the bag from those of its files.
func (b *Bag) mergeSQLite(files []*sqliteFile) {
	var all []*Topic
	for _, f := range files {
		for _, id := range slices.Sorted(maps.Keys(f.topics)) {
			all = append(all, f.topics[id])
		}
	}
	var set topicSet
	of := set.merge(all)
	for _, f := range files {
		for id, t := range f.topics {
			f.topics[id] = of[t]
		}
	}
	b.topics = set.list
}

// size returns the bytes of the file, with those still in its write-ahead log.
func (f *sqliteFile) size() (n int64, err error) {
	var path string
	if err := f.db.QueryRowContext(context.Background(), "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&path); err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if wal, err := os.Stat(path + "-wal"); err == nil {
		n = wal.Size()
	}
	return n + info.Size(), nil
}

func (s *sqliteStore) close() error {
	if s.unzip != nil {
		s.unzip.Close()
	}
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.db.Close())
	}
	return errors.Join(errs...)
}
