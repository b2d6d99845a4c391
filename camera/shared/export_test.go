// SPDX-License-Identifier: Apache-2.0

package shared

// Names for the package's external tests.
var (
	ErrTaken = errTaken
)
