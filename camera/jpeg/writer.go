// SPDX-License-Identifier: Apache-2.0

package jpeg

import "math/bits"

// writer appends bits to a file, most significant first, and a zero byte after each 0xFF (T.81 F.1.2.3).
type writer struct {
	buf  []byte // as long as its capacity
	at   int    // position of the next byte
	bits uint32 // not yet written, right-aligned
	n    uint32 // number of bits, at most 15 between calls
}

func (w *writer) start(file []byte) {
	*w = writer{buf: file[:cap(file)], at: len(file)}
}

// reserve ensures a capacity of n more bytes.
func (w *writer) reserve(n int) {
	if len(w.buf)-w.at < n {
		grown := append(w.buf[:w.at], make([]byte, max(n, w.at))...)
		w.buf = grown[:cap(grown)]
	}
}

// putValue writes the code of a symbol, which is a run of zeros and the category of a value (its number of bits, T.81
// table F.1), followed by the bits of the value, or of value − 1 if it is negative.
func (w *writer) putValue(codes *[256]code, run uint32, v int32) {
	sign := v >> 31
	need := uint32(bits.Len32(uint32(v ^ sign - sign)))
	c := &codes[(run|need)&255]
	w.put(c.bits|uint32(v+sign)&(1<<(need&31)-1), c.size)
}

// put writes the lowest size bits of v, at most 27.
func (w *writer) put(v, size uint32) {
	if size > 16 {
		w.put(v>>16, size-16)
		v, size = v&0xFFFF, 16
	}
	acc, n := w.bits<<(size&31)|v, w.n+size
	w.bits, w.n = acc, n
	if n >= 16 {
		w.two()
	}
}

// two writes the first two bytes of the bits into the reserved space.
func (w *writer) two() {
	w.n -= 16
	pair := w.bits >> (w.n & 31)
	to := (*[4]byte)(w.buf[w.at:])
	high, low := byte(pair>>8), byte(pair)
	to[0], to[1] = high, low
	w.at += 2
	if high == 0xFF || low == 0xFF {
		w.at += stuff(to, high, low) - 2
	}
}

// stuff writes two bytes of which at least one is 0xFF and returns the number of bytes written.
func stuff(to *[4]byte, high, low byte) int {
	n := 0
	for _, b := range [2]byte{high, low} {
		to[n] = b
		n++
		if b == 0xFF {
			to[n] = 0
			n++
		}
	}
	return n
}

// finish pads the last byte with ones (T.81 F.1.2.3) and returns the file.
func (w *writer) finish() []byte {
	w.reserve(8)
	for w.n > 0 {
		left := min(w.n, 8)
		b := byte(w.bits>>(w.n-left)<<(8-left)) | byte(0xFF>>left)
		w.n -= left
		w.buf[w.at] = b
		w.at++
		if b == 0xFF {
			w.buf[w.at] = 0
			w.at++
		}
	}
	return w.buf[:w.at]
}
