// SPDX-License-Identifier: Apache-2.0

// Package wire reads and writes the bytes of TraCI, SUMO's protocol for programs that control a simulation:
// messages of commands, big-endian, with typed values. It knows no simulation.
package wire

import "errors"

// Types of values.
const (
	LonLat      byte = 0x00
	Position2D  byte = 0x01
	LonLatAlt   byte = 0x02
	Position3D  byte = 0x03
	RoadMap     byte = 0x04
	Polygon     byte = 0x06
	UnsignedB   byte = 0x07
	Byte        byte = 0x08
	integer     byte = 0x09
	DoubleType  byte = 0x0B
	StringType  byte = 0x0C
	stringList  byte = 0x0E
	compound    byte = 0x0F
	doubleList  byte = 0x10
	ColourType  byte = 0x11
	lengthBytes      = 4
	longHead         = 6 // 0, int32 length, id
	shortHead        = 2
)

// What stands for no value.
const (
	NoDouble = -1073741824.0
	noInt    = -1073741824
)

// Results of a command.
const (
	OK             byte = 0x00
	NotImplemented byte = 0x01
	Failed         byte = 0xFF
)

// maxMessage is the longest message that is read, bytes: a polygon of a hundred thousand corners fits.
const maxMessage = 4 << 20

// Errors of this package.
var (
	// ErrShort: the bytes end too early.
	ErrShort = errors.New("traci: truncated")
	// ErrLength: a length that can't be.
	ErrLength = errors.New("traci: length")
	// ErrType: a value of another type than the one that is due.
	ErrType = errors.New("traci: type")
)

// Command is one command of a message.
type Command struct {
	ID   byte
	Body []byte // what follows the id
}
