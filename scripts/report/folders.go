// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// listed is how many of the largest things -v lists.
const listed = 30

// fullestFolders returns the folders with the most files of code, without tests and generated files.
func (t *tree) fullestFolders() (most int, list []string) {
	files := map[string]int{}
	for _, s := range t.sources {
		if !s.Test && !s.Gen {
			files[s.Folder]++
		}
	}
	return largestOf(files)
}

// largestOf returns the largest number, and the names with the largest numbers.
func largestOf(numbers map[string]int) (most int, list []string) {
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		if i == 0 {
			most = numbers[name]
		}
		if i < listed {
			list = append(list, fmt.Sprintf("%5d %s", numbers[name], name))
		}
	}
	return most, list
}
