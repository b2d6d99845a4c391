// SPDX-License-Identifier: Apache-2.0

package busrecord

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// errFormat is matched by bytes that are not a batch.
var errFormat = errors.New("busrecord: bad format")

// batchMagic is the prefix of a batch: format 1.
const batchMagic = "EPB\x01"

// batchHead is the size of the header: magic, number of the first event, trace.
const batchHead = len(batchMagic) + 8 + sha256.Size

// Batch is a sequence of events.
type Batch struct {
	// First is the sequence number of the first event.
	First uint64
	// Trace is the SHA-256 of the previous batch's trace and this batch's events: one hash for a whole run, which is
	// equal if all transfers and times were.
	Trace  [sha256.Size]byte
	Events []Event
}

// Append appends an encoded event: kind, start, end, lengths, bytes written and read.
func Append(b []byte, e Event) []byte {
	b = append(b, byte(e.Kind))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.Start))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.End))
	b = append(b, byte(len(e.Wrote)), byte(len(e.Read)))
	b = append(b, e.Wrote...)
	return append(b, e.Read...)
}

// AppendBatch appends a batch of encoded events, and returns the result and the new trace.
func AppendBatch(b []byte, first uint64, trace [sha256.Size]byte, events []byte) ([]byte, [sha256.Size]byte) {
	trace = chain(trace, events)
	b = append(b, batchMagic...)
	b = binary.LittleEndian.AppendUint64(b, first)
	b = append(b, trace[:]...)
	return append(b, events...), trace
}

func chain(trace [sha256.Size]byte, events []byte) [sha256.Size]byte {
	return sha256.Sum256(append(trace[:], events...))
}

// ReadBatch decodes a batch. The slices of its events alias b.
func ReadBatch(b []byte) (Batch, error) {
	if len(b) < batchHead || !bytes.HasPrefix(b, []byte(batchMagic)) {
		return Batch{}, fmt.Errorf("%w: %d bytes without a batch header", errFormat, len(b))
	}
	out := Batch{First: binary.LittleEndian.Uint64(b[len(batchMagic):]), Trace: [sha256.Size]byte(b[len(batchMagic)+8 : batchHead])}
	for rest := b[batchHead:]; len(rest) > 0; {
		const head = 1 + 8 + 8 + 2
		at := len(b) - len(rest)
		if len(rest) < head || len(rest) < head+int(rest[17])+int(rest[18]) {
			return Batch{}, fmt.Errorf("%w: the event at byte %d has %d bytes", errFormat, at, len(rest))
		}
		e := Event{Kind: Kind(rest[0]), Start: int64(binary.LittleEndian.Uint64(rest[1:])), End: int64(binary.LittleEndian.Uint64(rest[9:]))}
		if e.Kind < transferred || e.Kind > Used {
			return Batch{}, fmt.Errorf("%w: event of kind %d at byte %d", errFormat, e.Kind, at)
		}
		wrote, read := int(rest[17]), int(rest[18])
		e.Wrote, e.Read = rest[head:head+wrote], rest[head+wrote:head+wrote+read]
		out.Events = append(out.Events, e)
		rest = rest[head+wrote+read:]
	}
	return out, nil
}

// Follows reports whether b directly follows a batch with the trace before, with nothing missing or changed.
func (b *Batch) Follows(before [sha256.Size]byte) bool {
	var events []byte
	for _, e := range b.Events {
		events = Append(events, e)
	}
	return chain(before, events) == b.Trace
}
