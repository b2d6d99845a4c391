// SPDX-License-Identifier: Apache-2.0

package wire

// Names for the package's external tests.
const (
	MaxRequest    = maxRequest
	SpeakerEngine = speakerEngine
)

var (
	ErrCommand   = errCommand
	ErrHandshake = errHandshake
	ErrRelease   = errRelease
	ErrShort     = errShort
	ErrSize      = errSize
)
