// SPDX-License-Identifier: Apache-2.0

package traci

// Names for the package's external tests.
const (
	Program = program
)

var (
	ErrAddress = errAddress
	ErrConfig  = errConfig
)
