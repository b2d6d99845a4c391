// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"errors"
	"fmt"
	"strings"
)

// ErrReport is matched when the text is not the output of dumpe2fs.
var ErrReport = errors.New("disk: dumpe2fs")

// Used parses the output of dumpe2fs for an ext file system and returns the extents in use, relative to the file
// system's start: all but the free blocks. Inode tables count as used.
func Used(report string) ([]Extent, error) {
	count, size := int64(0), int64(0)
	var used []Extent
	next := int64(0) // first block whose state is not known yet
	groups := false  // the header of the report has been read
	for line := range strings.Lines(report) {
		line = strings.TrimSpace(line)
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "Block count":
			_, _ = fmt.Sscan(value, &count)
		case "Block size":
			_, _ = fmt.Sscan(value, &size)
		case "Free blocks":
			if !groups {
				groups = true // the total in the header of the report
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

// blockSpan parses "12-40" or "12"; first is −1 for an empty text.
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
		return 0, 0, fmt.Errorf("%w: %q is not a range of blocks", ErrReport, text)
	}
	return first, last, nil
}
