// SPDX-License-Identifier: Apache-2.0

package vcamsensor

// Identity is the number of a Pixelplus sensor.
type Identity uint16

// The sensors.
const (
	PO3030 Identity = 0x3030
	PO6030 Identity = 0x6030
	PO8030 Identity = 0x8030
)

const bankRegister = 0x03

// poDefaults are registers of a PO8030 after power-on: bank, register, value. The true ones are not known; these make a
// picture that is not the one that is needed.
var poDefaults = [...][3]byte{
	{0, 0x04, 0x03}, {0, 0x05, 0x0F}, {0, 0x06, 0x01}, {0, 0x07, 0xFF}, // a frame of 784×512
	{0, 0x09, 1}, {0, 0x0B, 1}, {0, 0x0C, 0x02}, {0, 0x0D, 0x80}, {0, 0x0E, 0x01}, {0, 0x0F, 0xE0},
	{0, 0x18, 0x80}, {0, 0x23, 0x5E}, {0, 0x24, 0x40}, {0, 0x25, 0x5D}, {0, 0x5B, 0x01}, {0, 0x6C, 0x02},
	{1, 0x93, 0x20}, {1, 0x94, 0x20}, {1, 0xB7, 0x01}, {2, 0x04, 0x98},
}

// PO is a Pixelplus sensor. Only the PO8030 has registers in addition to its identity here. Its bus calls it from one
// goroutine at a time; the other methods must be called from there too.
type PO struct {
	id      Identity
	banks   [4][256]byte
	bank    byte
	pointer byte
	off     bool
}

// NewPO makes a sensor that has its power.
func NewPO(id Identity) *PO {
	c := &PO{id: id}
	c.Restart()
	return c
}

// Restart puts the sensor into its state at power-on.
func (c *PO) Restart() {
	c.banks, c.bank, c.pointer = [4][256]byte{}, 0, 0
	if c.id == PO8030 {
		for _, d := range poDefaults {
			c.banks[d[0]][d[1]] = d[2]
		}
	}
}

// Power switches the sensor on or off.
func (c *PO) Power(on bool) {
	if on && c.off {
		c.Restart()
	}
	c.off = !on
}

// Register gives what a register of a bank, 0 to 3 for A to D, holds.
func (c *PO) Register(bank, reg byte) byte { return c.banks[bank&3][reg] }

// Ready reports whether the sensor acknowledges its address.
func (c *PO) Ready() bool { return !c.off }

// Receive takes a register's number and perhaps its value. The first registers are the same in all banks.
func (c *PO) Receive(w []byte) int {
	if len(w) == 0 {
		return 0
	}
	c.pointer = w[0]
	if len(w) == 1 {
		return 1
	}
	switch {
	case w[0] < bankRegister:
	case w[0] == bankRegister:
		c.bank = w[1] & 3
	default:
		c.banks[c.bank][w[0]] = w[1]
	}
	return len(w)
}

// Transmit sends registers from the chosen one on.
func (c *PO) Transmit(r []byte) {
	for i := range r {
		switch c.pointer {
		case 0:
			r[i] = byte(c.id >> 8)
		case 1:
			r[i] = byte(c.id)
		case bankRegister:
			r[i] = c.bank
		default:
			r[i] = c.banks[c.bank][c.pointer]
		}
		c.pointer++
	}
}

// Disturbed does nothing: the sensor keeps no message.
func (c *PO) Disturbed() {}

// word is two registers of bank A.
func (c *PO) word(reg byte) int { return int(c.banks[0][reg])<<8 | int(c.banks[0][reg+1]) }

// Output computes the picture. A sensor without power, and one that is no PO8030, gives none.
func (c *PO) Output() Output {
	if c.off || c.id != PO8030 {
		return Output{}
	}
	a, b, auto := &c.banks[0], &c.banks[1], c.banks[2][0x04]
	length, height := c.word(0x04)+1, c.word(0x06)+1
	const whole = 0x20 // scale
	o := Output{
		Width:  (c.word(0x0C) - c.word(0x08) + 1) * whole / max(1, int(b[0x93])),
		Height: (c.word(0x0E) - c.word(0x0A) + 1) * whole / max(1, int(b[0x94])),
		Rate:   clock / float64(2*length*height),
		Flip:   a[0x6C]&0x80 != 0, Mirror: a[0x6C]&0x40 != 0,
		// Y Cb Y Cr, pads on, synchronisation as the FT903 wants it.
		YUYV: b[0x4E] == 0x02 && a[0x5B] == 0 && b[0xB7] == 0 && a[0x11] == 0x0A,
	}
	if auto&0x03 == 0x03 {
		o.Exposure = rows(float64(c.word(0x17))+float64(float64(a[0x19])/256), length)
	}
	if auto&0x04 != 0 {
		o.Red, o.Green, o.Blue = float64(a[0x23])/64, float64(a[0x24])/64, float64(a[0x25])/64
	}
	return o
}
