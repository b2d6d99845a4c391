// SPDX-License-Identifier: Apache-2.0

package permissions

import "strings"

// match reports whether a name matches an expression of POSIX fnmatch() without flags: * stands for any characters, ?
// for one, [a-z] for one of a set, [!a-z] for one outside it, and \ makes the next one literal.
func match(pattern, name string) bool {
	star, mark := -1, 0 // the last * and where what follows it is tried
	p, n := 0, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, n
			p++
			continue
		}
		if width, ok := matchOne(pattern[p:], name[n]); ok {
			p += width
			n++
			continue
		}
		if star < 0 {
			return false
		}
		mark++
		p, n = star+1, mark
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchOne reports whether the first element of a pattern, which is no *, matches a character, and its width.
func matchOne(pattern string, c byte) (width int, ok bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		if width, ok, valid := matchSet(pattern, c); valid {
			return width, ok
		}
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
	}
	return 1, pattern[0] == c
}

// matchSet matches a bracket expression. It is not valid, and [ an ordinary character, if it does not end.
func matchSet(pattern string, c byte) (width int, ok, valid bool) {
	i, negated := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		negated = true
		i++
	}
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, ok != negated, true
		}
		low := pattern[i]
		if low == '\\' && i+1 < len(pattern) {
			i++
			low = pattern[i]
		}
		high := low
		if i++; i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			high = pattern[i+1]
			i += 2
		}
		ok = ok || low <= c && c <= high
	}
	return 0, false, false
}
