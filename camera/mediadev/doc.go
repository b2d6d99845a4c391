// SPDX-License-Identifier: Apache-2.0

// Package mediadev joins cameras of this project with those of github.com/pion/mediadevices, both ways.
//
//   - [New] makes a [camera.Device] of any of its video drivers (the operating systems' cameras, screens, videotest …)
//     and
//     fromReader of any video.Reader, transformed as may be.
//   - [Reader] makes a video.Reader of a [camera.Source], and [NewAdapter] a driver of a [camera.Device] that can be
//     registered
//     with its driver manager, so that its encoders and WebRTC tracks get the robot's pictures.
//
// mediadevices has no stamps: a frame's is the time at which its driver handed it out. It has images where this project
// has bytes, so each frame is copied once. Its drivers may be blocked in Read when they are closed, one of them for
// ever (videotest); so here a driver is closed between two reads.
package mediadev
