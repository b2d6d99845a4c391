// SPDX-License-Identifier: Apache-2.0

package experiment

// Names for the package's external tests.
var (
	ErrBusy    = errBusy
	ErrCommand = errCommand
	ErrFile    = errFile
	ErrSlurm   = errSlurm
)
