// SPDX-License-Identifier: Apache-2.0

// Package camera captures images from a camera on demand, raw and as JPEG.
//
// The parts, in the order in which an image passes them:
//
//   - a [Device] is a camera that can be opened; it lists its [Mode] values. Devices: camera/v4l2 (Linux, cgo),
//     camera/mediadev (any mediadevices driver), the simulator's;
//   - a [Source] is an opened camera; Read returns a [Frame] and a function that releases its memory;
//   - a [Pipeline] opens the device when the first [Sink] is attached and closes it when the last one is detached. Each
//     frame is converted once for each requested kind of picture (camera/yuv, camera/scale, or a [Converter] on the
//     GPU) and compressed by an [Encoder] (camera/jpeg, or the GPU's);
//   - a sink gets every picture that it has time for: a slow one loses the oldest, and delays no other.
//
// The package does not depend on ROS or on robots.
package camera
