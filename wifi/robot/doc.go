// SPDX-License-Identifier: Apache-2.0

// Package robot is the hardware of a driver, in the sense of package driver/hardware, that is an e-puck2 over Wi-Fi,
// without a Raspberry Pi: the main processor, the IMU, the time-of-flight and the ground sensors, the battery, and a
// camera.
//
//	driver ──► parts: values          ──► latest sensors ◄── link ◄── TCP ◄── robot
//	           packets of the processor ──► command      ──► link ──► TCP ──►
//
// The main processor is behind a bus because its packets over Wi-Fi hold what it sends over I2C: [mcu.Dev] with its
// receipts, its halt and its detection of restarts works on them, and recordings of its bus do.
//
// # Blocking
//
// A transaction stores its command as the latest one, and waits for newer sensors, for [ResponseTimeout] at most. It does not
// use the connection: one goroutine writes, one reads. If a write hangs, or the robot sends nothing for silence,
// the connection is closed, and the next one begins with zero speeds. The robot accepts one client only, so the guard
// of the wheels uses the same connection.
//
// # Loss of the connection
//
// The robot keeps its last speeds: neither of its processors has a watchdog, and the loss of a client is not detected
// before sending fails (see package cosim/wifi). The driver can't change that. The robot stops as soon as it is reached
// again.
package robot
