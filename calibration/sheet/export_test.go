// SPDX-License-Identifier: Apache-2.0

package sheet

// Names for the package's external tests.
const (
	A3Height = a3Height
	A3Width  = a3Width
)

var (
	ErrPage = errPage
)
