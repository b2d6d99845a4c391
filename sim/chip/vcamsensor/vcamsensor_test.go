// SPDX-License-Identifier: Apache-2.0

package vcamsensor_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

var (
	_ vbus.StopSensitive = (*vcamsensor.OV7670)(nil)
	_ vbus.Restarter     = (*vcamsensor.OV7670)(nil)
	_ vbus.Chip          = (*vcamsensor.PO)(nil)
	_ vbus.Restarter     = (*vcamsensor.PO)(nil)
)

func write(c vbus.Chip, pairs ...byte) {
	for i := 0; i+1 < len(pairs); i += 2 {
		c.Receive(pairs[i : i+2])
	}
}

func read(c vbus.Chip, reg byte, n int) []byte {
	p := make([]byte, n)
	c.Receive([]byte{reg})
	c.Transmit(p)
	return p
}

// makers is the sequence of the robot's maker for the OV7670, without the reset.
var makers = []byte{
	0x11, 0x80, 0x3A, 0x04, 0x12, 0x00, 0x40, 0xC0, 0x3D, 0x00, 0xB0, 0x84, 0x17, 0x13, 0x18, 0x01, 0x32, 0x36, 0x19, 0x02,
	0x1A, 0x7A, 0x03, 0x0A, 0x2A, 0x00, 0x2B, 0x5B, 0x92, 0x22, 0x93, 0x01,
}

func TestOV7670(t *testing.T) {
	c := vcamsensor.NewOV7670(nil)
	if o := c.Output(); o.Usable() || o.Width != 640 || math.Abs(o.Rate-26.25) > 0.1 {
		t.Errorf("after power-on: %+v", o)
	}
	write(c, makers...)
	o := c.Output()
	if !o.Usable() || math.Abs(o.Rate-15) > 1e-9 || o != (vcamsensor.Output{YUYV: true, Width: 640, Height: 480, Rate: o.Rate}) {
		t.Errorf("%+v", o)
	}
	for name, spoil := range map[string][]byte{
		"clock divided": {0x11, 0x81}, "UYVY": {0x3A, 0x0C}, "V before U": {0x3D, 0x01}, "RGB": {0x12, 0x04}, "QVGA": {0x12, 0x10},
		"range": {0x40, 0x00}, "RGB565": {0x40, 0xD0}, "colours": {0xB0, 0x00}, "columns": {0x18, 0x02}, "rows": {0x1A, 0x79},
		"rate": {0x93, 0x00}, "scaling": {0x0C, 0x08},
	} {
		c.Restart()
		write(c, makers...)
		if write(c, spoil...); c.Output().Usable() {
			t.Errorf("%s: still usable: %+v", name, c.Output())
		}
	}
}

// TestOV7670Manual: each automatic function off, with its registers.
func TestOV7670Manual(t *testing.T) {
	c := vcamsensor.NewOV7670(nil)
	write(c, makers...)
	write(c, 0x13, 0x88, 0x10, 0x19, 0x04, 0x02, 0x00, 0x1F, 0x03, 0x4A, 0x01, 0x40, 0x02, 0x60, 0x1E, 0x31, 0x42, 0x08)
	want := vcamsensor.Output{
		YUYV: true, Width: 640, Height: 480, Rate: 15, Mirror: true, Flip: true, Bars: true,
		Exposure: 8500 * time.Microsecond, Gain: 4 * 31.0 / 16, Red: 1.5, Green: 1, Blue: 1,
	}
	if o := c.Output(); o != want {
		t.Errorf("%+v, want %+v", o, want)
	}
}

// TestOV7670Reset: registers go back, and what is written meanwhile is lost without a sign.
func TestOV7670Reset(t *testing.T) {
	now := time.Duration(0)
	c := vcamsensor.NewOV7670(func() time.Duration { return now })
	write(c, makers...)
	write(c, 0x12, 0x80)
	if n := c.Receive([]byte{0x3A, 0x04}); n != 2 || c.Register(0x3A) != 0x0D || !c.Ready() {
		t.Error("writes during the reset are acknowledged and lost", n, c.Register(0x3A))
	}
	now += 200 * time.Millisecond
	if write(c, makers...); !c.Output().Usable() {
		t.Error(c.Output())
	}
	write(c, 0x0A, 0, 0x0B, 0, 0x1C, 0, 0x1D, 0)
	if id := read(c, 0x0A, 1)[0]; id != 0x76 || c.Register(0x0B) != 0x73 || c.Register(0x1C) != 0x7F || c.Register(0x1D) != 0xA2 {
		t.Error("the identity can be written")
	}
}

// TestSCCB: on the bus, a register is read after a stop only, one at a time.
func TestSCCB(t *testing.T) {
	bus := vbus.New(vbus.Config{})
	c := vcamsensor.NewOV7670(nil)
	if err := bus.Attach(vcamsensor.AddressOV, c); err != nil {
		t.Fatal(err)
	}
	r := make([]byte, 2)
	if err := bus.Tx(vcamsensor.AddressOV, []byte{0x0A}, r); !errors.Is(err, system.EREMOTEIO) {
		t.Error("a repeated start:", err)
	}
	if err := errors.Join(bus.Tx(vcamsensor.AddressOV, []byte{0x0A}, nil), bus.Tx(vcamsensor.AddressOV, nil, r)); err != nil || r[0] != 0x76 || r[1] != 0x76 {
		t.Error(err, r)
	}
	c.Power(false)
	if err := bus.Tx(vcamsensor.AddressOV, nil, r); err == nil || c.Output() != (vcamsensor.Output{}) {
		t.Error("without power:", err, c.Output())
	}
	write(c, 0x3A, 0x04)
	c.Power(true)
	if c.Disturbed(); c.Register(0x3A) != 0x0D || c.Receive(nil) != 0 {
		t.Error("a sensor that was off keeps its registers")
	}
}

// poMakers is the maker's sequence for the PO8030.
var poMakers = []byte{
	3, 0, 0x5B, 0, 8, 0, 9, 1, 10, 0, 11, 1, 12, 2, 13, 0x80, 14, 1, 15, 0xE0, 3, 1, 0x93, 0x20, 0x94, 0x20, 0x4E, 2, 0xB7, 0,
	3, 0, 0x11, 0x0A, 4, 3, 5, 0x6A, 6, 3, 7, 0x1F,
}

func TestPO8030(t *testing.T) {
	c := vcamsensor.NewPO(vcamsensor.PO8030)
	if c.Output().Usable() {
		t.Errorf("after power-on: %+v", c.Output())
	}
	write(c, poMakers...)
	if o := c.Output(); !o.Usable() || o != (vcamsensor.Output{YUYV: true, Width: 640, Height: 480, Rate: 15}) {
		t.Errorf("%+v", o)
	}
	for name, spoil := range map[string][]byte{
		"format": {3, 1, 0x4E, 0}, "scale": {3, 1, 0x93, 0x40}, "window": {3, 0, 13, 0x7F}, "height": {3, 0, 11, 2},
		"rate": {3, 0, 6, 2}, "pads": {3, 0, 0x5B, 1}, "synchronisation": {3, 1, 0xB7, 1}, "first row": {3, 0, 0x11, 3},
	} {
		c.Restart()
		write(c, poMakers...)
		if write(c, spoil...); c.Output().Usable() {
			t.Errorf("%s: still usable: %+v", name, c.Output())
		}
	}
	c.Restart()
	write(c, poMakers...)
	write(c, 3, 2, 4, 0x9F, 3, 0, 0x17, 0, 0x18, 120, 0x19, 0x80, 0x23, 0x60, 0x24, 0x40, 0x25, 0x20, 0x6C, 0xC0)
	want := vcamsensor.Output{
		YUYV: true, Width: 640, Height: 480, Rate: 15, Mirror: true, Flip: true,
		Exposure: 10041667 * time.Nanosecond, Red: 1.5, Green: 1, Blue: 0.5,
	}
	if o := c.Output(); o != want {
		t.Errorf("%+v, want %+v", o, want)
	}
}

// TestPOBanks: the first registers are the same everywhere, the others are not.
func TestPOBanks(t *testing.T) {
	for _, id := range []vcamsensor.Identity{vcamsensor.PO3030, vcamsensor.PO6030, vcamsensor.PO8030} {
		c := vcamsensor.NewPO(id)
		for bank := range byte(4) {
			write(c, 3, bank, 0x20, 0x30+bank, 0, 0xEE, 1, 0xEE)
			if p := read(c, 0, 4); p[0] != byte(id>>8) || p[1] != byte(id) || p[3] != bank {
				t.Errorf("%#x bank %d: % x", id, bank, p)
			}
		}
		for bank := range byte(4) {
			write(c, 3, bank)
			if v := read(c, 0x20, 1)[0]; v != 0x30+bank || c.Register(bank, 0x20) != v {
				t.Errorf("bank %d: %#02x", bank, v)
			}
		}
	}
	if o := vcamsensor.NewPO(vcamsensor.PO6030).Output(); o.Usable() {
		t.Error(o)
	}
	c := vcamsensor.NewPO(vcamsensor.PO8030)
	write(c, poMakers...)
	c.Power(false)
	if c.Ready() || c.Output().Usable() {
		t.Error("without power")
	}
	c.Power(true)
	if c.Disturbed(); !c.Ready() || c.Output().Usable() || c.Receive(nil) != 0 {
		t.Error("a sensor that was off keeps its registers")
	}
}

func ExampleOV7670() {
	c := vcamsensor.NewOV7670(nil)
	o := c.Output()
	fmt.Printf("%d×%d, %.1f/s, usable %v\n", o.Width, o.Height, o.Rate, o.Usable())
	write(c, makers...)
	o = c.Output()
	fmt.Printf("%d×%d, %.1f/s, usable %v\n", o.Width, o.Height, o.Rate, o.Usable())
	// Output:
	// 640×480, 26.3/s, usable false
	// 640×480, 15.0/s, usable true
}
