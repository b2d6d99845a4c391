// SPDX-License-Identifier: Apache-2.0

package packet

// Names for the package's external tests.
const (
	LEDFront  = ledFront
	SoundStop = soundStop
)

var (
	ErrID     = errID
	ErrKind   = errKind
	ErrLength = errLength
)
