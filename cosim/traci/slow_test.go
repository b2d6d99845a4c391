// SPDX-License-Identifier: Apache-2.0

//go:build system

package traci_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// A client that stops within a message, does not read, or lets the others wait for too long, is left behind.
func TestSlowClients(t *testing.T) {
	for name, f := range map[string]func(p *peer){
		"half a message": func(p *peer) { _, _ = p.conn.Write([]byte{0, 0, 0, 9, 1}) },
		"half a length":  func(p *peer) { _, _ = p.conn.Write([]byte{0, 0}) },
		"silence":        func(*peer) {},
		"does not read": func(p *peer) {
			for range 300 { // each answer is as long as a message can be
				b := bytes.Repeat(get(0xa8, 0x4e, "cylinder0"), 3000)
				if _, err := p.conn.Write(append(wire.AppendInt(nil, len(b)+4), b...)); err != nil {
					return
				}
			}
		},
	} {
		g := serve(t, town, func(c *traci.Config) { c.Clients, c.Stall, c.Timeout = 2, 50*time.Millisecond, 300*time.Millisecond })
		slow, good := g.connect(), g.connect()
		for _, b := range [][]byte{order(2), step(0.5), closing()} { // all at once: it lets the others wait for nothing
			good.send(b)
		}
		slow.ok(order(1))
		_ = slow.conn.SetWriteDeadline(time.Now().Add(20 * time.Second))
		f(slow)
		for range 3 {
			c, _, err := wire.Next(good.receive())
			if r := wire.NewReader(c.Body); err != nil || r.Byte() != wire.OK {
				t.Errorf("%s: the other client is answered %+v, %v", name, c, err)
			}
		}
		g.over()
	}
}
