// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim/webots"
	"github.com/epuck-ros2/epuck-driver/sim/webots/wire"
)

// emission is a packet of an emitter on the first channel without an end of its range.
func emission(text string) []byte { return sent(1, -1, text) }

func sent(channel int32, reach float64, text string) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{wire.EmitterSend}, uint32(channel))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(reach))
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
}

// Robots hear each other's packets with the next answer, with direction and strength, on their channel.
func TestEmitterAndReceiver(t *testing.T) {
	g := serve(t, arena, func(c *webots.Config) { c.Controllers = 2 })
	b, c := g.control("b"), g.control("c")
	both := func(forB, forC []wire.Part) {
		t.Helper()
		var group task.Group
		group.Go("b", func() { b.do(32, forB...) })
		group.Go("c", func() { c.do(32, forC...) })
		group.Wait()
	}
	both([]wire.Part{b.period("receiver", 32)}, []wire.Part{c.period("receiver", 64), c.part("emitter", slices.Concat(emission("one"), emission("two"))...)})
	if len(b.heard) != 2 || b.heard[0] != "one" || b.heard[1] != "two" {
		t.Fatalf("b has heard %q", b.heard)
	}
	at := b.values[b.names["receiver"]] // c is 0.2 m before b
	if math.Abs(at[0]-1) > 1e-9 || math.Abs(at[1]) > 1e-9 || math.Abs(at[3]-25) > 1e-6 || at[4] != 1 {
		t.Errorf("direction and strength %v", at)
	}
	both([]wire.Part{b.part("emitter", slices.Concat(sent(1, 0.1, "near"), sent(2, 1, "two"), sent(-1, -1, "all"))...)}, nil)
	if len(c.heard) != 1 || c.heard[0] != "all" {
		t.Errorf("c has heard %q", c.heard)
	}
	both(nil, []wire.Part{c.part("receiver", wire.ReceiverChannel, 0xFF, 0xFF, 0xFF, 0xFF)})
	both([]wire.Part{b.part("emitter", slices.Concat(sent(7, 1, "seven"), []byte{wire.EmitterChannel, 7, 0, 0, 0})...)}, nil)
	if len(c.heard) != 2 || c.heard[1] != "seven" {
		t.Errorf("on all channels c has heard %q", c.heard)
	}
	both([]wire.Part{b.part("emitter", emission("lost")...)}, []wire.Part{c.period("receiver", 0)})
	both(nil, nil)
	if len(c.heard) != 2 || len(b.heard) != 2 {
		t.Errorf("heard %q and %q", b.heard, c.heard)
	}
}
