// SPDX-License-Identifier: Apache-2.0

package rigid

// Names for the package's external tests.
const (
	Gravity = gravity
)
