// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

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
	name   string
	db     *sql.DB
	topics map[int64]string // names by number

	longest int64 // of a message, in bytes
}

// openSQLite opens the files. A file that is not a database of rosbag2 is damage instead of an error if there are
// others.
func (b *Bag) openSQLite(names []string, meta *Metadata) (err error) {
	s := &sqliteStore{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	b.Storage, b.store = StorageSQLite, s
	bad := unreadable{kind: filekind.SQLite}
	for _, name := range names {
		f, err := b.openSQLitePart(name, meta, len(names) == 1)
		if err != nil {
			refused := errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, regular.ErrKind) || errors.Is(err, ErrLarge)
			bad.add(name, fmt.Errorf("%w: %s: %w", ErrSQLite, name, err), !refused)
			continue
		}
		s.files = append(s.files, f)
	}
	if err := bad.into(b, names); err != nil {
		return err
	}
	if meta == nil {
		for _, f := range b.files {
			b.Interrupted = append(b.Interrupted, f.Path)
		}
	}
	if meta != nil && meta.CompressionBy == "MESSAGE" || meta == nil && s.compressed() {
		s.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxMessage))
	}
	return err
}

// openSQLitePart opens a file and adds its contents, all or nothing.
func (b *Bag) openSQLitePart(name string, meta *Metadata, alone bool) (*sqliteFile, error) {
	f, err := openSQLiteFile(name)
	if err != nil {
		return nil, err
	}
	if err = f.checkTables(); err == nil {
		err = b.addSQLite(f, meta, alone)
	}
	if err != nil {
		return nil, errors.Join(err, f.db.Close())
	}
	return f, nil
}

// compressed reports whether the first message of a bag without metadata is compressed individually: CDR never begins
// with Zstandard's magic number.
func (s *sqliteStore) compressed() bool {
	for _, f := range s.files {
		var begin []byte
		if f.db.QueryRowContext(context.Background(), fmt.Sprintf("SELECT substr(data, 1, 4) FROM messages WHERE octet_length(data) <= %d LIMIT 1", maxMessage)).Scan(&begin) == nil {
			return bytes.Equal(begin, []byte{0x28, 0xb5, 0x2f, 0xfd})
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
	if err := f.Close(); err != nil {
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
			return &sqliteFile{name: filepath.Base(name), db: db, topics: map[int64]string{}, longest: maxMessage}, nil
		}
		err = errors.Join(err, db.Close())
	}
	return nil, err
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

// addSQLite adds the contents of a file. If the metadata of a bag of one file match, the messages need not be
// counted.
func (b *Bag) addSQLite(f *sqliteFile, meta *Metadata, alone bool) error {
	part := Part{Path: f.name}
	var start, end sql.NullInt64
	err := f.db.QueryRowContext(context.Background(), "SELECT COUNT(*), MIN(timestamp), MAX(timestamp) FROM messages").Scan(&part.Messages, &start, &end)
	if err != nil {
		return err
	}
	part.Start, part.End = start.Int64, end.Int64
	if part.Size, err = f.size(); err != nil {
		return err
	}
	topics, err := f.readTopics()
	if err != nil {
		return err
	}
	var counts map[string]uint64
	if alone && meta != nil && meta.Messages == part.Messages {
		counts = map[string]uint64{}
		for _, t := range meta.Topics {
			counts[t.Topic.Name] = t.Count
		}
	} else if counts, err = f.count(); err != nil {
		return err
	}
	b.files = append(b.files, part)
	for _, t := range topics {
		t.Messages = counts[t.Name]
		b.addTopic(t)
	}
	return nil
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

// addTopic adds a topic, which may be in several files.
func (b *Bag) addTopic(t *Topic) {
	for _, known := range b.topics {
		if known.Name == t.Name {
			known.Messages += t.Messages
			return
		}
	}
	b.topics = append(b.topics, t)
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
