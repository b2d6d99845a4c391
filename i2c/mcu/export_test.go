// SPDX-License-Identifier: Apache-2.0

package mcu

// radians returns the commanded speed in rad/s.
func (s Speed) radians() float64 { return float64(s) * RadPerStep }
