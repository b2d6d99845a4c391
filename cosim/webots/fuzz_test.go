// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// FuzzServer: no bytes of a controller make the server panic or hang: it is answered or sent away, and the next
// controller is served.
func FuzzServer(f *testing.F) {
	for _, q := range []wire.Request{
		{}, {Step: 32 * time.Millisecond}, {Bye: true},
		{Step: time.Millisecond, Parts: []wire.Part{{Tag: 1, Body: []byte{1, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F}}}},
		{Parts: []wire.Part{{Tag: 0, Body: []byte{wire.RobotURDF, 1, 0, 0}}, {Tag: 27, Body: []byte{wire.Period, 10, 0}}}},
		{Step: 64 * time.Millisecond, Parts: []wire.Part{{Tag: 38, Body: []byte{wire.Period, 1, 0}}, {Tag: 39, Body: emission("x")}}},
	} {
		f.Add(wire.AppendRequest(nil, q))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<14 || late(b) {
			return
		}
		attack(t, arena, "a", "b", b)
	})
}

// attack lets a controller send bytes; then another one is served.
func attack(t *testing.T, world, robot, other string, b []byte) {
	g := serve(t, world, nil)
	conn, answer := g.meet("CTR\nRobot-Name: " + robot)
	if answer != wire.Connected {
		t.Fatal(answer)
	}
	_, _ = conn.Write(append(wire.AppendRequest(nil, wire.Request{}), b...))
	_ = conn.(*net.TCPConn).CloseWrite()
	_ = conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	if _, err := io.Copy(io.Discard, conn); err != nil {
		if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
			t.Fatal("no end")
		}
	}
	g.control(other).do(10)
}

// FuzzDescribed: the same with a robot that has a device of each kind.
func FuzzDescribed(f *testing.F) {
	for _, q := range []wire.Request{
		{}, {Step: 32 * time.Millisecond, Parts: []wire.Part{{Tag: 13, Body: []byte{wire.Period, 10, 0, wire.LidarPoints}}, {Tag: 12, Body: []byte{wire.Period, 1, 0}}}},
		{Step: time.Millisecond, Parts: []wire.Part{{Tag: 5, Body: []byte{1, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F}}, {Tag: 10, Body: []byte{wire.LEDSet, 255, 255, 255, 127}}}},
		{Parts: []wire.Part{{Tag: 0, Body: []byte{wire.RobotURDF, 2, 0, 'x', 0}}, {Tag: 18, Body: []byte{wire.Period, 10, 0}}, {Tag: 20, Body: emission("x")}}},
	} {
		f.Add(wire.AppendRequest(nil, q))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<14 || late(b) {
			return
		}
		attack(t, hall, "p", "a", b)
	})
}

// late reports whether some request asks for a late time.
func late(b []byte) bool {
	for len(b) >= 8 {
		n := int(b[0]) | int(b[1])<<8 | int(b[2])<<16 | int(b[3])<<24
		if b[5] != 0 && b[5] > 4 || b[6] != 0 || b[7] != 0 {
			return true
		}
		if n < 8 || n > len(b) {
			return false
		}
		b = b[n:]
	}
	return false
}
