// SPDX-License-Identifier: Apache-2.0

// Package packet encodes and decodes the packets that an e-puck2 exchanges with a computer over Wi-Fi, by TCP, port
// 1000.
//
//	computer ──► 21 bytes: requested data, wheels, LEDs, sound            [Command]
//	robot    ──► 1 byte of kind, then 104 bytes of sensors                 [Sensors]
//	             or 38,400 bytes of a picture, or nothing                  [PictureSize]
//
// There is no checksum and no length: TCP keeps the order, and the kind determines the length. The robot sends
// nothing until the first command has arrived. Then it sends repeatedly on its own, as fast as its radio module
// gets data from its main processor, and executes the last command each time, including a melody or a calibration in
// it.
//
// # Sources
//
// The radio module's firmware (e-puck2_esp32_wifi: socket_e-puck2.c, the state machine of the connection;
// uart_e-puck2.c, which passes 19 bytes of the command to the main processor and appends the button to the response)
// and the main processor's (e-puck2_main-processor, master d2e0dbb: src/epuck1x/Asercom2.c, commands 0x8 and 0x9).
// GCtronic's wiki, page "e-puck2 PC side development", section WiFi, describes the same packets. The wiki and public
// clients (gctronic/epuck_driver_cpp, branch e-puck2_wifi; unifr_api_epuck) number the bytes of the sensors from 0
// without the kind, as this package does.
//
// The package is a codec without connections.
package packet

import "errors"

// Port is the TCP port of a robot.
const Port = 1000

// The errors that this package wraps, with the invalid value.
var (
	// errLength is matched when a packet has not the length of its kind.
	errLength = errors.New("packet: wrong length")
	// errID is matched when a command does not begin with [CommandID].
	errID = errors.New("packet: no command")
	// errKind is matched when a robot's packet begins with an unknown kind.
	errKind = errors.New("packet: unknown kind of packet")
)
