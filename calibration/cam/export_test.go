// SPDX-License-Identifier: Apache-2.0

package cam

// Names for the package's external tests.
var (
	ErrData = errData
)
