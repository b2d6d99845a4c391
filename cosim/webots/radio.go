// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

const (
	// firstChannel is that of emitter and receiver in E-puck.proto; broadcast is all of them.
	firstChannel = 1
	broadcast    = -1
	// maxPackets bounds what waits for a receiver; the oldest go first.
	maxPackets = 1024
)

// emitter sends packets by radio to the receivers of all robots that have a controller, through walls.
type emitter struct {
	part
	radio
	queue []packet // since the last turn
}

// radio is how an emitter or a receiver is set.
type radio struct {
	channel int32
	reach   float64 // m, at the beginning; −1: no end
	limit   float64 // what it may be set to
	buffer  int32   // bytes; −1: no end
}

// addRadio makes an emitter and a receiver as E-puck.proto has them.
func (b *body) addRadio() {
	r := radio{channel: firstChannel, reach: -1, limit: -1, buffer: -1}
	b.addReceiver("receiver", r)
	b.addEmitter("emitter", r)
}

func (b *body) addReceiver(name string, set radio) {
	r := &receiver{sampler: sampler{part: part{name: name, kind: wire.Receiver}}, radio: set}
	b.add(r, &r.part)
	b.receivers = append(b.receivers, r)
}

func (b *body) addEmitter(name string, set radio) {
	e := &emitter{part: part{name: name, kind: wire.Emitter}, radio: set}
	b.add(e, &e.part)
	b.emitters = append(b.emitters, e)
}

// packet is what an emitter has sent.
type packet struct {
	channel int32
	reach   float64 // m; negative: no end
	data    []byte
	at      time.Duration
}

// configure implements device.
func (e *emitter) configure(a *wire.Answer) {
	a.Int32(e.buffer)
	a.Int32(e.channel)
	a.Doubles(-1, e.reach, e.limit) // its rate has no end
	a.Int32(0)                      // all channels are allowed
}

// execute implements device.
func (e *emitter) execute(b *body, c wire.Command, _ *wire.Answer) error {
	if c.Code == wire.EmitterSend {
		e.queue = append(e.queue, packet{c.Number[0], c.Value[0], slices.Clone(c.Data), b.server.now})
	}
	return nil // channel and range come with each packet
}

// measure implements device.
func (e *emitter) measure(*body, *wire.Answer) {}

// receiver receives packets.
type receiver struct {
	sampler
	radio
	queue []receivedPacket
	bytes int // in it
}

// receivedPacket is a packet that waits for the controller.
type receivedPacket struct {
	channel   int32
	direction [3]float64 // to the emitter, in the robot's frame
	signal    float64    // 1 / distance²
	data      []byte
}

// configure implements device.
func (r *receiver) configure(a *wire.Answer) {
	a.Int32(r.buffer)
	a.Int32(r.channel)
	a.Int32(0)
}

// execute implements device.
func (r *receiver) execute(b *body, c wire.Command, _ *wire.Answer) error {
	if c.Code == wire.ReceiverChannel {
		r.channel = c.Number[0]
		return nil
	}
	r.every(c.Number[0], b.server.now)
	if r.period <= 0 {
		r.queue, r.bytes = nil, 0
	}
	return nil
}

// measure implements device.
func (r *receiver) measure(b *body, a *wire.Answer) {
	if !r.due(b.server.now) {
		return
	}
	for _, h := range r.queue {
		a.Begin(r.tag, wire.Received)
		a.Int32(h.channel)
		a.Doubles(h.direction[:]...)
		a.Doubles(h.signal)
		a.Int32(int32(len(h.data)))
		a.Bytes(h.data)
	}
	r.queue, r.bytes = r.queue[:0], 0
}

// deliver transmits all packets that were sent before this time, in the order of the robots that sent them.
func (s *Server) deliver() {
	for _, from := range s.sessions {
		for _, emitter := range from.body.emitters {
			s.transmit(from, emitter.queue)
			emitter.queue = emitter.queue[:0]
		}
	}
}

// transmit puts packets into the queues of the receivers of other robots.
func (s *Server) transmit(from *session, queue []packet) {
	if len(queue) == 0 {
		return
	}
	at := from.body.GroundTruth().Pose
	for _, to := range s.sessions {
		for _, r := range to.body.receivers {
			if to != from && r.period > 0 {
				there := to.body.GroundTruth().Pose
				r.receive(queue, at.X-there.X, at.Y-there.Y, there.Theta)
			}
		}
	}
}

// receive queues packets of an emitter at a distance (m) from a robot with a heading (rad).
func (r *receiver) receive(queue []packet, dx, dy, heading float64) {
	d := math.Hypot(dx, dy)
	for _, p := range queue {
		if p.channel != r.channel && p.channel != broadcast && r.channel != broadcast || p.reach >= 0 && d > p.reach {
			continue
		}
		h := receivedPacket{channel: p.channel, data: p.data, signal: math.Inf(1), direction: [3]float64{1, 0, 0}}
		if d > 0 {
			cos, sin := math.Cos(heading), math.Sin(heading)
			h.signal = 1 / (d * d)
			h.direction = [3]float64{(float64(dx*cos) + float64(dy*sin)) / d, (float64(dy*cos) - float64(dx*sin)) / d, 0}
		}
		if r.buffer >= 0 && r.bytes+len(h.data) > int(r.buffer) {
			continue
		}
		if len(r.queue) == maxPackets {
			r.bytes -= len(r.queue[0].data)
			r.queue = slices.Delete(r.queue, 0, 1)
		}
		r.bytes += len(h.data)
		r.queue = append(r.queue, h)
	}
}
