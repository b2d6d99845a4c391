// SPDX-License-Identifier: Apache-2.0

package robot

// Names for the package's external tests.
var (
	ErrConfig = errConfig
)
