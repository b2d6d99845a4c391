// SPDX-License-Identifier: Apache-2.0

// Package videodev finds the device files of video devices.
package videodev

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Nodes lists the files "videoN" in the folder dev, usually /dev, in the order of their numbers.
func Nodes(dev string) []string {
	paths, err := filepath.Glob(filepath.Join(dev, "video*"))
	if err != nil { // the folder's name is a bad pattern
		return nil
	}
	number := func(p string) int {
		n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(p), "video"))
		if err != nil {
			return -1
		}
		return n
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return number(p) < 0 })
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return paths
}
