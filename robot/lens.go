// SPDX-License-Identifier: Apache-2.0

package robot

import "math"

// Intrinsics of the camera in an image of 640×480, pixels: the linear part of the calibration of the original ROS
// driver, without its distortion.
const (
	LensFocalX  = 940.83
	LensFocalY  = 942.66
	LensCenterX = 320.06
	LensCenterY = 223.64
)

// CameraFieldOfView returns the horizontal field of view, rad: 37.6°.
func CameraFieldOfView() float64 { return 2 * math.Atan2(640/2, LensFocalX) }
