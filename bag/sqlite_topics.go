// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import (
	"context"
	"fmt"
	"strings"
)

// readTopics reads the table of topics. Releases differ in its columns: Foxy's has no profiles, those from Iron on
// have the type's hash, and a separate table of definitions.
func (f *sqliteFile) readTopics() error {
	qos, err := f.column("topics", "offered_qos_profiles")
	if err != nil {
		return err
	}
	hash, err := f.column("topics", "type_description_hash")
	if err != nil {
		return err
	}
	if err := f.checkSize("topics", "name", "type", "serialization_format", qos, hash); err != nil {
		return err
	}
	rows, err := f.db.QueryContext(context.Background(), fmt.Sprintf("SELECT id, name, type, serialization_format, %s, %s FROM topics ORDER BY id", qos, hash))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is in Err
	for rows.Next() {
		t := &Topic{}
		var id int64
		var profiles string
		if err := rows.Scan(&id, &t.Name, &t.Type, &t.Format, &profiles, &t.Hash); err != nil {
			return err
		}
		if q, err := DecodeQoS(profiles); err == nil {
			t.QoS = q
		}
		f.topics[id] = t
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return f.readDefinitions()
}

// maxTable is the maximum number of rows of the tables of topics and of definitions, maxTableBytes that of the bytes in
// each.
const (
	maxTable      = 1 << 16
	maxTableBytes = 64 << 20
)

// checkSize rejects a table that is too large for memory, by the sizes of its columns.
func (f *sqliteFile) checkSize(table string, columns ...string) error {
	var rows, size int64
	sum := "octet_length(" + strings.Join(columns, ") + octet_length(") + ")"
	err := f.db.QueryRowContext(context.Background(), fmt.Sprintf("SELECT COUNT(*), COALESCE(SUM(%s), 0) FROM %s", sum, table)).Scan(&rows, &size)
	if err == nil && (rows > maxTable || size > maxTableBytes) {
		err = fmt.Errorf("%w: %s has %d rows of %d bytes, the limits are %d and %d", ErrLarge, table, rows, size, maxTable, maxTableBytes)
	}
	return err
}

// column returns a column's name if the table has it, else an empty text.
func (f *sqliteFile) column(table, name string) (string, error) {
	var n int
	err := f.db.QueryRowContext(context.Background(), "SELECT COUNT(*) FROM pragma_table_info(?) WHERE name = ?", table, name).Scan(&n)
	if n == 0 {
		name = "''"
	}
	return name, err
}

// readDefinitions adds the definitions of the types, if the file has them. A topic has the one with the hash of its type,
// if it has a hash.
func (f *sqliteFile) readDefinitions() error {
	if name, err := f.column("message_definitions", "encoded_message_definition"); err != nil || name == "''" {
		return err
	}
	if err := f.checkSize("message_definitions", "topic_type", "encoding", "encoded_message_definition"); err != nil {
		return err
	}
	hashColumn, err := f.column("message_definitions", "type_description_hash")
	if err != nil {
		return err
	}
	rows, err := f.db.QueryContext(context.Background(), fmt.Sprintf("SELECT topic_type, encoding, encoded_message_definition, %s FROM message_definitions", hashColumn))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is in Err
	byType := map[string][]*Topic{}
	for _, t := range f.topics {
		byType[t.Type] = append(byType[t.Type], t)
	}
	for rows.Next() {
		var typ, encoding, text, hash string
		if err := rows.Scan(&typ, &encoding, &text, &hash); err != nil {
			return err
		}
		for _, t := range byType[typ] {
			if encoding != "unknown" && (t.Hash == "" || hash == "" || t.Hash == hash) {
				t.SchemaEncoding, t.Schema = encoding, text
			}
		}
	}
	return rows.Err()
}

// countReadable is count for a damaged file: it counts the messages before the damage, in the order of the file, and
// returns the part with their number and times.
func (f *sqliteFile) countReadable(part Part) (map[int64]uint64, Part) {
	out := map[int64]uint64{}
	part.Messages = 0
	rows, err := f.db.QueryContext(context.Background(), "SELECT topic_id, timestamp FROM messages NOT INDEXED")
	if err != nil {
		return out, part
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, at int64
		if rows.Scan(&id, &at) != nil {
			break
		}
		if part.Messages == 0 {
			part.Start, part.End = at, at
		}
		out[id]++
		part.Messages++
		part.Start, part.End = min(part.Start, at), max(part.End, at)
	}
	_ = rows.Err() // the damage, which the caller knows
	return out, part
}

// count counts the messages of each topic, by its number.
func (f *sqliteFile) count() (map[int64]uint64, error) {
	rows, err := f.db.QueryContext(context.Background(), "SELECT topic_id, COUNT(*) FROM messages GROUP BY topic_id")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // its error is in Err
	out := map[int64]uint64{}
	for rows.Next() {
		var id int64
		var n uint64
		if err := rows.Scan(&id, &n); err != nil {
			return nil, err
		}
		out[id] = n
	}
	return out, rows.Err()
}
