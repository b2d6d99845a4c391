// SPDX-License-Identifier: Apache-2.0

package vgpio

// Names for the package's external tests.
var (
	ErrUnsupported = errUnsupported
)
