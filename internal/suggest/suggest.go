// SPDX-License-Identifier: Apache-2.0

// Package suggest finds the names that a misspelled word may have meant.
package suggest

import (
	"slices"
	"strings"
)

// Near returns the names that a misspelled word may have meant, the nearest first, at most three: those that differ by
// a third of its letters at the most (of those behind the folder or package that both have), those that begin with it,
// and those that it is the end of: "/odom" may have meant "/robot1/odom".
func Near(word string, names []string) []string {
	type candidate struct {
		name string
		far  int
	}
	var all []candidate
	for _, name := range names {
		far := distance(strings.ToLower(word), strings.ToLower(name))
		if begins := word != "" && strings.HasPrefix(strings.ToLower(name), strings.ToLower(word)); begins {
			far = min(far, 1)
		}
		if last := strings.TrimPrefix(word, "/"); last != "" && strings.HasSuffix(name, "/"+last) {
			far = min(far, 1)
		}
		if name != word && far <= max(1, len(behindCommonFolder(word, name))/3) {
			all = append(all, candidate{name, far})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.far - b.far })
	near := make([]string, 0, 3)
	for _, c := range all[:min(len(all), 3)] {
		near = append(near, c.name)
	}
	return near
}

// behindCommonFolder returns word without the parts before a slash that name begins with, too.
func behindCommonFolder(word, name string) string {
	common := 0
	for i := 0; i < min(len(word), len(name)) && word[i] == name[i]; i++ {
		if word[i] == '/' {
			common = i + 1
		}
	}
	return word[common:]
}

// DidYouMean returns the end of an error about a misspelled word, "; did you mean '/odom'?", or "" if no name is near.
func DidYouMean(word string, names []string) string {
	near := Near(word, names)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean '" + strings.Join(near, "' or '") + "'?"
}

// distance counts the letters to insert, to remove, to change or to swap with the next that make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
