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
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/world"
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
		r := newRig(t, rigOptions{config: func(c *Config) { c.BoardBus = bus }})
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

func TestBoardLEDsOfTheSimulatedRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r *rig
		o := everything(1)
		r = newRig(t, rigOptions{sim: o.sim, noStart: true})
		d, err := New(Config{Bus: r.robot.Bus(), BoardBus: r.robot.BoardBus(), Node: r.secondNode("board_driver")})
		r.must(err)
		defer func() { r.must(d.Close()) }()
		go func() { _ = d.Run(t.Context()) }()
		listens := func() bool {
			for _, e := range d.node.Graph().EndpointsOf(d.node.Name()) {
				if e.Topic == "/pi_led0" && e.Kind == ros2.SubscriptionEndpoint {
					return true
				}
			}
			return false
		}
		for _, there := range []bool{true, false, true} {
			if there {
				r.must(r.robot.AddPart(world.LEDs))
			} else {
				r.must(r.robot.RemovePart(world.LEDs))
			}
			time.Sleep(10 * time.Second)
			if listens() != there {
				t.Errorf("pi_led0 is subscribed: %v", !there)
			}
		}
	})
}

// A panic on the board's goroutine ends Run, as one on the robot's does, with the wheels stopped.
func TestPanicOnBoardGoroutineStopsWheels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := &boardBus{}
		r := newRig(t, rigOptions{config: func(c *Config) { c.BoardBus = bus }})
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

// secondNode is another node on the rig's network.
func (r *rig) secondNode(name string) *ros2.Node {
	r.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: r.transport})
	r.must(err)
	r.Cleanup(func() { r.must(n.Close()) })
	return n
}
