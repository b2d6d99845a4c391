// SPDX-License-Identifier: Apache-2.0

// Package textplace finds where a text fails to parse, for parsers that report no column.
package textplace

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// maxText is the largest text that is searched, in bytes: each step parses a part of it again, and a text may come from
// the network.
const maxText = 64 << 10

// Find returns the line and the column, from 1 on, of the character at which text begins to fail. same reports whether
// a prefix of text fails as the whole does; it is called at most about three times as often as the size of text has
// bits. A prefix may fail so by chance, since it ends within a string that is closed later: then the place nearest to
// the end is likely to be found. Find returns 0, 0 if the whole does not fail, or is longer than 64 KiB.
func Find(text []byte, same func(prefix []byte) bool) (line, column int) {
	if len(text) > maxText || !same(text) {
		return 0, 0
	}
	ends := lineEnds(text)
	last := searchBack(len(ends)-1, func(i int) bool { return same(text[:ends[i]]) })
	begin := 0
	if last > 0 {
		begin = ends[last-1]
	}
	length := sort.Search(ends[last]-begin, func(n int) bool { return same(text[:begin+n]) })
	return last + 1, max(1, utf8.RuneCount(text[begin:begin+length]))
}

// searchBack returns an index up to n at which f is true and before which it is false; f(n) is true. It searches from n
// on in steps that double.
func searchBack(n int, f func(i int) bool) int {
	for step := 1; n > 0; step *= 2 {
		low := max(n-step, 0)
		if !f(low) {
			return low + 1 + sort.Search(n-low-1, func(i int) bool { return f(low + 1 + i) })
		}
		n = low
	}
	return 0
}

// lineEnds returns the index behind each line, with its newline.
func lineEnds(text []byte) []int {
	var ends []int
	for at := 0; at < len(text); {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			n = len(text) - at - 1
		}
		at += n + 1
		ends = append(ends, at)
	}
	if len(ends) == 0 {
		ends = []int{0}
	}
	return ends
}
