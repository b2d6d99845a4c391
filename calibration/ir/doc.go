// SPDX-License-Identifier: Apache-2.0

// Package ir finds the response curve of an infrared distance sensor from readings at known distances from a wall: the
// usual curve with a gain and a reach of its own, and the remaining deviation.
package ir
