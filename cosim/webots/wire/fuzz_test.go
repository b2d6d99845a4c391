// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// FuzzRequest: any bytes are a request or an error, and a request is written as it was read.
func FuzzRequest(f *testing.F) {
	f.Add(wire.AppendRequest(nil, wire.Request{Step: time.Second, Parts: []wire.Part{{Tag: 1, Body: []byte{1, 2, 3}}}}))
	f.Add([]byte{0, 0, 0, 0})
	f.Add([]byte{255, 255, 255, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		q, err := wire.ReadRequest(bytes.NewReader(b))
		if err != nil || q.Unread != nil {
			return
		}
		if again := wire.AppendRequest(nil, q); !bytes.HasPrefix(b, again) {
			t.Errorf("%x becomes %x", b, again)
		}
	})
}

// FuzzCommands: any bytes are commands or an error, for every kind and release, and no text is longer than they are.
func FuzzCommands(f *testing.F) {
	f.Add(uint16(wire.Robot), []byte{30, 1, 2, 0, 0, 0, 'x', 0})
	f.Add(uint16(wire.Motor), []byte{8, 0, 51, 0})
	f.Add(uint16(wire.Speaker), []byte{1, 1, 0, 0, 0, 2, 0, 'x', 0})
	f.Add(uint16(wire.Emitter), []byte{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'x'})
	f.Fuzz(func(t *testing.T, kind uint16, b []byte) {
		for _, r := range wire.Releases() {
			list, err := r.Commands(wire.Kind(kind), b)
			if err == nil && len(list) > len(b) {
				t.Errorf("%d commands in %d bytes", len(list), len(b))
			}
			for _, c := range list {
				if len(c.Text)+len(c.Data) > len(b) {
					t.Errorf("%d bytes of %d", len(c.Text)+len(c.Data), len(b))
				}
			}
		}
	})
}

// FuzzHandshake: any bytes are a handshake, the beginning of one, or an error.
func FuzzHandshake(f *testing.F) {
	f.Add([]byte("CTR\nRobot-Name: e-puck"))
	f.Add([]byte("CT"))
	f.Fuzz(func(t *testing.T, b []byte) {
		name, whole, err := wire.ParseHandshake(b)
		if err != nil && (whole || name != "") || len(name) > len(b) {
			t.Errorf("%q: %q, %t, %v", b, name, whole, err)
		}
	})
}
