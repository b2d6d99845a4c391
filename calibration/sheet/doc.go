// SPDX-License-Identifier: Apache-2.0

// Package sheet draws what is printed for a calibration, to scale: boards for the camera and the sheet on which the
// robot starts and ends for the wheels; and plots. A [Page] is written as SVG or as PDF.
package sheet
