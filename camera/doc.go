// SPDX-License-Identifier: Apache-2.0

// Package camera takes pictures from a camera on demand, and delivers them as raw images and as JPEG.
//
// The parts, in the order a picture passes them:
//
//   - a [Device] is a camera that can be opened; it lists its [Mode] values. Devices: camera/v4l2 (Linux, cgo),
//     camera/mediadev (any mediadevices driver), the simulator's;
//   - a [Source] is an opened camera; Read gives a [Frame] and a function that gives its memory back;
//   - a [Pipeline] opens the device when the first [Sink] is attached and closes it when the last one is gone. Each
//     frame
//     is converted once per kind of picture wanted (camera/yuv, camera/scale, or a [Converter] on the GPU) and
//     compressed by an [Encoder] (camera/jpeg, or the GPU's);
//   - a sink gets every picture it has time for: a slow one loses the oldest, and delays no other.
//
// The package does not depend on ROS or on robots.
package camera
