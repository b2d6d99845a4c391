// SPDX-License-Identifier: Apache-2.0

package xmltree

// Names for the package's external tests.
const (
	MaxAttributes = maxAttributes
	MaxDepth      = maxDepth
	MaxElements   = maxElements
	MaxErrors     = maxErrors
)
