// SPDX-License-Identifier: Apache-2.0

package camsensor

// Names for the package's external tests.
const (
	MinExposure       = minExposure
	OV7670            = ov7670
	OptionGain        = optionGain
	OptionTestPattern = optionTestPattern
	PO8030            = po8030
)

var (
	ErrAbsent   = errAbsent
	ErrIdentity = errIdentity
)
