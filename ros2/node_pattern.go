// SPDX-License-Identifier: Apache-2.0

package ros2

import "strings"

// validateNodePattern checks the full name of a node in which "*" stands for one
// word and "**" for any number of words, none included.
func validateNodePattern(pattern string) error {
	const what = "node name pattern"
	pos := 0
	for _, word := range strings.Split(pattern, "/")[1:] {
		pos++ // the slash
		if word != "*" && word != "**" {
			if word == "" {
				return &NameError{what, pattern, pos - 1, "a word is empty"}
			}
			for i := 0; i < len(word); i++ {
				if !isWord(word[i]) {
					return &NameError{what, pattern, pos + i, "only letters, digits, underscores, slashes and the wildcards * and ** are allowed"}
				}
			}
		}
		pos += len(word)
	}
	return checkLength(what, pattern, maxNodeName)
}

// matchNode tells whether the full name of a node fits the pattern.
func matchNode(pattern, name string) bool {
	return matchWords(strings.Split(pattern, "/")[1:], strings.Split(name, "/")[1:])
}

// matchWords matches with one point of return, the last "**": what stands
// before it has matched for good, so the time is at most the product of the
// lengths.
func matchWords(pattern, words []string) bool {
	p, w := 0, 0
	star, resume := -1, 0
	for w < len(words) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, resume = p, w
			p++
		case p < len(pattern) && (pattern[p] == "*" || pattern[p] == words[w]):
			p++
			w++
		case star >= 0:
			resume++
			p, w = star+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

// overridesFor returns the overrides that apply to a node, later ones last.
func (a Args) overridesFor(node NodeName) []override {
	var out []override
	for _, o := range a.overrides {
		if matchNode(o.node, node.FullName()) {
			out = append(out, o)
		}
	}
	return out
}
