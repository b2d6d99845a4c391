// SPDX-License-Identifier: Apache-2.0

//go:build system

package webots_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// quick shortens the server's time limits.
func quick(c *webots.Config) { c.Stall = 300 * time.Millisecond }

// Controllers that stop in the middle of a request are sent away, and the others continue.
func TestStalledControllers(t *testing.T) {
	for name, bytes := range map[string][]byte{
		"a request that ends early": {100, 0, 0, 0, 32, 0, 0, 0, 1},
		"a head that ends early":    {10},
	} {
		t.Run(name, func(t *testing.T) { disconnects(t, bytes, 300*time.Millisecond) })
	}
}

// Handshakes that end early are ended without an answer.
func TestStalledHandshakes(t *testing.T) {
	g := serve(t, arena, quick)
	for _, handshake := range []string{"CT", "CTR\nRobot-Na"} {
		conn, answer := g.meet(handshake)
		if answer != "" {
			t.Errorf("%q is answered with %q", handshake, answer)
		}
		gone(t, conn)
	}
}

// Who never reads is sent away, and the others do not wait for it.
func TestControllerThatNeverReads(t *testing.T) {
	g := serve(t, arena, func(c *webots.Config) { quick(c); c.CameraWidth, c.CameraHeight = 640, 480; c.Controllers = 2 })
	good := g.control("b")
	bad, answer := g.meet("CTR\nRobot-Name: a")
	if answer != wire.Connected {
		t.Fatal(answer)
	}
	request := wire.AppendRequest(nil, wire.Request{})
	for range 100 { // it asks on and on
		if _, err := bad.Write(request); err != nil {
			break
		}
	}
	on := []byte{wire.Period, 10, 0}
	_, _ = bad.Write(wire.AppendRequest(nil, wire.Request{Step: 10 * time.Millisecond, Parts: []wire.Part{{Tag: 27, Body: on}}}))
	for range 200 {
		good.do(10)
		if _, err := bad.Write(wire.AppendRequest(nil, wire.Request{Step: 10 * time.Millisecond})); err != nil {
			return
		}
	}
	t.Error("it is still there")
}

// Who lets the others wait for too long is left behind.
func TestDropsSlowController(t *testing.T) {
	g := serve(t, arena, func(c *webots.Config) { c.Controllers, c.Timeout = 2, time.Millisecond })
	a, b := g.control("a"), g.control("b")
	a.do(0)
	b.do(32)
	if b.now != 0.032 {
		t.Errorf("time %g s", b.now)
	}
	if _, err := a.bytes(1); err == nil {
		t.Error("the other one is still there")
	}
}
