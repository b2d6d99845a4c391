// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire/internal/pcapng"
)

// TestCapturesCorrupted walks captured datagrams with a few bytes changed: the
// parser returns one of its errors or none, and decoding discovery data does
// not panic either.
func TestCapturesCorrupted(t *testing.T) {
	rng := rand.New(rand.NewPCG(suite.Seed(t), 1))
	captures(t, func(name string, datagrams []pcapng.Datagram) {
		for range 500 {
			d := datagrams[rng.IntN(len(datagrams))]
			b := append([]byte(nil), d.Payload...)
			for range 1 + rng.IntN(4) {
				b[rng.IntN(len(b))] = byte(rng.Uint32())
			}
			b = b[:1+rng.IntN(len(b))]
			err := Walk(b, decodeEverything{})
			var se *submessageError
			if err != nil && !errors.Is(err, errNotRTPS) && !errors.Is(err, errVersion) && !errors.As(err, &se) {
				t.Errorf("%s frame %d: %v", name, d.Frame, err)
			}
		}
	})
}

// decodeEverything passes each payload to every decoder.
type decodeEverything struct{ NopHandler }

func (decodeEverything) HandleData(_ *Receiver, m *Data) {
	var q InlineQoS
	_ = q.Decode(m.InlineQoS)
	_, _ = BuiltinKey(m)
	_, _ = DecodeParticipant(m.Payload)
	_, _ = DecodePublication(m.Payload)
	_, _ = DecodeSubscription(m.Payload)
	_, _ = DecodeParticipantMessage(m.Payload)
}
