// SPDX-License-Identifier: Apache-2.0

package vcamera

// Names for the package's external tests.
const (
	LensHeight = lensHeight
)

var (
	Develop         = develop
	ErrFaults       = errFaults
	NewRendererWith = newRendererWith
)
