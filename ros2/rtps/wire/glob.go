// SPDX-License-Identifier: Apache-2.0

package wire

import "strings"

// isPattern reports whether a partition name has wildcards.
func isPattern(s string) bool { return strings.ContainsAny(s, "*?") }

// glob reports whether name matches a pattern in which * stands for any bytes and ? for one. The time is at most
// proportional to the product of the lengths: after a mismatch only the last * is extended.
func glob(pattern, name string) bool {
	p, n := 0, 0
	star, mark := -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
