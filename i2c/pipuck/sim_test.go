// SPDX-License-Identifier: Apache-2.0

package pipuck_test

import (
	"fmt"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"

	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vft903"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// board is the LEDs' device on a virtual chip whose reset line is a virtual pin.
type board struct {
	*testing.T
	now  time.Duration
	chip *vft903.Chip
	bus  *vbus.Bus
	dev  *pipuck.Dev
	seen map[string]int
}

func newBoard(t *testing.T) *board {
	t.Helper()
	b := &board{T: t, seen: map[string]int{}}
	b.chip = vft903.New(vft903.Config{Now: func() time.Duration { return b.now }, BootTime: 500 * time.Millisecond})
	b.bus = vbus.New(vbus.Config{Seed: 1})
	if err := b.bus.Attach(vft903.Address, b.chip); err != nil {
		t.Fatal(err)
	}
	var err error
	if b.dev, err = pipuck.New(b.bus, pipuck.Addr, nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// run polls every 20 ms.
func (b *board) run(d time.Duration) {
	for end := b.now + d; b.now < end; b.now += 20 * time.Millisecond {
		now := time.Unix(0, int64(b.now))
		e, _ := i2cfake.Event(b.dev, func() error { return b.dev.Poll(now) })
		b.seen[e]++
		if b.chip.DFU() {
			b.Fatalf("waits for new firmware at %v", b.now)
		}
	}
}

func (b *board) wants(colours ...pipuck.Colour) {
	b.Helper()
	for i, c := range colours {
		if got := pipuck.Colour(b.chip.LED(i)); got != c {
			b.Errorf("at %v LED %d is %v, want %v", b.now, i, got, c)
		}
	}
}

func (b *board) set(colours ...pipuck.Colour) {
	for i, c := range colours {
		if err := b.dev.Set(i, c); err != nil {
			b.Fatal(err)
		}
	}
}

// TestBoard: from power-on through changes and a reset by another program.
func TestBoard(t *testing.T) {
	b := newBoard(t)
	b.set(pipuck.Red, pipuck.Green, pipuck.Blue)
	b.run(1200 * time.Millisecond)
	b.wants(pipuck.Red, pipuck.Green, pipuck.Blue)
	b.set(pipuck.White, pipuck.Off, pipuck.Yellow)
	b.run(100 * time.Millisecond)
	b.wants(pipuck.White, pipuck.Off, pipuck.Yellow)

	b.chip.Restart() // without notice: for three seconds it loses what is written, then one LED per second is refreshed
	b.run(7 * time.Second)
	b.wants(pipuck.White, pipuck.Off, pipuck.Yellow)
	if b.seen["found"] != 1 || b.seen["lost"] != 0 {
		t.Error(b.seen)
	}
	if err := b.dev.Halt(); err != nil {
		t.Error(err)
	}
	b.wants(pipuck.Off, pipuck.Off, pipuck.Off)
}

// TestBadBus: with faults of every kind, restarts of the chip included, no corrupted byte starts a firmware update:
// that requires eight inverted bits. In the end the LEDs are right.
func TestBadBus(t *testing.T) {
	b := newBoard(t)
	if err := b.bus.Faults().SetRates(vbus.Rates{NAK: .1, DataNAK: .1, Timeout: .1, CorruptWrite: .1, Restart: .02}); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		c := pipuck.Colour(i & 7)
		b.set(c, 7-c, c)
		b.run(time.Second)
	}
	_ = b.bus.Faults().SetRates(vbus.Rates{})
	b.run(8 * time.Second)
	b.wants(pipuck.Yellow, pipuck.Blue, pipuck.Yellow)
}

// LED 0 in the colour of a ROS message, 0xRRGGBB. On a robot the bus is channel 0 of the multiplexer.
func ExampleDev() {
	chip := vft903.New(vft903.Config{})
	bus := vbus.New(vbus.Config{})
	_ = bus.Attach(vft903.Address, chip)
	leds, err := pipuck.New(bus, pipuck.Addr, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = leds.Set(0, pipuck.ColourOf(0xFF8000))
	err = leds.Poll(time.Now())
	fmt.Printf("%v %v %v %03b\n", leds.Present(), err, leds.Colour(0), chip.LED(0))
	// Output: true <nil> yellow 011
}

// A press of the button, polled every 20 ms.
func ExampleButton() {
	pin := vgpio.New(pipuck.PinButton) // on a robot: periph's gpioreg.ByName("GPIO6")
	button, err := pipuck.NewButton(pin, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Now()
	for i := range 10 {
		if i == 3 {
			pin.Drive(gpio.Low)
		}
		if e := button.Poll(now.Add(time.Duration(i) * 20 * time.Millisecond)); e != pipuck.ButtonNone {
			fmt.Println(i, e)
		}
	}
	// Output: 5 pressed
}
