// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// paramReader decodes the CDR value of one parameter. Its error is sticky; after an error the methods return zero
// values.
type paramReader struct {
	o   order
	b   []byte
	off int
	err error
}

func (p parameter) reader() paramReader { return paramReader{o: p.order, b: p.Value} }

// next returns the next n bytes after alignment to four.
func (r *paramReader) next(n int) []byte {
	off := align4(r.off)
	if r.err != nil || off > len(r.b) || n > len(r.b)-off {
		r.fail(errParameter, "%d bytes needed at %d of %d", n, off, len(r.b))
		return nil
	}
	r.off = off + n
	return r.b[off : off+n : off+n]
}

func (r *paramReader) fail(err error, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: "+format, append([]any{err}, args...)...)
	}
}

func (r *paramReader) u32() uint32 {
	if b := r.next(4); b != nil {
		return r.o.u32(b)
	}
	return 0
}

func (r *paramReader) i32() int32 { return int32(r.u32()) }

// enum reads an enumerator from low to high.
func (r *paramReader) enum(low, high uint32) uint32 {
	v := r.u32()
	if r.err == nil && (v < low || v > high) {
		r.fail(errParameter, "enumerator %d not in %d to %d", v, low, high)
	}
	return v
}

// boolean reads one octet; anything but 0 is true.
func (r *paramReader) boolean() bool {
	if r.err != nil || r.off >= len(r.b) {
		r.fail(errParameter, "no octet at %d", r.off)
		return false
	}
	r.off++
	return r.b[r.off-1] != 0
}

func (r *paramReader) duration() Duration {
	if b := r.next(8); b != nil {
		return r.o.duration(b)
	}
	return 0
}

func (r *paramReader) guid() GUID { return GUIDFromBytes(r.next(guidSize)) }

func (r *paramReader) version() ProtocolVersion {
	if b := r.next(2); b != nil {
		return ProtocolVersion(bigEndian.u16(b))
	}
	return 0
}

func (r *paramReader) vendor() VendorID { return VendorID(r.version()) }

// octets reads a sequence of at most limit octets; the result points into the parameter.
func (r *paramReader) octets(limit int) []byte {
	n := r.u32()
	if r.err == nil && n > uint32(limit) {
		r.fail(errLimit, "%d octets, at most %d", n, limit)
	}
	if r.err != nil {
		return nil
	}
	return r.next(int(n))
}

// str reads a string of at most MaxStringSize bytes. It accepts strings without NUL and of length 0.
func (r *paramReader) str() string {
	b := r.octets(MaxStringSize + 1)
	if n := len(b); n > 0 && b[n-1] == 0 {
		b = b[:n-1]
	}
	if len(b) > MaxStringSize {
		r.fail(errLimit, "string of %d bytes, at most %d", len(b), MaxStringSize)
		return ""
	}
	return string(b)
}

// locator reads a locator and appends it to ls if it is usable and ls has fewer than maxLocators.
func (r *paramReader) locator(ls []Locator) []Locator {
	b := r.next(locatorSize)
	if b == nil || len(ls) >= maxLocators {
		return ls
	}
	if l := r.o.locator(b); l.validate() == nil {
		return append(ls, l)
	}
	return ls
}

// count reads the number of elements, each of at least size bytes.
func (r *paramReader) count(size, limit int) int {
	n := r.u32()
	switch {
	case r.err != nil:
		return 0
	case n > uint32((len(r.b)-r.off)/size):
		r.fail(errParameter, "%d elements in %d bytes", n, len(r.b)-r.off)
		return 0
	case n > uint32(limit):
		r.fail(errLimit, "%d elements, at most %d", n, limit)
		return 0
	}
	return int(n)
}
