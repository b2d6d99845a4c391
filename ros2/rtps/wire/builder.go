// SPDX-License-Identifier: Apache-2.0

package wire

// Builder packs submessages into one datagram of limited size, which Begin starts. Each method that adds a submessage
// returns false, and adds nothing, if it does not fit. A Builder must not be used concurrently; the buffer is reused by
// the next Begin.
//
// INFO_DST and INFO_TS submessages that repeat the current values are omitted.
type Builder struct {
	buf   []byte
	limit int
	state builderState
}

// builderState is the state of the datagram under construction.
type builderState struct {
	length int
	dst    GUIDPrefix
	ts     Time
	count  int
}

// NewBuilder returns a Builder of datagrams of at most limit bytes, whose buffer it allocates. The limit is clamped to
// the range from HeaderSize to MaxMessageSize.
func NewBuilder(limit int) *Builder {
	limit = min(max(limit, HeaderSize), MaxMessageSize)
	return &Builder{buf: make([]byte, 0, limit), limit: limit}
}

// Begin starts a new datagram from the participant src, version 2.3 and our
// vendor id.
func (b *Builder) Begin(src GUIDPrefix) {
	h := Header{Version: Version23, Vendor: VendorOwn, Prefix: src}
	b.buf = h.Append(b.buf[:0])
	b.state = builderState{length: len(b.buf), ts: timeInvalid}
}

// Set replaces the datagram with a copy of b, which may exceed the limit.
func (b *Builder) Set(datagram []byte) {
	b.buf = append(b.buf[:0], datagram...)
	b.state = builderState{length: len(b.buf), ts: timeInvalid}
}

// Bytes returns the datagram; it is valid until the next Begin.
func (b *Builder) Bytes() []byte { return b.buf }

// Len returns the size of the datagram so far, bytes.
func (b *Builder) Len() int { return len(b.buf) }

// Remaining returns how many bytes still fit.
func (b *Builder) Remaining() int { return b.limit - len(b.buf) }

// Limit returns the largest size of a datagram.
func (b *Builder) Limit() int { return b.limit }

// fits reports whether size bytes more fit.
func (b *Builder) fits(size int) bool { return size <= b.Remaining() }

// added stores the buffer to which an entity submessage was appended.
func (b *Builder) added(buf []byte) bool {
	b.buf = buf
	b.state.length = len(buf)
	b.state.count++
	return true
}
