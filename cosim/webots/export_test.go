// SPDX-License-Identifier: Apache-2.0

package webots

// Names for the package's external tests.
var (
	ErrAddress = errAddress
	ErrConfig  = errConfig
	ErrFolder  = errFolder
)
