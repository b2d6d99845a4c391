// SPDX-License-Identifier: Apache-2.0

package namewatch

// Names for the package's external tests.
const (
	Pause = pause
)
