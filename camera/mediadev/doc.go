// SPDX-License-Identifier: Apache-2.0

// Package mediadev connects cameras of this project with those of github.com/pion/mediadevices, both ways.
//
//   - [New] makes a [camera.Device] of any of its video drivers (the operating systems' cameras, screens, videotest …)
//     and fromReader of any video.Reader, transformed or not.
//   - [Reader] makes a video.Reader of a [camera.Source], and [NewAdapter] a driver of a [camera.Device] that can be
//     registered with its driver manager, so that its encoders and WebRTC tracks get the robot's pictures.
//
// mediadevices has no time stamps: a frame's stamp is the time at which its driver's Read returned. It has images where
// this project has bytes, so each frame is copied once. Its drivers may be blocked in Read when they are closed, one of
// them without end (videotest); so here a driver is closed between two reads.
package mediadev
