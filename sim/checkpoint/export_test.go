// SPDX-License-Identifier: Apache-2.0

package checkpoint

// Names for the package's external tests.
var (
	ErrFormat = errFormat
)
