// SPDX-License-Identifier: Apache-2.0

// Package vcamera simulates the camera of the e-puck2: a renderer of the world from the robot's lens, and a
// [camera.Device] that delivers its pictures as the Pi-puck's USB interface does.
//
//	world ──► Scene ──► Renderer ──► YUYV 640×480 ──► Device ──► camera.Frame
//	                       ▲
//	sensor's registers ────┘ (what vcamsensor makes of them)
//
// # Geometry
//
// Without [Optics] the camera is an ideal one: no distortion, no vignetting, no noise.
//
// The camera looks ahead, level, from 30 mm before the middle between the wheels and 28 mm above the floor, through an
// ideal lens with the intrinsics that users measured ([FocalX] …): a point x ahead, y to the left and z above the lens
// is at the pixel (CenterX − FocalX·y/x, CenterY − FocalY·z/x), the middle of pixel (0, 0) being (0, 0).
//
// All things of a world are upright on a plane, so a column of the picture is one ray in that plane: what it crosses,
// near to far, covers the rows from its foot to its top, and above that one sees what is behind. Floor, haze and sky
// fill the rest. The same scene gives the same bytes on every processor (package geom says how).
//
// # The sensor
//
// The pictures obey the sensor's registers: mirrored, turned over, exposed, amplified, or colour bars. A sensor that
// that was not set up gives what the FT903 makes of it: two bytes exchanged in each pixel, hence wrong colours, or,
// with another size than 640×480 or no sensor at all, nothing.
package vcamera

import "github.com/epuck-ros2/epuck-driver/robot"

// What the FT903 offers: one mode.
const (
	// Width and Height are the picture's size, pixels.
	Width, Height = 640, 480
	// FrameRate is in frames/s.
	FrameRate = 15
	// Stride is the length of a row, bytes.
	Stride = 2 * Width
	// FrameSize is the length of a frame, bytes.
	FrameSize = Stride * Height
)

// Intrinsics of the lens, pixels: the linear part of the calibration that came with the old driver, 37.6° from left to
// right. Its distortion, of which the high coefficients are fitted to too little data, is left out; see [Optics].
const (
	FocalX  = robot.LensFocalX
	FocalY  = robot.LensFocalY
	CenterX = robot.LensCenterX
	CenterY = robot.LensCenterY
)

// Place of the lens on the robot, m: before the middle between the wheels, and above the floor.
const (
	LensForward = robot.LensForward
	lensHeight  = robot.LensHeight
)
