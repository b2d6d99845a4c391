// SPDX-License-Identifier: Apache-2.0

// Package xmltree reads descriptions in XML as trees of elements with their lines, and records which of them a
// reader used: the unused rest is listed at the end.
//
// It is made for files of strangers: no entities but XML's own, no document types, no files except the given
// one, and bounds for size, depth and number of elements.
package xmltree

import "errors"

// The bounds of a file. TIAGo++, a robot of 120 links, has 0.3 MB and 3000 elements.
const (
	MaxSize       = 8 << 20 // bytes
	maxDepth      = 64      // elements in each other
	maxElements   = 200_000
	maxAttributes = 256 // of an element
	// maxErrors is how many faults of a file are reported.
	maxErrors = 20
)

var (
	// ErrSyntax is matched by the error of a file that is no XML, or goes beyond a bound.
	ErrSyntax = errors.New("no XML that can be read")
	// ErrContent is matched by the error of an element or attribute that is missing or can't be.
	ErrContent = errors.New("impossible content")
)
