// SPDX-License-Identifier: Apache-2.0

package live

// Names for the package's external tests.
var (
	ErrBusy   = errBusy
	ErrConfig = errConfig
	ErrOffer  = errOffer
)
