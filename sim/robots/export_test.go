// SPDX-License-Identifier: Apache-2.0

package robots

// Names for the package's external tests.
var (
	ErrUnknown = errUnknown
)
