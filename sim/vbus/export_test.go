// SPDX-License-Identifier: Apache-2.0

package vbus

// Names for the package's external tests.
var (
	ErrAddress = errAddress
	ErrClosed  = errClosed
	ErrFault   = errFault
	ErrSpeed   = errSpeed
)
