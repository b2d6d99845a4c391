// SPDX-License-Identifier: Apache-2.0

package wifi

import (
	"context"
	"net"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	// stateDelay is the pause after each state of the connection, vTaskDelay(10) (socket_e-puck2.c).
	stateDelay = 10 * time.Millisecond
	// answerTimeout is how long the radio module waits for an answer of the main processor, and pauses after one that did
	// not arrive: uart_e-puck2.c, advsercom_task.
	answerTimeout = time.Second + 50*time.Millisecond
	// clientTimeout is how long a client may take no answer.
	clientTimeout = time.Minute
	// flushAt is how many bytes must wait for all but the latest command to be thrown away.
	flushAt = 5 * packet.CommandSize
)

// Radio is the radio module of one simulated robot. It serves one client at a time.
type Radio struct {
	body   *body
	lens   lens
	filled packet.Sensors // what the main processor has answered last, and was not sent yet
	tx     packet.Command // the command of the next request
}

// NewRadio takes over a robot: no other code may drive it.
func NewRadio(a Controlled) (*Radio, error) {
	b, err := newBody(a)
	if err != nil {
		return nil, err
	}
	r := &Radio{body: b, lens: lens{camera: a.Camera()}}
	a.Do(func(c *sim.Control) { r.fill(c) })
	return r, nil
}

// fill asks the main processor for its sensors and then gives it the command (uart_e-puck2.c: requests 0xF8 and 0xF7 in
// one message, answered and obeyed in this order).
func (r *Radio) fill(c *sim.Control) {
	r.body.measure(c, &r.filled)
	r.body.apply(c, &r.tx)
}

// Serve talks to one client until it is gone or ctx ends, and closes the connection. The wheels stay as they are.
func (r *Radio) Serve(ctx context.Context, conn net.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := task.AfterDone(ctx, "wifi client", func() { _ = conn.Close() }) // what waits on it ends
	defer stop()
	s := session{radio: r, conn: conn, in: inbox{chunks: make(chan []byte, chunks)}, ctx: ctx}
	var group task.Group
	group.Go("wifi commands", func() { s.in.receive(ctx, conn) })
	s.run()
	cancel()
	_ = conn.Close()
	group.Wait()
}

// session is one client's time.
type session struct {
	radio   *Radio
	conn    net.Conn
	in      inbox
	ctx     context.Context //nolint:containedctx // of this client, as the session is
	valid   bool            // a whole command has arrived
	buffer  [packet.CommandSize]byte
	picture [packet.PictureSize]byte
	out     []byte
}

// run is the loop of socket_e-puck2.c in its states 3 to 6.
func (s *session) run() {
	timer := time.NewTimer(stateDelay)
	defer timer.Stop()
	pause := func() bool {
		timer.Reset(stateDelay)
		select {
		case <-timer.C:
			return true
		case <-s.ctx.Done():
			return false
		}
	}
	for s.receive() {
		if !pause() || s.valid && !(s.answer(pause) && pause()) {
			return
		}
	}
}

// receive is state 3. It reports whether the client's connection stays usable.
func (s *session) receive() bool {
	s.in.drain()
	if n := len(s.in.bytes); n >= flushAt {
		drop := n / packet.CommandSize
		if n%packet.CommandSize == 0 {
			drop--
		}
		s.in.bytes = s.in.bytes[drop*packet.CommandSize:]
	}
	if len(s.in.bytes) == 0 {
		return !s.in.ended || s.valid && s.answers()
	}
	whole := len(s.in.bytes) >= packet.CommandSize
	if !whole && !s.in.await(s.ctx, packet.CommandSize) {
		return false
	}
	copy(s.buffer[:], s.in.bytes)
	s.in.bytes = s.in.bytes[packet.CommandSize:]
	s.valid = s.valid || whole && s.buffer[0] == packet.CommandID
	return true
}

// answers reports whether the last command is answered.
func (s *session) answers() bool {
	r := packet.Request(s.buffer[1])
	return r == 0 || r&(packet.RequestPicture|packet.RequestSensors) != 0
}

// answer is states 4 to 6, one answer as the last command says. It reports whether the client took it.
func (s *session) answer(pause func() bool) bool {
	p := s.buffer
	p[0] = packet.CommandID // not looked at any more
	cmd, err := packet.DecodeCommand(p[:])
	if err != nil {
		return false
	}
	r := s.radio
	r.tx = cmd
	s.out = s.out[:0]
	if cmd.Request == 0 {
		s.out = append(s.out, byte(packet.KindEmpty))
		return s.send() && s.next()
	}
	if cmd.Request&packet.RequestPicture != 0 {
		r.lens.picture(&s.picture)
		s.out = append(append(s.out, byte(packet.KindPicture)), s.picture[:]...)
		if !s.send() || !pause() {
			return false
		}
	}
	if cmd.Request&packet.RequestSensors == 0 {
		return cmd.Request&packet.RequestPicture == 0 || s.next()
	}
	var p104 [packet.SensorsSize]byte
	r.filled.Put(&p104)
	s.out = append(append(s.out[:0], byte(packet.KindSensors)), p104[:]...)
	return s.send() && s.next()
}

// send sends what was prepared.
func (s *session) send() bool {
	if s.conn.SetWriteDeadline(time.Now().Add(clientTimeout)) != nil {
		return false
	}
	_, err := s.conn.Write(s.out)
	return err == nil
}

// next has the main processor answer and obey once more. It waits while that is calibrating.
func (s *session) next() bool {
	var busy time.Duration
	s.radio.body.robot.Do(func(c *sim.Control) {
		if busy = s.radio.body.busy - c.Time(); busy <= 0 {
			s.radio.fill(c)
		}
	})
	if busy <= 0 {
		return true
	}
	timer := time.NewTimer(max(busy, answerTimeout))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.ctx.Done():
		return false
	}
	s.radio.body.robot.Do(s.radio.fill)
	return true
}
