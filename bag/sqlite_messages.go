// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// messages merges the files' messages by time.
func (s *sqliteStore) messages(g Range) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		var heads []*sqliteHead
		defer func() {
			for _, h := range heads {
				h.stop()
			}
		}()
		for _, f := range s.files {
			h := &sqliteHead{file: f}
			h.next, h.stop = iter.Pull2(f.messages(g))
			heads = append(heads, h)
			h.advance()
		}
		for {
			first := earliest(heads)
			if first == nil {
				return
			}
			m, err := first.m, first.err
			if err == nil && s.unzip != nil {
				if m.Data, err = s.unzip.DecodeAll(m.Data, nil); err != nil {
					err = fmt.Errorf("%w: %s: the message at %d ns cannot be decompressed: %w", ErrSQLite, first.file.name, m.LogTime, err)
				}
			}
			if err != nil {
				err = &fileError{first.file.part, err}
			}
			if !yield(m, err) {
				return
			}
			first.advance()
		}
	}
}

// sqliteHead is the next message of a file.
type sqliteHead struct {
	file *sqliteFile
	next func() (Message, error, bool)
	stop func()
	m    Message
	err  error
	ok   bool
}

func (h *sqliteHead) advance() { h.m, h.err, h.ok = h.next() }

// earliest returns the file with the earliest message, an error first; nil at the end of all.
func earliest(heads []*sqliteHead) (first *sqliteHead) {
	for _, h := range heads {
		if h.ok && (first == nil || h.err != nil || first.err == nil && h.m.LogTime < first.m.LogTime) {
			first = h
		}
	}
	return first
}

// messages reads a file ordered by time. It ends at the first part that can't be read, with an error that names the
// position.
func (f *sqliteFile) messages(g Range) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		query, ids := f.query(g)
		if len(ids) == 0 {
			return
		}
		last := int64(-1)
		fail := func(err error) {
			yield(Message{}, fmt.Errorf("%w: %s: the messages after number %d can't be read: %w", ErrSQLite, f.name, last, err))
		}
		rows, err := f.db.QueryContext(context.Background(), query)
		if err != nil {
			fail(err)
			return
		}
		defer func() { _ = rows.Close() }() // its error is in Err
		for rows.Next() {
			var m Message
			var id, topic, size int64
			if err := rows.Scan(&id, &topic, &m.LogTime, &size, &m.Data); err != nil {
				fail(err)
				return
			}
			last, m.Topic, m.PublishTime = id, ids[topic], m.LogTime
			var err error
			if size > f.longest {
				m, err = Message{LogTime: m.LogTime}, fmt.Errorf("%w: %s: the message with the number %d is %w: %d bytes, the limit is %d", ErrSQLite, f.name, id, ErrLarge, size, f.longest)
			}
			if !yield(m, err) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			fail(err)
		}
	}
}

// query returns the SQL query for a range, and its topics by their numbers.
func (f *sqliteFile) query(g Range) (string, map[int64]*Topic) {
	ids, list := map[int64]*Topic{}, []string(nil)
	for id, t := range f.topics {
		if g.Topic == nil || g.Topic(t) {
			ids[id] = t
			list = append(list, strconv.FormatInt(id, 10))
		}
	}
	slices.Sort(list)
	end := g.End
	if end == 0 {
		end = math.MaxInt64
	}
	// SQLite takes the size of a value from its header: one that is too long is not loaded.
	return fmt.Sprintf("SELECT id, topic_id, timestamp, octet_length(data), CASE WHEN octet_length(data) <= %d THEN data END FROM messages "+
		"WHERE timestamp >= %d AND timestamp < %d AND topic_id IN (%s) ORDER BY timestamp, id",
		f.longest, g.Start, end, strings.Join(list, ",")), ids
}
