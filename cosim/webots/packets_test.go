// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// trio are the controllers of all robots of the world, which advance together.
type trio map[string]*peer

func (g *rig) trio() trio {
	all := trio{}
	for _, name := range []string{"a", "b", "c"} {
		all[name] = g.control(name)
	}
	return all
}

// step lets 32 ms pass; what is wanted is by the robots' names.
func (all trio) step(parts map[string]wire.Part) {
	var group task.Group
	for name, p := range all {
		group.Go(name, func() {
			if part, ok := parts[name]; ok {
				p.do(32, part)
				return
			}
			p.do(32)
		})
	}
	group.Wait()
}

func together(c *webots.Config) { c.Controllers = 3 }

// A packet goes to those of its channel within its range, and not to who has sent it.
func TestChannelsAndRanges(t *testing.T) {
	all := serve(t, arena, together).trio()
	tuned := func(name string, channel byte) wire.Part {
		return all[name].part("receiver", wire.Period, 32, 0, wire.ReceiverChannel, channel, 0, 0, 0)
	}
	all.step(map[string]wire.Part{"a": tuned("a", 1), "b": tuned("b", 2), "c": tuned("c", 1)})
	for _, c := range []struct {
		from    string
		channel int32
		reach   float64
		heard   string // who
	}{
		{"a", 1, -1, "c"}, {"a", 2, -1, "b"}, {"a", -1, -1, "bc"}, {"a", 3, -1, ""}, {"a", 0, -1, ""},
		{"c", 1, -1, "a"}, {"c", -1, -1, "ab"}, {"c", -1, 0.21, "b"}, {"c", -1, 0.19, ""}, {"c", -1, 0, ""},
		{"a", -1, 1.31, "c"}, {"a", -1, 1.29, ""}, {"a", -1, 1.49, "bc"}, // c is 1.3 m away, b 1.487 m
		{"a", 1, math.Inf(1), "c"}, {"a", 1, math.NaN(), "c"}, {"a", 1, -7, "c"},
	} {
		for _, p := range all {
			p.heard = nil
		}
		text := fmt.Sprintf("%s on %d", c.from, c.channel)
		all.step(map[string]wire.Part{c.from: all[c.from].part("emitter", sent(c.channel, c.reach, text)...)})
		heard := ""
		for _, name := range []string{"a", "b", "c"} {
			if p := all[name]; slices.Equal(p.heard, []string{text}) {
				heard += name
			} else if len(p.heard) > 0 {
				t.Errorf("%+v: %s has heard %q", c, name, p.heard)
			}
		}
		if heard != c.heard {
			t.Errorf("%+v is heard by %q", c, heard)
		}
	}
}

// The direction of a packet is given in the frame of the receiving robot, and its strength is 1/distance².
func TestDirections(t *testing.T) {
	turned := strings.Replace(arena, "[0.9, 0]}", "[0.9, 0], yaw: 1.5707963267948966}", 1) // a looks along y
	all := serve(t, turned, together).trio()
	for _, p := range all {
		p.do(0, p.part("receiver", wire.Period, 32, 0, wire.ReceiverChannel, 0xFF, 0xFF, 0xFF, 0xFF))
	}
	for _, c := range []struct {
		from, to string
		dx, dy   float64 // ahead and to the left, m
	}{{"a", "b", 1.4, -0.5}, {"a", "c", -1.2, 0.5}, {"b", "a", 0.5, 1.4}, {"c", "a", 0.5, 1.2}, {"b", "c", 0.2, 0}, {"c", "b", 0.2, 0}} {
		all.step(map[string]wire.Part{c.from: all[c.from].part("emitter", sent(5, -1, "here")...)})
		d := math.Hypot(c.dx, c.dy)
		got := all[c.to].values[all[c.to].names["receiver"]]
		for i, want := range []float64{c.dx / d, c.dy / d, 0, 1 / (d * d), 5} {
			if math.Abs(got[i]-want) > 1e-9*max(1, want) {
				t.Errorf("%s hears %s at %v: number %d should be %g", c.to, c.from, got, i, want)
			}
		}
	}
}

// A receiver keeps what comes until its period ends, in order, 1024 packets at most: the oldest are lost. One that is
// off hears nothing, and what it had is gone.
func TestPacketsWait(t *testing.T) {
	all := serve(t, arena, together).trio()
	a, b, c := all["a"], all["b"], all["c"]
	say := func(p *peer, text ...string) wire.Part {
		var body []byte
		for _, s := range text {
			body = append(body, emission(s)...)
		}
		return p.part("emitter", body...)
	}
	all.step(map[string]wire.Part{"a": say(a, "before"), "b": b.period("receiver", 96)})
	all.step(map[string]wire.Part{"a": say(a, "a1", "a2"), "c": say(c, "c1")})
	if len(b.heard) != 0 {
		t.Errorf("before its time b has heard %q", b.heard)
	}
	all.step(map[string]wire.Part{"a": say(a, "", "\x00\xff")})
	if want := []string{"before", "a1", "a2", "c1", "", "\x00\xff"}; !slices.Equal(b.heard, want) {
		t.Errorf("b has heard %q, want %q", b.heard, want)
	}
	b.heard = nil
	var many []string
	for i := range 1030 {
		many = append(many, fmt.Sprint(i))
	}
	all.step(map[string]wire.Part{"a": say(a, many...)})
	all.step(nil)
	all.step(nil)
	if !slices.Equal(b.heard, many[6:]) {
		t.Errorf("b has heard %d packets, the first %q", len(b.heard), slices.Concat(b.heard, []string{""})[0])
	}
	b.heard = nil
	long := string(bytes.Repeat([]byte("x"), 1<<20))
	all.step(map[string]wire.Part{"c": say(c, "lost")})
	all.step(map[string]wire.Part{"b": b.period("receiver", 0), "c": say(c, "lost, too")})
	all.step(map[string]wire.Part{"b": b.period("receiver", 32), "c": say(c, long)})
	if !slices.Equal(b.heard, []string{long}) {
		t.Errorf("b has heard %d packets", len(b.heard))
	}
	if len(a.heard)+len(c.heard) > 0 {
		t.Errorf("without a period a has heard %q, c %q", a.heard, c.heard)
	}
}
