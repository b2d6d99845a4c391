// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"encoding/binary"
	"fmt"
)

// CommandSize is the length of a command packet, bytes.
const CommandSize = 20

// LEDs is the set of the red LEDs that are on. The body and front LEDs are not reachable over I2C.
type LEDs uint8

// The red LEDs, by the labels on the robot, clockwise from the front (ROS names led0, led2, led4, led6).
const (
	LED1 LEDs = 1 << iota // front
	LED3                  // right
	LED5                  // back
	LED7                  // left

	allLEDs = LED1 | LED3 | LED5 | LED7
)

// RGB is the colour of one RGB LED, each part 0 to 100 percent.
type RGB struct{ R, G, B uint8 }

// maxPercent is full brightness; the firmware interprets larger values (it sends 101 itself) as "no change".
const maxPercent = 100

// RGBFromHex converts 0xRRGGBB to percent, rounded to the nearest; higher bits are ignored.
func RGBFromHex(rrggbb uint32) RGB {
	percent := func(b uint32) uint8 { return uint8((b&0xFF*maxPercent + 127) / 255) }
	return RGB{percent(rrggbb >> 16), percent(rrggbb >> 8), percent(rrggbb)}
}

// Settings are the bits of byte 18.
type Settings uint8

// The settings bits the firmware acts on.
const (
	// CalibrateIR makes the firmware measure the proximity offsets for about a second. Send it by [Dev.CalibrateIR].
	CalibrateIR Settings = 1 << 0
	// obstacleAvoidance is defined in the firmware and has no effect.
	obstacleAvoidance Settings = 1 << 1
	// SetSteps means that bytes 0–3 are step counters to be set; the speeds do not change. Send it by [Dev.SetSteps].
	SetSteps Settings = 1 << 2

	allSettings = CalibrateIR | obstacleAvoidance | SetSteps
)

// NumMelodies is the number of melodies the firmware has: 1 Mario, 2 Underworld, 3 Star Wars.
const NumMelodies = 3

// Command is the decoded 20-byte packet from the Pi to the MCU. The zero value stops the wheels and turns all LEDs
// off.
type Command struct {
	Left, Right Speed    // wheel speeds, steps/s; with [SetSteps] the step counters to set, steps
	Melody      uint8    // 1–3 starts a melody, 0 none; there is no way to stop one
	LEDs        LEDs     // red LEDs that are lit
	RGB         [4]RGB   // LED2 front right, LED4 back right, LED6 back left, LED8 front left (ROS led1, 3, 5, 7)
	Settings    Settings // one-shot settings
}

// Validate returns an [ErrCommand] for the first field that is out of range. Any speed is valid: the firmware clips it.
func (c *Command) Validate() error {
	if c.Melody > NumMelodies {
		return fmt.Errorf("%w: melody %d (byte 4) is not 0 to %d", ErrCommand, c.Melody, NumMelodies)
	}
	if c.LEDs&^allLEDs != 0 {
		return fmt.Errorf("%w: LED bits %#02x (byte 5) are not within %#02x", ErrCommand, uint8(c.LEDs), uint8(allLEDs))
	}
	for i, l := range c.RGB {
		if l.R > maxPercent || l.G > maxPercent || l.B > maxPercent {
			return fmt.Errorf("%w: RGB LED %d is %v (bytes %d to %d), percent are 0 to 100", ErrCommand, 2+2*i, l, 6+3*i, 8+3*i)
		}
	}
	if c.Settings&^allSettings != 0 {
		return fmt.Errorf("%w: settings %#02x (byte 18) are not within %#02x", ErrCommand, uint8(c.Settings), uint8(allSettings))
	}
	return nil
}

// Put writes the packet with its checksum, without validation: see [Command.Validate].
func (c *Command) Put(p *[CommandSize]byte) {
	binary.LittleEndian.PutUint16(p[0:], uint16(c.Left))
	binary.LittleEndian.PutUint16(p[2:], uint16(c.Right))
	p[4] = c.Melody
	p[5] = byte(c.LEDs)
	for i, l := range c.RGB {
		p[6+3*i], p[7+3*i], p[8+3*i] = l.R, l.G, l.B
	}
	p[18] = byte(c.Settings)
	p[19] = checksum(p[:19])
}

// Append validates the command and appends its 20 bytes to dst; on an error dst is returned as it was.
func (c *Command) Append(dst []byte) ([]byte, error) {
	if err := c.Validate(); err != nil {
		return dst, err
	}
	var p [CommandSize]byte
	c.Put(&p)
	return append(dst, p[:]...), nil
}

// DecodeCommand decodes and validates a command packet, for a simulated MCU or a bus listener.
func DecodeCommand(p []byte) (Command, error) {
	if len(p) != CommandSize {
		return Command{}, fmt.Errorf("%w: command has %d bytes, not %d", errLength, len(p), CommandSize)
	}
	if sum := checksum(p[:19]); sum != p[19] {
		return Command{}, fmt.Errorf("%w: command byte 19 is %#02x, bytes 0 to 18 give %#02x", ErrChecksum, p[19], sum)
	}
	c := Command{
		Left:     Speed(binary.LittleEndian.Uint16(p[0:])),
		Right:    Speed(binary.LittleEndian.Uint16(p[2:])),
		Melody:   p[4],
		LEDs:     LEDs(p[5]),
		Settings: Settings(p[18]),
	}
	for i := range c.RGB {
		c.RGB[i] = RGB{p[6+3*i], p[7+3*i], p[8+3*i]}
	}
	if err := c.Validate(); err != nil {
		return Command{}, err
	}
	return c, nil
}

// checksum is the firmware's "longitudinal redundancy check": the XOR of all bytes, from 0.
func checksum(p []byte) byte {
	var x byte
	for _, b := range p {
		x ^= b
	}
	return x
}
