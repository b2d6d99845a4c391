// SPDX-License-Identifier: Apache-2.0

package lm

// Names for the package's external tests.
var (
	ErrBad  = errBad
	ErrSlow = errSlow
)
