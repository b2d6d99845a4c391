// SPDX-License-Identifier: Apache-2.0

package shield

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// timed has the time of each sample.
type timed struct {
	heard
	times []wire.Time
}

// HandleData implements wire.Handler.
func (h *timed) HandleData(r *wire.Receiver, _ *wire.Data) { h.times = append(h.times, r.Timestamp) }

// TestProtectedTime: Fast DDS protects the time of a sample like the sample, apart from it.
func TestProtectedTime(t *testing.T) {
	for _, kind := range []security.Kind{security.Sign, security.EncryptWithOrigin} {
		e := newEnds(t, security.None, Protection{Submessage: kind})
		b := datagram(here, there, sample(reader))
		scan := wire.NewScanner(b)
		out := b[:wire.HeaderSize:wire.HeaderSize]
		key, receivers := e.from.locals[writer].submessage, e.from.peers[there].receivers(nil, writer, reader)
		for scan.Next() {
			sub := scan.Submessage()
			raw := b[sub.Offset : sub.Offset+subHeader+len(sub.Body)]
			if sub.IsInfoDst() {
				out = append(out, raw...)
				continue
			}
			var err error
			out, err = key.Submessage(out, raw, receivers)
			e.no(err)
		}
		plain, err := e.to.Open(nil, out)
		got := &timed{}
		e.no(err, wire.Walk(plain, got))
		if len(got.times) != 1 || got.times[0] != 77 {
			t.Errorf("%v: times %v", kind, got.times)
		}
	}
}

// TestReadersOfPayloads: a reader of payloads alone sends a key, except to Cyclone DDS.
func TestReadersOfPayloads(t *testing.T) {
	for _, plain := range []bool{false, true} {
		e := newEnds(t, security.None, Protection{Payload: security.Sign})
		e.to.peers[here].plain = plain
		third := wire.NewEntityID(4, wire.KindReader)
		w := wire.GUID{Prefix: here, Entity: writer}
		e.no(e.to.AddEndpoint(third, Protection{Payload: security.Sign}, false))
		if got := e.to.EndpointTokens(third, w); len(got) == 0 != plain {
			t.Errorf("%d tokens with %v", len(got), plain)
		}
		if again := e.to.EndpointTokens(third, w); len(again) > 0 {
			t.Errorf("%d tokens again", len(again))
		}
	}
}
