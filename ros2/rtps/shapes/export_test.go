// SPDX-License-Identifier: Apache-2.0

package shapes

// Names for the package's external tests.
const (
	Alive    = alive
	MaxColor = maxColor
)

var (
	AppendKey        = appendKey
	ErrArgument      = errArgument
	ErrEncapsulation = errEncapsulation
	ErrFilter        = errFilter
	ErrPayload       = errPayload
	ErrUnsupported   = errUnsupported
	NewCache         = newCache
	NewDeadline      = newDeadline
)
