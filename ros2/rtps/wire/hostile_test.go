// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire/internal/pcapng"
)

// TestCapturesCorrupted walks captured datagrams with a few bytes changed: the
// parser returns one of its errors or none, and decoding discovery data does
// not panic either.
func TestCapturesCorrupted(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1))
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
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

// TestHostileCounts: counts that announce gigabytes do not cause large allocations.
func TestHostileCounts(t *testing.T) {
	const guid = `5a00 1000 01100b0c 0d0e0f10 11121314 00000103 `
	payloads := [][]byte{
		unhex(t, `00030000`+guid+`2900 0400 ffffff7f 0100 0000`),          // partitions
		unhex(t, `00030000`+guid+`7300 0400 ffffff7f 0100 0000`),          // data representations
		unhex(t, `00030000`+guid+`2c00 0400 ffffff7f 0100 0000`),          // user data
		unhex(t, `00030000`+guid+`0500 0400 ffffff7f 0100 0000`),          // topic
		unhex(t, `00030000`+guid+`5900 0400 ffffff7f 0100 0000`),          // properties
		unhex(t, `00030000`+guid+`2900 0800 02000000 ffffffff 0100 0000`), // string in a sequence
		unhex(t, `00010000`+otherPrefixHex+`00000001 ffffff7f`),           // liveliness
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, b := range payloads {
		d := Data{Kind: PayloadData, Payload: b}
		decodeEverything{}.HandleData(nil, &d)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}
