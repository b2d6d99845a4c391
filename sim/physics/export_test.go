// SPDX-License-Identifier: Apache-2.0

package physics

// Response is the table of the infrared sensors.
func Response(distance float64) (value, sigma float64) { return response(curve(), distance) }
