// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestAHugeMessage of 100 MB is recorded and read if the cache holds it; else it is counted as lost. The messages after
// it are recorded either way.
func TestAHugeMessage(t *testing.T) {
	size := 100_000_000
	if !suite.Long { // where memory is a robot's
		size = 5_000_000
	}
	for name, c := range map[string]struct {
		cache int
		want  []int // bytes of the messages in the bag
	}{
		"with space": {size + size/10, []int{3, size, 4}}, "without": {size / 2, []int{3, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{Cache: c.cache}, func(g *rig) {
				p, err := ros2.NewPublisher[std_msgs.UInt8MultiArray](g.talker, "a", ros2.QoS{Depth: 1})
				if err != nil {
					t.Fatal(err)
				}
				g.lossy = len(c.want) < 3
				dir := g.start("run")
				for _, n := range []int{3, size, 4} {
					if err := p.Publish(&std_msgs.UInt8MultiArray{Data: bytes.Repeat([]byte{7}, n)}); err != nil {
						t.Fatal(err)
					}
					g.settle()
				}
				if s := g.r.Status(); s.Lost != uint64(3-len(c.want)) {
					t.Errorf("%+v", s)
				}
				g.stop()
				b, err := bag.Open(dir)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = b.Close() }()
				var got []int
				for m, err := range b.Messages(bag.Range{}) {
					if err != nil {
						t.Fatal(err)
					}
					if m.Topic.Name == "/a" {
						got = append(got, bytes.Count(m.Data, []byte{7}))
					}
				}
				if len(got) != len(c.want) {
					t.Fatalf("%v, want %v", got, c.want)
				}
				for i := range got {
					if got[i] != c.want[i] {
						t.Errorf("%v, want %v", got, c.want)
					}
				}
			})
		})
	}
}
