// SPDX-License-Identifier: Apache-2.0

// Package cam estimates the intrinsics of a camera from views of a plane with known points: Zhang's method (IEEE
// PAMI 22(11), 2000) as the initial estimate, then Levenberg-Marquardt on the reprojection error, over the
// intrinsics and the poses of all views. The models are ROS's: plumb_bob, rational_polynomial and equidistant, as
// OpenCV defines them. Pixel centres have integer coordinates.
package cam
