// SPDX-License-Identifier: Apache-2.0

package wire

// Builder packs submessages into one datagram of limited size. Begin starts it
// and comes first; each method that adds a submessage returns false, and adds
// nothing, if it does not fit. It must not be used concurrently; the buffer is
// reused by the next Begin.
//
// The Builder remembers INFO_DST and INFO_TS, so asking for the same again
// costs nothing.
type Builder struct {
	buf   []byte
	limit int
	state builderState
}

// builderState is what Rollback restores besides the length.
type builderState struct {
	length int
	dst    GUIDPrefix
	ts     Time
	count  int
}

// NewBuilder returns a Builder of datagrams of at most limit bytes, which it
// allocates at once. Limits below the header or above MaxMessageSize are moved
// there.
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

// added takes over the grown buffer after an entity submessage.
func (b *Builder) added(buf []byte) bool {
	b.buf = buf
	b.state.length = len(buf)
	b.state.count++
	return true
}
