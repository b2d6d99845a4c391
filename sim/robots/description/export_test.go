// SPDX-License-Identifier: Apache-2.0

package description

// Names for the package's external tests.
var (
	ErrUnknown = errUnknown
)
