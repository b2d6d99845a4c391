// SPDX-License-Identifier: Apache-2.0

package chess

// Names for the package's external tests.
var (
	ErrNotFound = errNotFound
)
