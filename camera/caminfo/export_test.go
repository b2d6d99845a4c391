// SPDX-License-Identifier: Apache-2.0

package caminfo

// Names for the package's external tests.
const (
	Equidistant        = equidistant
	PlumbBob           = plumbBob
	RationalPolynomial = rationalPolynomial
)

var (
	ErrCalibration = errCalibration
	ErrURL         = errURL
)
