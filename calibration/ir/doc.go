// SPDX-License-Identifier: Apache-2.0

// Package ir fits the response curve of an infrared distance sensor to readings at known distances from a wall: the
// nominal curve with a gain and a range of its own, and the residual.
package ir
