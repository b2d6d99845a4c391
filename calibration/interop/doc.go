// SPDX-License-Identifier: Apache-2.0

// Package interop holds the camera calibration against OpenCV's: the same pictures through both. It has tests only.
package interop
