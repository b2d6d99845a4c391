// SPDX-License-Identifier: Apache-2.0

package proto

// Names for the package's external tests.
const (
	MaxErrors  = maxErrors
	MaxNodes   = maxNodes
	MaxRemarks = maxRemarks
	MaxSize    = maxSize
	MaxString  = maxString
)

var (
	ErrBound    = errBound
	ErrContent  = errContent
	ErrRelease  = errRelease
	ErrSyntax   = errSyntax
	ErrTemplate = errTemplate
)
