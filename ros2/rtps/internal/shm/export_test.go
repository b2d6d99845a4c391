// SPDX-License-Identifier: Apache-2.0

package shm

// Errors that tests look for.
var (
	ErrOverwritten = errOverwritten
	ErrForeign     = errForeign
)
