// SPDX-License-Identifier: Apache-2.0

// Package cam finds the intrinsics of a camera from views of a plane whose points are known: Zhang's method (IEEE PAMI
// 22(11), 2000) as the start, then a Levenberg-Marquardt search on the distance between where points are seen and where
// the model has them, with all views' poses. The models are ROS's: plumb_bob, rational_polynomial and equidistant, as
// OpenCV defines them. Pixels' middles have whole coordinates.
package cam
