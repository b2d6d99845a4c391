// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
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

// say keeps a message for the next exchange.
func (u *unit) say(payload []byte) error {
	t := &u.rab
	if len(payload) > MaxMessage {
		return fmt.Errorf("%w: message of %d bytes, at most %d", ErrRange, len(payload), MaxMessage)
	}
	t.next.n = int8(copy(t.next.data[:], payload))
	if !u.sim.spoken.Load() {
		u.sim.spoken.Store(true)
	}
	return nil
}

// silent reports whether nothing is to be sent.
func (t *transceiver) silent() bool { return t.next.n < 0 && t.now.n < 0 }

// exchangeMessages lets all robots send what they have said, and those hear it that listen.
func (s *Simulation) exchangeMessages() {
	there := 0 // for those who listen, if nothing is said
	if s.spoken.Swap(false) {
		there = s.utter()
	}
	s.air.Sort(there, func(i int) (geom.Vec, bool) {
		u := s.units[i]
		return u.sampled.Position(), !u.sampledInAir
	})
	s.aired = true
	if s.listening.Load() > 0 {
		s.kernel.Each(len(s.units), func(i int) {
			if u := s.units[i]; u.rab.listens {
				u.hear()
			}
		})
	}
}

// utter lets all units begin to send what they have said, and returns how many there are if one has said anything. If
// so, the next exchange has something to do, too: to end it.
func (s *Simulation) utter() (there int) {
	for _, u := range s.units {
		t := &u.rab
		if u.dead() {
			t.next.n = -1
		}
		t.now = t.next
		t.next.n = -1
		if t.now.n >= 0 {
			there = len(s.units)
		}
	}
	s.spoken.Store(there > 0)
	return there
}

// hear returns what u hears in the latest exchange.
func (u *unit) hear() []Heard {
	t, s := &u.rab, u.sim
	exchange := s.kernel.Cycle() - s.kernel.Cycle()%cyclesPerMessage
	if t.heardAt == s.kernel.Cycle() || s.kernel.Cycle() != exchange {
		return t.heard
	}
	t.heardAt = s.kernel.Cycle()
	t.heard = t.heard[:0]
	if u.sampledInAir || u.dead() {
		return t.heard
	}
	at, around := u.sampled.Position(), &s.crowd
	if s.aired {
		around = &s.air
	}
	t.senders = around.Around(at, s.medium.Range+physics.BodyRadius, t.senders[:0])
	for _, n := range t.senders {
		o := s.units[n]
		if o == u || o.rab.now.n < 0 || o.sampledInAir {
			continue
		}
		if h, ok := u.receive(o, at, uint64(exchange)); ok {
			t.heard = append(t.heard, h)
		}
	}
	u.trace.heard(s.kernel.Cycle(), t.heard)
	return t.heard
}

// receive measures where o's message comes from, if it arrives.
func (u *unit) receive(o *unit, at geom.Vec, n uint64) (Heard, bool) {
	s, medium := u.sim, u.sim.medium
	way := o.sampled.Position().Sub(at)
	d := way.Norm()
	src := u.rab.error.Stream(o.key)
	if d > medium.Range || src.Float64(4*n) < medium.Loss || u.hidden(o, at, way, d) {
		return Heard{}, false
	}
	bearing := geom.Angle(way.Unrotate(geom.Direction(u.sampled.Theta)))
	if !s.opts.Quiet {
		errors := src.Stream(1)
		d = max(0, float64(d*(1+float64(medium.RangeNoise*errors.Normal(2*n)))))
		bearing = geom.WrapAngle(bearing + float64(medium.BearingNoise*errors.Normal(2*n+1)))
	}
	return Heard{Range: d, Bearing: bearing, Payload: o.rab.now.data[:o.rab.now.n]}, true
}

// hidden reports whether a third body or a thing is between u and o.
func (u *unit) hidden(o *unit, at, way geom.Vec, d float64) bool {
	if d == 0 {
		return false
	}
	s := u.sim
	dir := way.Scale(1 / d)
	for _, n := range u.rab.senders { // all within the range
		third := s.units[n]
		if third == u || third == o || third.sampledInAir {
			continue
		}
		if third.plant.covers(at, dir, d) {
			return true
		}
	}
	return s.scene.Blocks(at, at.Add(way))
}

// heard records what a robot heard.
func (t *trace) heard(cycle int64, list []Heard) {
	if t == nil || len(list) == 0 {
		return
	}
	b := append(t.buf[:0], traceHeard)
	b = binary.LittleEndian.AppendUint64(b, uint64(cycle))
	for _, h := range list {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(h.Range))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(h.Bearing))
		b = text(b, h.Payload)
	}
	t.put(b)
}

// Say sends a message of at most MaxMessage bytes, else ErrRange, to all robots around at the next exchange. The latest
// one counts.
func (c *Control) Say(payload []byte) error { return c.r.say(payload) }

// Heard returns the messages of the latest exchange. The slice is valid until the next one. Who asks for the first time
// in between hears from the next exchange on.
func (c *Control) Heard() []Heard {
	c.r.listen(true)
	return c.r.hear()
}

// Say sends a message of at most MaxMessage bytes, else ErrRange, to all robots around at the next exchange. The latest
// one counts.
func (u *unit) Say(payload []byte) error {
	u.sim.mu.Lock()
	defer u.sim.mu.Unlock()
	u.sim.catchUp()
	return u.say(payload)
}

// Listen begins to hear messages at every exchange, or ends it.
func (u *unit) Listen(on bool) {
	s := u.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	u.listen(on)
}

func (u *unit) listen(on bool) {
	if on == u.rab.listens {
		return
	}
	u.rab.listens = on
	if on {
		u.sim.listening.Add(1)
	} else {
		u.sim.listening.Add(-1)
	}
}

// Hear appends what the robot heard in the latest exchange, if it listens, and returns the age of the world then. The
// payloads are the caller's.
func (u *unit) Hear(dst []Heard) ([]Heard, time.Duration) {
	s := u.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	for _, h := range u.rab.heard {
		h.Payload = append([]byte(nil), h.Payload...)
		dst = append(dst, h)
	}
	return dst, time.Duration(u.rab.heardAt) * vmcu.SamplePeriod
}
