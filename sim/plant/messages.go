// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
)

const (
	// MessagePeriod is how often robots exchange infrared messages.
	MessagePeriod = 100 * time.Millisecond
	// MaxMessage is the longest message between robots, bytes.
	MaxMessage = 16
	// cyclesPerMessage is the same in infrared cycles.
	cyclesPerMessage = int64(MessagePeriod / vmcu.SamplePeriod)
)

// Heard is a message of another robot and where it came from, measured by the infrared sensors around the body.
type Heard struct {
	// Range is the distance between the middles of the two robots, m.
	Range float64
	// Bearing is the direction in the robot's frame, rad, anticlockwise from forward, in (−π, π].
	Bearing float64
	// Payload is what was sent. It is valid until the next exchange.
	Payload []byte
}

// utterance is a message to be sent.
type utterance struct {
	n    int8 // −1: none
	data [MaxMessage]byte
}

// transceiver holds the infrared messages that a robot sends and receives. Messages are exchanged by all robots at
// once, every MessagePeriod; each is sent once.
type transceiver struct {
	next, now utterance // said since the last exchange; being sent
	listens   bool      // hears at every exchange
	heardAt   int64     // infrared cycle that heard is of
	heard     []Heard
	senders   []int32 // scratch
	error     noise.Source
}

func newTransceiver(src noise.Source) transceiver {
	return transceiver{next: utterance{n: -1}, now: utterance{n: -1}, heardAt: -1, error: src}
}

// Say keeps a message for the next exchange, at most MaxMessage bytes, else ErrRange. The latest one counts.
func (u *Unit) Say(payload []byte) error {
	t := &u.rab
	if len(payload) > MaxMessage {
		return fmt.Errorf("%w: message of %d bytes, at most %d", scene.ErrRange, len(payload), MaxMessage)
	}
	t.next.n = int8(copy(t.next.data[:], payload))
	if !u.world.spoken.Load() {
		u.world.spoken.Store(true)
	}
	return nil
}

// silent reports whether nothing is to be sent.
func (t *transceiver) silent() bool { return t.next.n < 0 && t.now.n < 0 }

// exchangeMessages delivers the messages that robots have sent to the robots that listen and are in reach.
func (x *World) exchangeMessages() {
	there := 0 // for those who listen, if nothing is said
	if x.spoken.Swap(false) {
		there = x.utter()
	}
	x.air.Sort(there, func(i int) (geom.Vec, bool) {
		u := x.units[i]
		return u.sampled.Position(), !u.sampledInAir
	})
	x.aired = true
	if x.listening.Load() > 0 {
		x.Kernel.Each(len(x.units), x.listen)
	}
}

// utter begins the transmission of the messages of all units, and returns their number if one has a message. If
// so, the next exchange has something to do, too: to end it.
func (x *World) utter() (there int) {
	for _, u := range x.units {
		t := &u.rab
		if u.Dead() {
			t.next.n = -1
		}
		t.now = t.next
		t.next.n = -1
		if t.now.n >= 0 {
			there = len(x.units)
		}
	}
	x.spoken.Store(there > 0)
	return there
}

// Heard returns what the robot hears in the latest exchange. The slice is valid until the next one.
func (u *Unit) Heard() []Heard {
	t, x := &u.rab, u.world
	cycle := x.Kernel.Cycle()
	if t.heardAt == cycle || cycle%cyclesPerMessage != 0 {
		return t.heard
	}
	t.heardAt = cycle
	t.heard = t.heard[:0]
	if u.sampledInAir || u.Dead() {
		return t.heard
	}
	at, around := u.sampled.Position(), x.grid.Crowd()
	if x.aired {
		around = &x.air
	}
	t.senders = around.Around(at, x.medium.Range+physics.BodyRadius, t.senders[:0])
	for _, n := range t.senders {
		o := x.units[n]
		if o == u || o.rab.now.n < 0 || o.sampledInAir {
			continue
		}
		if h, ok := u.receive(o, at, uint64(cycle)); ok {
			t.heard = append(t.heard, h)
		}
	}
	u.trace.Receive(cycle, len(t.heard), func(i int) (distance, bearing float64, payload []byte) {
		h := &t.heard[i]
		return h.Range, h.Bearing, h.Payload
	})
	return t.heard
}

// receive measures where o's message comes from, if it arrives.
func (u *Unit) receive(o *Unit, at geom.Vec, n uint64) (Heard, bool) {
	medium := &u.world.medium
	way := o.sampled.Position().Sub(at)
	d := way.Norm()
	src := u.rab.error.Stream(o.key)
	if d > medium.Range || src.Float64(4*n) < medium.Loss || u.hidden(o, at, way, d) {
		return Heard{}, false
	}
	bearing := geom.Angle(way.Unrotate(geom.Direction(u.sampled.Theta)))
	if !u.world.Config.Quiet {
		errors := src.Stream(1)
		d = max(0, float64(d*(1+float64(medium.RangeNoise*errors.Normal(2*n)))))
		bearing = geom.WrapAngle(bearing + float64(medium.BearingNoise*errors.Normal(2*n+1)))
	}
	return Heard{Range: d, Bearing: bearing, Payload: o.rab.now.data[:o.rab.now.n]}, true
}

// hidden reports whether a third body or a thing is between u and o.
func (u *Unit) hidden(o *Unit, at, way geom.Vec, d float64) bool {
	if d == 0 {
		return false
	}
	x := u.world
	dir := way.Scale(1 / d)
	for _, n := range u.rab.senders { // all within the range
		switch third := x.grid.Spot(n); {
		case int(n) == u.place || int(n) == o.place || third.InAir:
		case third.Disc:
			if t, hit := geom.RayDisc(at.Sub(third.At), dir, physics.BodyRadius); hit && t < d {
				return true
			}
		default: // its solids have not moved since
			if x.units[n].plant.Covers(at, dir, d) {
				return true
			}
		}
	}
	return x.Physics.Blocks(at, at.Add(way))
}

// Listen makes the robot hear messages at every exchange.
func (u *Unit) Listen() { u.listenTo(true) }

func (u *Unit) listenTo(on bool) {
	if on == u.rab.listens {
		return
	}
	u.rab.listens = on
	if on {
		u.world.listening.Add(1)
	} else {
		u.world.listening.Add(-1)
	}
}
