// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"errors"
	"fmt"
	"strings"
)

// ErrReport is matched when the text is not what dumpe2fs writes.
var ErrReport = errors.New("disk: dumpe2fs")

// Used reads what dumpe2fs writes of an ext file system and gives the extents that are in use, from the file system's
// beginning: all but the free blocks. Tables of inodes count as used.
func Used(report string) ([]Extent, error) {
	count, size := int64(0), int64(0)
	var used []Extent
	next := int64(0) // the first block that is not decided yet
	groups := false  // the head of the report is behind
	for line := range strings.Lines(report) {
		line = strings.TrimSpace(line)
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "Block count":
			_, _ = fmt.Sscan(value, &count)
		case "Block size":
			_, _ = fmt.Sscan(value, &size)
		case "Free blocks":
			if !groups {
				groups = true // the sum of all, in the head of the report
				continue
			}
			for span := range strings.SplitSeq(value, ",") {
				first, last, err := blockSpan(span)
				if err != nil {
					return nil, err
				}
				if first < 0 {
					continue
				}
				if first < next || last < first || last >= count {
					return nil, fmt.Errorf("%w: free blocks %d to %d after %d of %d", ErrReport, first, last, next, count)
				}
				used = append(used, Extent{next * size, (first - next) * size})
				next = last + 1
			}
		}
	}
	if count <= 0 || size <= 0 || count > 1<<40 || size > 1<<16 {
		return nil, fmt.Errorf("%w: %d blocks of %d bytes", ErrReport, count, size)
	}
	return append(used, Extent{next * size, (count - next) * size}), nil
}

// blockSpan reads "12-40" or "12"; first is −1 for nothing.
func blockSpan(text string) (first, last int64, err error) {
	if text = strings.TrimSpace(text); text == "" {
		return -1, -1, nil
	}
	low, high, isSpan := strings.Cut(text, "-")
	if !isSpan {
		high = low
	}
	if _, err = fmt.Sscan(low, &first); err == nil {
		_, err = fmt.Sscan(high, &last)
	}
	if err != nil || first < 0 {
		return 0, 0, fmt.Errorf("%w: %q is no span of blocks", ErrReport, text)
	}
	return first, last, nil
}
