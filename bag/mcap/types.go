// SPDX-License-Identifier: Apache-2.0

package mcap

import "maps"

// Schema is the definition of a message type.
type Schema struct {
	// ID is not 0 and unique in a file.
	ID uint16
	// Name is the name of the type, as in "std_msgs/msg/String".
	Name string
	// Encoding is the encoding of Data, as in "ros2msg"; empty if the definition is unknown.
	Encoding string
	Data     []byte
}

// Channel is a stream of messages of one type.
type Channel struct {
	// ID is unique in a file.
	ID uint16
	// Schema is nil if the messages have none.
	Schema *Schema
	// Topic is the channel's name.
	Topic string
	// MessageEncoding is the encoding of the messages, as in "cdr".
	MessageEncoding string
	Metadata        map[string]string
}

// Message is one message of a channel.
type Message struct {
	Channel *Channel
	// Sequence is the sender's sequence number, 0 if there is none.
	Sequence uint32
	// LogTime is when the message was recorded, PublishTime when it was sent, in ns since 1970.
	LogTime, PublishTime uint64
	Data                 []byte
}

// Metadata is a named map of texts in a file.
type Metadata struct {
	Name    string
	Entries map[string]string
}

// ChunkInfo is the position and the contents of a chunk.
type ChunkInfo struct {
	// Offset is the position of the chunk's record in the file, Length its size with the head; Compressed and
	// Uncompressed are the sizes of its messages, all in bytes.
	Offset, Length           int64
	Compressed, Uncompressed uint64
	// Start and End are the log times of its earliest and latest message, ns since 1970; 0 if it has none.
	Start, End uint64
	// Compression is "", "zstd" or "lz4".
	Compression string

	plain       bool         // not a chunk but a run of records outside chunks
	partial     []byte       // the records of a truncated chunk
	indexes     []indexPlace // sorted by channel
	indexLength uint64
}

// indexPlace is the position of a channel's message index.
type indexPlace struct {
	channel uint16
	offset  uint64
}

func (s *Schema) equal(o *Schema) bool {
	return s.ID == o.ID && s.Name == o.Name && s.Encoding == o.Encoding && string(s.Data) == string(o.Data)
}

func (c *Channel) schemaID() uint16 {
	if c.Schema == nil {
		return 0
	}
	return c.Schema.ID
}

func (c *Channel) equal(o *Channel) bool {
	return c.ID == o.ID && c.schemaID() == o.schemaID() && c.Topic == o.Topic && c.MessageEncoding == o.MessageEncoding && maps.Equal(c.Metadata, o.Metadata)
}

func (e *encoder) schema(s *Schema) {
	at := e.begin(opSchema)
	e.u16(s.ID)
	e.str(s.Name)
	e.str(s.Encoding)
	e.bytes(s.Data)
	e.end(at)
}

func (d *decoder) schema() *Schema {
	return &Schema{ID: d.u16("schema id"), Name: d.str("schema name"), Encoding: d.str("schema encoding"), Data: d.bytes("schema data")}
}

func (e *encoder) channel(c *Channel) {
	at := e.begin(opChannel)
	e.u16(c.ID)
	e.u16(c.schemaID())
	e.str(c.Topic)
	e.str(c.MessageEncoding)
	e.dict(c.Metadata)
	e.end(at)
}

// channel returns a channel and the number of its schema.
func (d *decoder) channel() (*Channel, uint16) {
	c := &Channel{ID: d.u16("channel id")}
	schema := d.u16("schema of a channel")
	c.Topic, c.MessageEncoding, c.Metadata = d.str("topic"), d.str("message encoding"), d.dict("channel metadata")
	return c, schema
}

func (e *encoder) metadata(m Metadata) {
	at := e.begin(opMetadata)
	e.str(m.Name)
	e.dict(m.Entries)
	e.end(at)
}

func (d *decoder) metadata() Metadata {
	return Metadata{Name: d.str("metadata name"), Entries: d.dict("metadata")}
}
