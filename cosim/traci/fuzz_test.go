// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"net"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// FuzzServer: no commands make the server panic or hang: each message is answered or its connection ended, and the
// next client is served.
func FuzzServer(f *testing.F) {
	for _, seed := range [][]byte{
		{2, 0}, order(1), step(0), step(0.3), step(nan), get(0xab, 0x7c, "sim0"), get(0xa4, 0x00, ""), get(0xa4, 0x42, "a"),
		get(0xc4, 0x40, "a", dbl(1)...), get(0xc4, 0x14, "a", compound(dbl(1), dbl(2))...), get(0xc4, 0x85, "n", vehicle("", "e-puck2")...),
		get(0xc4, 0xb4, "a", moved(1, 1, 0)...), get(0xc4, 0x81, "a", small(3)...), get(0xc8, 0x80, "p", drawn()...),
		get(0xc7, 0x80, "g", goal()...), get(0xce, 0x80, "ann", human("DEFAULT_PEDTYPE", "town", -3, 2)...),
		get(0xce, 0xc4, "ann", compound(num(2), lst("town"), dbl(2.2), dbl(-1), dbl(1), txt(""))...),
		asking(0xd4, "a", wire.NoDouble, wire.NoDouble, 0x42, 0x43), asking(0xdb, "", 0, 9, 0x66, 0x74, 0x23),
		around(0x84, "a", 0xa4, 1, 0x42), {3, 0x7e, 0}, get(0xab, 0x82, "", compound(place(1, 1), unsigned(4))...), closing(),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		g := serve(t, town, nil)
		p := g.connect()
		p.send(append(step(0), b...))
		_ = p.conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
		message, err := wire.ReadMessage(p.conn)
		if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
			if later(b) {
				return // it asks for a late time
			}
			t.Fatal("no answer")
		}
		for err == nil && len(message) > 0 {
			var c wire.Command
			if c, message, err = wire.Next(message); err != nil {
				t.Fatalf("the answer can't be read: %v", err)
			}
			if c.ID == 2 && c.Body[0] == wire.OK && len(message) >= 4 { // the number of results has no head
				message = message[4:]
			}
		}
	})
}

// later reports whether some command asks for a time that takes long to reach.
func later(b []byte) bool {
	for len(b) > 0 {
		c, rest, err := wire.Next(b)
		if err != nil {
			return false
		}
		if r := wire.NewReader(c.Body); c.ID == 2 && r.Double() > 10 {
			return true
		}
		b = rest
	}
	return false
}
