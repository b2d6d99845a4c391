// SPDX-License-Identifier: Apache-2.0

// Package camsensor configures the e-puck2's camera sensor.
//
//	device                    bus      address  tested                                       on hardware
//	OV7670                    e-puck   0x21     recorded transactions, virtual chip, faults  not tried
//	PO8030                    e-puck   0x6E     recorded transactions, virtual chip, faults  not tried
//	PO6030, PO3030 (e-puck1)  e-puck   0x6E     identified only                              not tried
//
// The picture is transferred separately, by the FT903 over USB, which accepts only 640×480 at 15 frames/s in YUYV. The
// sensor must be configured for this format each time the robot is switched on. The sensor is identified by its
// registers ([Model]); an unknown one is not changed.
//
// The sequences are those of GCtronic's camera-configuration programs and York Robotics Laboratory's
// e-puck-camera-init, with five attempts per register, 0.2 s apart. A sensor is an SCCB device: a register is read by a
// write and a separate read, not with a repeated start.
//
// [Dev.Poll] makes one transaction per call. After the sequence it periodically checks whether the sensor still has its
// settings, which are lost when the robot is switched off and on, and configures it again.
package camsensor
