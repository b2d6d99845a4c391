// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// DataHolder is the value of a token of DDS Security 1.1 (7.2.3): a class, properties as text and as octets.
type DataHolder struct {
	// ClassID names the plugin and the kind of token.
	ClassID string
	// Properties are the properties as text, Binary those as octets.
	Properties []Property
	Binary     []BinaryProperty
}

// BinaryProperty is a property of a DataHolder with a value of octets.
type BinaryProperty struct {
	// Name is the key, for example "c.id".
	Name string
	// Value is its value.
	Value []byte
}

// Limits of received tokens: handshake messages carry certificates and signed permissions.
const (
	maxTokenProperties = 32
	maxTokenValue      = 48 << 10 // bytes
)

// IsZero reports whether there is no token.
func (h *DataHolder) IsZero() bool { return h.ClassID == "" }

// Value returns the binary property with a name, or nil.
func (h *DataHolder) Value(name string) []byte {
	for i := range h.Binary {
		if h.Binary[i].Name == name {
			return h.Binary[i].Value
		}
	}
	return nil
}

// Property returns the text property with a name, or "".
func (h *DataHolder) Property(name string) string {
	for i := range h.Properties {
		if h.Properties[i].Name == name {
			return h.Properties[i].Value
		}
	}
	return ""
}

// tokenWriter appends CDR to buf. Alignment counts from start.
type tokenWriter struct {
	buf   []byte
	start int
	order binary.AppendByteOrder
}

// newTokenWriter returns a writer that appends to dst.
func newTokenWriter(dst []byte, big bool) tokenWriter {
	w := tokenWriter{buf: dst, start: len(dst), order: binary.LittleEndian}
	if big {
		w.order = binary.BigEndian
	}
	return w
}

func (w *tokenWriter) u32(v uint32) { w.buf = w.order.AppendUint32(appendPad(w.buf, w.start), v) }

func (w *tokenWriter) octets(b []byte) {
	w.u32(uint32(len(b)))
	w.buf = append(w.buf, b...)
}

func (w *tokenWriter) str(s string) {
	w.u32(uint32(len(s) + 1))
	w.buf = append(append(w.buf, s...), 0)
}

func (w *tokenWriter) binary(list []BinaryProperty) {
	w.u32(uint32(len(list)))
	for _, p := range list {
		w.str(p.Name)
		w.octets(p.Value)
	}
}

func (w *tokenWriter) holder(h *DataHolder) {
	w.str(h.ClassID)
	w.u32(uint32(len(h.Properties)))
	for _, p := range h.Properties {
		w.str(p.Name)
		w.str(p.Value)
	}
	w.binary(h.Binary)
}

// AppendBinaryProperties appends the CDR of a sequence of binary properties to dst, whose end is aligned: what the
// hashes and signatures of a handshake are about (DDS Security 1.1, 9.3.2.5), in big-endian order.
func AppendBinaryProperties(dst []byte, list []BinaryProperty) []byte {
	w := newTokenWriter(dst, true)
	w.binary(list)
	return w.buf
}

// holder reads a token.
func (r *paramReader) holder() (h DataHolder) {
	h.ClassID = r.str()
	n := r.count(8, maxTokenProperties)
	for i := 0; i < n && r.err == nil; i++ {
		h.Properties = append(h.Properties, Property{Name: r.str(), Value: r.str()})
	}
	n = r.count(8, maxTokenProperties)
	for i := 0; i < n && r.err == nil; i++ {
		h.Binary = append(h.Binary, BinaryProperty{Name: r.str(), Value: bytes.Clone(r.octets(maxTokenValue))})
	}
	return h
}

// appendTokenParameter appends a token, unless it is zero.
func appendTokenParameter(dst []byte, id parameterID, h *DataHolder) []byte {
	if h.IsZero() {
		return dst
	}
	dst, start := beginParameter(dst, id)
	w := tokenWriter{buf: dst, start: start, order: binary.LittleEndian}
	w.holder(h)
	return endParameter(w.buf, start)
}

// MessageIdentity identifies a GenericMessage.
type MessageIdentity struct {
	// Source is its writer, Number its sequence number.
	Source GUID
	Number int64
}

// GenericMessage is a sample of the topics ParticipantStatelessMessage and ParticipantVolatileMessageSecure (DDS
// Security 1.1, 7.4.3.3): a step of an authentication, or keys.
type GenericMessage struct {
	// Identity identifies the message, Related the one that it answers.
	Identity, Related MessageIdentity
	// DestinationParticipant is the participant that it is for; zero for any.
	DestinationParticipant GUID
	// DestinationEndpoint and SourceEndpoint are the endpoints whose keys it carries; zero if it concerns none.
	DestinationEndpoint, SourceEndpoint GUID
	// Class is the kind of message.
	Class string
	// Data are its tokens.
	Data []DataHolder
}

// The classes of GenericMessage (7.4.3.5, 7.4.4.6).
const (
	ClassAuthRequest       = "dds.sec.auth_request"
	ClassHandshake         = "dds.sec.auth"
	ClassParticipantTokens = "dds.sec.participant_crypto_tokens" //nolint:gosec // the name of a class
	ClassWriterTokens      = "dds.sec.datawriter_crypto_tokens"  //nolint:gosec // the name of a class
	ClassReaderTokens      = "dds.sec.datareader_crypto_tokens"  //nolint:gosec // the name of a class
)

// maxMessageTokens is the largest number of tokens of a GenericMessage: an endpoint has at most two keys.
const maxMessageTokens = 8

// AppendPayload appends the message with its CDR_LE encapsulation to dst.
func (m *GenericMessage) AppendPayload(dst []byte) []byte {
	dst = appendEncapsulation(dst, encapsulationCDRLE)
	w := newTokenWriter(dst, false)
	for _, id := range []MessageIdentity{m.Identity, m.Related} {
		w.buf = id.Source.Append(w.buf)
		w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(id.Number)) // aligned: 16 bytes after a multiple of 8
	}
	for _, g := range []GUID{m.DestinationParticipant, m.DestinationEndpoint, m.SourceEndpoint} {
		w.buf = g.Append(w.buf)
	}
	w.str(m.Class)
	w.u32(uint32(len(m.Data)))
	for i := range m.Data {
		w.holder(&m.Data[i])
	}
	return w.buf
}

// DecodeGenericMessage decodes the payload of a GenericMessage. The result does not point into it. The error says what
// is malformed, or names the exceeded limit.
func DecodeGenericMessage(payload []byte) (GenericMessage, error) {
	var m GenericMessage
	e, b, err := splitPayload(payload)
	if err != nil {
		return m, err
	}
	if e != encapsulationCDRLE && e != encapsulationCDRBE {
		return m, fmt.Errorf("%w: 0x%04x is not plain CDR", errEncapsulation, uint16(e))
	}
	r := paramReader{o: order(e == encapsulationCDRBE), b: b}
	for _, id := range []*MessageIdentity{&m.Identity, &m.Related} {
		id.Source = r.guid()
		if b := r.next(8); b != nil {
			id.Number = int64(r.o.u64(b))
		}
	}
	m.DestinationParticipant, m.DestinationEndpoint, m.SourceEndpoint = r.guid(), r.guid(), r.guid()
	m.Class = r.str()
	n := r.count(12, maxMessageTokens)
	for i := 0; i < n && r.err == nil; i++ {
		m.Data = append(m.Data, r.holder())
	}
	if r.err != nil {
		return GenericMessage{}, r.err
	}
	return m, nil
}

// u64 decodes a number of eight bytes.
func (o order) u64(b []byte) uint64 {
	if o == bigEndian {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}
