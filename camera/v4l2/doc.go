// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Package v4l2 captures from Linux video devices (UVC cameras above all) as a [camera.Device].
//
// Buffers are mapped: a [camera.Frame] is a view of one, and its release function queues the buffer again. A frame
// costs no copy and no allocation. Stamps are the kernel's, taken when the frame arrived, converted from
// CLOCK_MONOTONIC to the system clock.
//
// A device is found by driver and card name, not by its number, which changes when it is plugged in again:
//
//	name                        device
//	"" or "auto"                the Pi-puck's camera, else the first USB camera (driver uvcvideo)
//	"/dev/video2"               this device file, or a link to one
//	"usb-University_of_York…"   a name in /dev/v4l/by-id
//	"vivid"                     the first camera with this driver
//	"Camera Interface"          the first camera whose card name contains this
//
// The system calls use github.com/vladimirvivien/go4vl (package v4l2, version 0.3.0), which needs cgo. In a program
// built without cgo every attempt to open a camera fails with [camera.ErrNotBuiltIn]. What go4vl lacks or does wrong is
// in ioctl.go and pinned.go, with the reasons.
package v4l2
