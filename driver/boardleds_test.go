// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// boardBus is the bus of a board with nothing but LEDs on it.
type boardBus struct {
	mu   sync.Mutex
	leds [pipuck.LEDs]byte
	bad  func() // what happens instead
}

func (*boardBus) String() string                  { return "board" }
func (*boardBus) SetSpeed(physic.Frequency) error { return nil }
func (b *boardBus) Tx(addr uint16, w, _ []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bad != nil {
		b.bad()
	}
	if addr != pipuck.Addr {
		return io.ErrUnexpectedEOF
	}
	if len(w) == 2 && w[0] < pipuck.LEDs {
		b.leds[w[0]] = w[1]
	}
	return nil
}

func (b *boardBus) shows() [pipuck.LEDs]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.leds
}

// The topics of the board's LEDs exist while the board answers, and set the LEDs.
func TestBoardLEDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := &boardBus{}
		r := newRig(t, rigOptions{config: func(c *Config) { chipsOf(c).BoardBus = bus }})
		time.Sleep(3 * time.Second)
		for i, colour := range []int32{0xFF0000, 0x00FF00, 0x0000FF} {
			publish(r, []string{"pi_led0", "pi_led1", "pi_led2"}[i], &std_msgs.Int32{Data: colour})
		}
		time.Sleep(time.Second)
		if got := bus.shows(); got != [3]byte{1, 2, 4} {
			t.Errorf("LEDs show %v", got)
		}
		publish(r, "pi_led1", &std_msgs.Int32{Data: 0})
		time.Sleep(time.Second)
		if got := bus.shows(); got != [3]byte{1, 0, 4} {
			t.Errorf("LEDs show %v", got)
		}
		r.must(r.end())
		if got := bus.shows(); got != [3]byte{} {
			t.Errorf("LEDs show %v after the end", got)
		}
	})
}

// A panic on the board's goroutine ends Run, as one on the robot's does, with the wheels stopped.
func TestPanicOnBoardGoroutineStopsWheels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := &boardBus{}
		r := newRig(t, rigOptions{config: func(c *Config) { chipsOf(c).BoardBus = bus }})
		r.drive(0.1, 0, time.Second)
		bus.mu.Lock()
		bus.bad = func() {
			bus.bad = nil
			panic("board")
		}
		bus.mu.Unlock()
		err := <-r.ended
		if err == nil {
			t.Error("Run continues")
		}
		r.wantAtRest()
	})
}
