// SPDX-License-Identifier: Apache-2.0

package calibration

// Names for the package's external tests.
var (
	ErrNote = errNote
)
