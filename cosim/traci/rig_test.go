// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"context"
	"encoding/hex"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// town is a world with robots of both levels.
const town = `
name: town
arena: {center: [2, 1], size: [4, 2]}
boxes: [{name: crate, position: [3, 1], size: [0.2, 0.2]}]
cylinders: [{position: [3.5, 0.4], radius: 0.1}]
lights: [{name: lamp, position: [1, 1, 0.5], intensity: 0.1}]
robots:
  - {name: a, level: functional, position: [0.5, 0.5]}
  - {name: b, level: firmware, position: [0.5, 1.5], yaw: 1.5707963267948966}
`

// rig is a server that runs, with the world that it holds.
type rig struct {
	t      testing.TB
	sim    *sim.Simulation
	clock  *sim.Clock
	server *traci.Server
	ended  chan error
	stop   context.CancelFunc
}

// serve runs a world for clients.
func serve(t testing.TB, world string, change func(c *traci.Config)) *rig {
	t.Helper()
	w, err := sim.ParseWorld([]byte(world))
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{t: t, clock: sim.NewClock(), ended: make(chan error, 1)}
	begun := g.clock.Now()
	if g.sim, err = sim.New(w, sim.Options{Seed: 1, Now: g.clock.Now, MaxCatchUp: -1, Trace: true, Settled: true, Mechanisms: machine.Maker(library.Parse, library.Load)}); err != nil {
		t.Fatal(err)
	}
	cfg := traci.Config{Simulation: g.sim, World: w, Address: "127.0.0.1:0"}
	if change != nil {
		change(&cfg)
	}
	if g.server, err = traci.New(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g.stop = cancel
	task.Go("server", func() {
		g.ended <- g.server.Run(ctx, func(age time.Duration) error {
			g.clock.Sleep(begun.Add(age).Sub(g.clock.Now()))
			g.sim.Elapsed()
			return nil
		})
	})
	t.Cleanup(func() {
		cancel()
		if err := <-g.ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return g
}

// over waits until the server has ended by itself.
func (g *rig) over() {
	g.t.Helper()
	select {
	case err := <-g.ended:
		g.ended <- err
	case <-time.After(time.Minute):
		g.t.Fatal("the server has not ended")
	}
}

// peer is a client of the tests: bytes in, bytes out.
type peer struct {
	t    testing.TB
	conn net.Conn
}

func (g *rig) connect() *peer {
	g.t.Helper()
	conn, err := net.Dial("tcp", g.server.Addr().String())
	if err != nil {
		g.t.Fatal(err)
	}
	p := &peer{g.t, conn}
	g.t.Cleanup(func() { _ = conn.Close() })
	return p
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// send sends a message of commands.
func (p *peer) send(commands []byte) {
	p.t.Helper()
	if _, err := p.conn.Write(append(wire.AppendInt(nil, len(commands)+4), commands...)); err != nil {
		p.t.Fatal(err)
	}
}

// receive returns what an answer's commands are.
func (p *peer) receive() []byte {
	p.t.Helper()
	_ = p.conn.SetReadDeadline(time.Now().Add(time.Minute))
	b, err := wire.ReadMessage(p.conn)
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

// ask sends commands and returns the answer.
func (p *peer) ask(commands []byte) []byte {
	p.t.Helper()
	p.send(commands)
	return p.receive()
}

// status asks and returns the first status and what is behind it.
func (p *peer) status(commands []byte) (result byte, text string, rest []byte) {
	p.t.Helper()
	c, rest, err := wire.Next(p.ask(commands))
	if err != nil {
		p.t.Fatal(err)
	}
	r := wire.NewReader(c.Body)
	return r.Byte(), r.String(), rest
}

// ok asks for what must succeed.
func (p *peer) ok(commands []byte) []byte {
	p.t.Helper()
	result, text, rest := p.status(commands)
	if result != wire.OK {
		p.t.Fatalf("%x is refused: %s", commands, text)
	}
	return rest
}

func get(id, variable byte, object string, args ...byte) []byte {
	return wire.AppendCommand(nil, id, append(wire.AppendString([]byte{variable}, object), args...), false)
}

func step(seconds float64) []byte {
	return wire.AppendCommand(nil, 2, wire.AppendDouble(nil, seconds), false)
}

// value returns a reader of the value that a question is answered with.
func (p *peer) value(id, variable byte, object string, args ...byte) *wire.Reader {
	p.t.Helper()
	c, _, err := wire.Next(p.ok(get(id, variable, object, args...)))
	if err != nil {
		p.t.Fatal(err)
	}
	r := wire.NewReader(c.Body)
	if c.ID != id+0x10 || r.Byte() != variable || r.String() != object {
		p.t.Fatalf("answer %x to %x of %q", c.Body, variable, object)
	}
	return r
}

// golden compares an answer; dots stand for any byte.
func golden(t testing.TB, what string, got []byte, want string) {
	t.Helper()
	want = strings.ReplaceAll(want, " ", "")
	text := hex.EncodeToString(got)
	match := len(text) == len(want)
	for i := range want {
		match = match && (want[i] == '.' || want[i] == text[i])
	}
	if !match {
		t.Errorf("%s:\n got %s\nwant %s", what, text, want)
	}
}

func text(s string) string { return hex.EncodeToString(wire.AppendString(nil, s)) }

func doubles(v ...float64) string {
	var b []byte
	for _, x := range v {
		b = wire.AppendDouble(b, x)
	}
	return hex.EncodeToString(b)
}
