// SPDX-License-Identifier: Apache-2.0

// Package interop compares the camera calibration with OpenCV's on the same pictures. It has tests only.
package interop
