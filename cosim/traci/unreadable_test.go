// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// TestUnreadableCommandsAreAnswered: every command number and every variable, with nothing and with too little behind
// it, is answered with a status, and the connection lives on; what is behind it in the same message is obeyed.
func TestUnreadableCommandsAreAnswered(t *testing.T) {
	g := serve(t, town, nil)
	p := g.connect()
	ask := func(command []byte) {
		t.Helper()
		answer := p.ask(append(command, 2, 0)) // and the version
		c, rest, err := wire.Next(answer)
		if err != nil || c.ID != command[1] && command[0] != 0 {
			t.Fatalf("%x is answered with %x: %v", command, answer, err)
		}
		last := c
		for len(rest) > 0 {
			if last, rest, err = wire.Next(rest); err != nil {
				t.Fatalf("%x: the answer %x can't be read: %v", command, answer, err)
			}
		}
		if last.ID != 0 {
			t.Fatalf("%x: what is behind it is answered with %+v", command, last)
		}
	}
	for id := range 256 {
		if id == 2 || id == 0x7f { // steps and closing
			continue
		}
		for _, body := range [][]byte{nil, {0x40}, {0x40, 0, 0, 0, 9}, {0x40, 0, 0, 0, 1, 'a'}, {0x40, 0, 0, 0, 1, 'a', 0x0b, 1}} {
			ask(append([]byte{byte(2 + len(body)), byte(id)}, body...))
		}
	}
	for _, domain := range []byte{0xa4, 0xab, 0xc4, 0xae, 0xce, 0xa7, 0xc7, 0xa8, 0xc8, 0xaa, 0xa3} {
		for variable := range 256 {
			if domain&0xf0 == 0xc0 && variable == 0x81 {
				continue // removes
			}
			ask(get(domain, byte(variable), "a", 0x0f, 0, 0, 0, 2))
		}
	}
	p.ok(step(0))
	p.ok(closing())
	g.over()
}

// TestOptionsOfSUMOsClient sends as the Python client does: the option's name is the object's.
func TestOptionsOfSUMOsClient(t *testing.T) {
	g := serve(t, town, nil)
	p := g.connect()
	for name, want := range map[string]string{"step-length": "0.1", "net-file": "town", "num-clients": "1", "begin": "0"} {
		if got := p.value(0xab, 0x32, name).TypedString(); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"", "no-such-option", "port"} {
		if result, text, _ := p.status(get(0xab, 0x32, name)); result != wire.Failed || text == "" {
			t.Errorf("%q: %d %q", name, result, text)
		}
	}
	p.ok(closing())
	g.over()
}
