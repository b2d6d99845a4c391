// SPDX-License-Identifier: Apache-2.0

package packet

import (
	"encoding/binary"
	"fmt"
)

const (
	// CommandSize is the length of a command, bytes.
	CommandSize = 21
	// CommandID is the first byte of each command.
	CommandID = 0x80
)

// Request is the requested content of the robot's answers.
type Request uint8

// The bits of byte 1. A command without any of its eight bits is answered by an empty packet; one with neither of these
// two, but another, is not answered at all (socket_e-puck2.c, state 3).
const (
	RequestPicture Request = 1 << 0 // first of the two
	RequestSensors Request = 1 << 1
)

// Settings are the bits of byte 2.
type Settings uint8

// The settings that the main processor acts on (Asercom2.c, command 0x9).
const (
	// CalibrateIR measures the offsets of the infrared sensors for a second; the robot answers nothing meanwhile, and
	// its wheels keep their speed.
	CalibrateIR Settings = 1 << 0
	// ObstacleAvoidance makes the robot turn away from obstacles by itself, as long as it is set.
	ObstacleAvoidance Settings = 1 << 1
	// SetSteps makes Left and Right step counters to be set; the speeds stay as they were.
	SetSteps Settings = 1 << 2
)

// LEDs are the bits of byte 7.
type LEDs uint8

// The LEDs that are on or off, by the robot's print.
const (
	LED1     LEDs = 1 << iota // front
	LED3                      // right
	LED5                      // back
	LED7                      // left
	LEDBody                   // the green one inside
	ledFront                  // the red one next to the camera
)

// Sound are the bits of byte 20. Each interrupts the current sound and starts.
type Sound uint8

// The sounds.
const (
	SoundMario Sound = 1 << iota
	SoundUnderworld
	SoundStarWars
	sound4kHz
	sound10kHz
	soundStop
)

// RGB is the colour of one RGB LED, each part 0 to 100 percent; with larger values the radio module does not change
// the LED.
type RGB struct{ R, G, B uint8 }

// Command is a decoded command. All values of all fields can be encoded.
type Command struct {
	Request     Request
	Settings    Settings
	Left, Right int16 // wheel speeds, steps/s, 1000 are a turn; with [SetSteps] the step counters to set, steps
	LEDs        LEDs
	RGB         [4]RGB // LED2 front right, LED4 back right, LED6 back left, LED8 front left
	Sound       Sound
}

// Put writes the packet.
func (c *Command) Put(p *[CommandSize]byte) {
	p[0], p[1], p[2] = CommandID, byte(c.Request), byte(c.Settings)
	binary.LittleEndian.PutUint16(p[3:], uint16(c.Left))
	binary.LittleEndian.PutUint16(p[5:], uint16(c.Right))
	p[7] = byte(c.LEDs)
	for i, l := range c.RGB {
		p[8+3*i], p[9+3*i], p[10+3*i] = l.R, l.G, l.B
	}
	p[20] = byte(c.Sound)
}

// DecodeCommand decodes a command. It fails if p has not [CommandSize] bytes or does not begin with [CommandID]; the
// error names the length or the first byte. A robot also accepts a command with another first byte, unless it is the
// first one of a connection: see package cosim/wifi.
func DecodeCommand(p []byte) (Command, error) {
	if len(p) != CommandSize {
		return Command{}, fmt.Errorf("%w: a command has %d bytes, not %d", errLength, CommandSize, len(p))
	}
	if p[0] != CommandID {
		return Command{}, fmt.Errorf("%w: it begins with %#02x, not %#02x", errID, p[0], CommandID)
	}
	c := Command{
		Request: Request(p[1]), Settings: Settings(p[2]),
		Left: int16(binary.LittleEndian.Uint16(p[3:])), Right: int16(binary.LittleEndian.Uint16(p[5:])),
		LEDs: LEDs(p[7]), Sound: Sound(p[20]),
	}
	for i := range c.RGB {
		c.RGB[i] = RGB{p[8+3*i], p[9+3*i], p[10+3*i]}
	}
	return c, nil
}
