// SPDX-License-Identifier: Apache-2.0

// Package camsensor sets the e-puck2's camera sensor up.
//
//	device                    bus      address  tested                                       on hardware
//	OV7670                    e-puck   0x21     recorded transactions, virtual chip, faults  not tried
//	PO8030                    e-puck   0x6E     recorded transactions, virtual chip, faults  not tried
//	PO6030, PO3030 (e-puck1)  e-puck   0x6E     identified only                              not tried
//
// The picture goes another way, through the FT903 and USB, which accepts 640×480 at 15 frames/s in YUYV and nothing
// else. The sensor must be told to give just that, once each time the robot is switched on. Which sensor a robot has is
// read from it ([Model]); one that is neither is left alone.
//
// The sequences are those of GCtronic's camera-configuration programs and York Robotics Laboratory's
// e-puck-camera-init, with their five tries, 0.2 s apart, for each register. A sensor is an SCCB device: a register is
// read by a write and a separate read, not with a repeated start.
//
// [Dev.Poll] makes one transaction a call. When the sequence is done it looks now and then whether the sensor still has
// its settings, because a robot that was switched off and on has lost them, and sets it up again.
package camsensor
