// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// port is where the server listens.
func (g *rig) port() string {
	_, port, _ := net.SplitHostPort(g.server.Addr().String())
	return port
}

// await waits for something that another goroutine does.
func (g *rig) await(what string, done func() bool) {
	g.t.Helper()
	for end := time.Now().Add(time.Minute); !done(); runtime.Gosched() {
		if time.Now().After(end) {
			g.t.Fatalf("waited for %s", what)
		}
	}
}

// gone waits until the server has ended a connection.
func gone(t testing.TB, conn net.Conn) {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.Copy(io.Discard, conn); err != nil {
		if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
			t.Error("the connection stays open")
		}
	}
}

// Controllers whose requests have no bounds, or come out of turn, are disconnected, and the others continue.
func TestHostileControllers(t *testing.T) {
	for name, bytes := range map[string][]byte{
		"a length that is too short": {7, 0, 0, 0, 1, 2, 3},
		"a length that is too long":  {0, 0, 0, 0x7F},
		"two requests at once":       append(wire.AppendRequest(nil, wire.Request{Step: time.Hour}), wire.AppendRequest(nil, wire.Request{Step: time.Hour})...),
	} {
		t.Run(name, func(t *testing.T) { disconnects(t, bytes, 0) })
	}
}

// TestUnreadableRequestsAreAnswered: what can't be read or obeyed is left out with a warning, and the connection lives
// on.
func TestUnreadableRequestsAreAnswered(t *testing.T) {
	for name, bytes := range map[string][]byte{
		"a device that there is not":  wire.AppendRequest(nil, wire.Request{Step: 32 * time.Millisecond, Parts: []wire.Part{{Tag: 41, Body: []byte{1, 0, 0}}}}),
		"a command that there is not": wire.AppendRequest(nil, wire.Request{Step: 32 * time.Millisecond, Parts: []wire.Part{{Tag: 5, Body: []byte{99}}}}),
		"a supervisor's command":      wire.AppendRequest(nil, wire.Request{Step: 32 * time.Millisecond, Parts: []wire.Part{{Tag: 0, Body: []byte{54, 0, 0, 0, 0}}}}),
		"a part that is too long":     {14, 0, 0, 0, 32, 0, 0, 0, 1, 0, 255, 0, 0, 0},
		"half a part's head":          {10, 0, 0, 0, 32, 0, 0, 0, 1, 0},
		"a speed that is no number": wire.AppendRequest(nil, wire.Request{Step: 32 * time.Millisecond, Parts: []wire.Part{{Tag: 1,
			Body: binary.LittleEndian.AppendUint64([]byte{wire.MotorVelocity, 0}, 0x7FF8000000000001)}}}),
	} {
		t.Run(name, func(t *testing.T) {
			var log journal
			g := serve(t, arena, log.logged)
			p := g.control("a")
			if _, err := p.conn.Write(bytes); err != nil {
				t.Fatal(err)
			}
			if err := p.take(); err != nil || p.now != 0.032 {
				t.Fatalf("the answer: %g s, %v", p.now, err)
			}
			p.do(32)
			if p.now != 0.064 || log.count("webots: ") != 1 {
				t.Errorf("%g s; it was logged %d times", p.now, log.count("webots: "))
			}
		})
	}
}

// disconnects lets a controller send bytes for which it is sent away, at the latest when a request has stalled for a
// while (0: the default); another one continues.
func disconnects(t *testing.T, bytes []byte, stall time.Duration) {
	t.Helper()
	g := serve(t, arena, func(c *webots.Config) { c.Stall, c.Controllers = stall, 2 })
	good, bad := g.control("b"), g.control("a")
	if _, err := bad.conn.Write(bytes); err != nil {
		t.Fatal(err)
	}
	good.send(32)
	gone(t, bad.conn)
	if err := good.take(); err != nil || good.now != 0.032 {
		t.Errorf("the other one: %g s, %v", good.now, err)
	}
	g.control("a")
}

// Strangers and those who say nothing sensible get an answer or an end.
func TestHandshakes(t *testing.T) {
	g := serve(t, arena, nil)
	for handshake, want := range map[string]string{
		"CTR": wire.Failed, "CTR\nRobot-Name: none": wire.Failed, "CTR\nRobot-Name: a": wire.Connected, "GET / HTTP/1.1\r\n\r\n": "",
		"CTR\nRobot-Name: \x00": "",
	} {
		conn, answer := g.meet(handshake)
		if answer != want {
			t.Errorf("%q is answered with %q, want %q", handshake, answer, want)
		}
		if want != wire.Connected {
			gone(t, conn)
		}
	}
	if _, answer := g.meet("CTR\nRobot-Name: a"); answer != wire.Forbidden {
		t.Errorf("a second controller: %q", answer)
	}
	alone := serve(t, "name: alone\nrobots: [{name: only, level: functional}]", nil)
	if _, answer := alone.meet("CTR"); answer != wire.Connected {
		t.Errorf("the only robot: %q", answer)
	}
}

// A name comes in pieces.
func TestHandshakeInPieces(t *testing.T) {
	g := serve(t, arena, nil)
	conn, err := net.Dial("tcp", g.server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, piece := range []string{"CTR\n", "Robot-", "Name: ", "b"} {
		if _, err := conn.Write([]byte(piece)); err != nil {
			t.Fatal(err)
		}
	}
	b := make([]byte, 9)
	if _, err := io.ReadFull(conn, b); err != nil || string(b) != wire.Connected {
		t.Errorf("%q, %v", b, err)
	}
}

// Other machines may connect if they are in the list.
func TestAddresses(t *testing.T) {
	g := serve(t, arena, nil)
	for address, ok := range map[string]bool{"0.0.0.0:0": false, "nowhere": false, "127.0.0.1:0": true, "localhost:0": true} {
		s, err := webots.New(webots.Config{Simulation: g.sim, Address: address})
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
		if s != nil {
			_ = s.Close()
		}
	}
	s, err := webots.New(webots.Config{Simulation: g.sim, Address: "0.0.0.0:0", Allow: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
}
