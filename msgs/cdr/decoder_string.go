// SPDX-License-Identifier: Apache-2.0

package cdr

import "fmt"

// String reads a string without bound.
func (d *Decoder) String() string { return d.StringOf("", Unbounded) }

// StringOf reads a string of at most bound bytes without the NUL (or [Unbounded]). It returns prev if that is the same
// text, so that decoding the same frame name repeatedly does not allocate.
func (d *Decoder) StringOf(prev string, bound int) string {
	b := d.text(bound)
	if string(b) == prev {
		return prev
	}
	return string(b)
}

// text consumes a string and returns its bytes without the NUL. A length of 0 and a missing NUL are accepted, since
// some peers send them.
func (d *Decoder) text(bound int) []byte {
	n := d.SeqLen(1, Unbounded)
	b := d.next(1, n)
	if len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	if bound != Unbounded && len(b) > bound {
		d.pos -= n
		d.fail(fmt.Errorf("%w: string of %d bytes, at most %d", ErrBound, len(b), bound))
		return nil
	}
	return b
}

// Strings fills dst with the strings of an array, of at most bound bytes each.
func (d *Decoder) Strings(dst []string, bound int) {
	for i := range dst {
		dst[i] = d.StringOf(dst[i], bound)
	}
}

// StringSeq reads a sequence of at most seqBound strings of at most bound bytes each, into the memory of prev if that
// is large enough.
func (d *Decoder) StringSeq(prev []string, seqBound, bound int) []string {
	// An empty string may consist of its length alone: four bytes.
	s := Resize(prev, d.SeqLen(4, seqBound))
	d.Strings(s, bound)
	return s
}
