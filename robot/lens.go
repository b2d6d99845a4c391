// SPDX-License-Identifier: Apache-2.0

package robot

import "math"

// Intrinsics of the camera's lens in a picture of 640×480, pixels: the linear part of the calibration that came with
// the original ROS driver. Its distortion is left out.
const (
	LensFocalX  = 940.83
	LensFocalY  = 942.66
	LensCenterX = 320.06
	LensCenterY = 223.64
)

// CameraFieldOfView returns the angle from the left to the right edge of the picture, rad: 37.6°.
func CameraFieldOfView() float64 { return 2 * math.Atan2(640/2, LensFocalX) }
