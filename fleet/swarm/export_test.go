// SPDX-License-Identifier: Apache-2.0

package swarm

// Names for the package's external tests.
var (
	ErrConfig     = errConfig
	ErrController = errController
)
