// SPDX-License-Identifier: Apache-2.0

// Package sheet draws what is printed for a calibration, to scale: boards for the camera, and for the wheels the
// sheet with the start and end of the robot's path; and plots. A [Page] is written as SVG or as PDF.
package sheet
