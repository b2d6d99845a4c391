// SPDX-License-Identifier: Apache-2.0

package battery

// Names for the package's external tests.
var (
	ErrFormat      = errFormat
	ErrImplausible = errImplausible
	ErrRead        = errRead
)
