// SPDX-License-Identifier: Apache-2.0

package ir

// Names for the package's external tests.
const (
	Near = near
)
