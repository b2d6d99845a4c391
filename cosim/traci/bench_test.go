// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"fmt"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// BenchmarkStep is a step of 0.1 s of functional robots that drive, with Veins' eight variables of each subscribed:
// what is simulated, sent, received and read.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			side := 0.7 * float64(n) / 100 * 2
			if n < 200 {
				side = 8
			}
			world := fmt.Sprintf("arena: {size: [%g, %g]}\nrobots: [{name: r, level: functional}]", side, side)
			g := serve(b, crowded(b, world, n), nil)
			p := g.connect()
			p.ok(step(0))
			for _, m := range g.sim.Robots() {
				p.ok(asking(0xd4, m.Name(), wire.NoDouble, wire.NoDouble, 0x42, 0x50, 0x40, 0x43, 0x5b, 0x44, 0xbc, 0x4d))
				p.ok(get(0xc4, 0x40, m.Name(), dbl(0.05)...))
			}
			bytes := 0
			for b.Loop() {
				rest := p.ok(step(0))
				bytes += len(rest)
				for rest = rest[4:]; len(rest) > 0; {
					var err error
					if _, rest, err = wire.Next(rest); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(0.1*float64(b.N)/b.Elapsed().Seconds(), "simulated-s/s")
			b.ReportMetric(float64(bytes)/float64(b.N), "B/step")
		})
	}
}

// crowded returns the text of a world with n robots.
func crowded(t testing.TB, text string, n int) string {
	t.Helper()
	w, err := sim.ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Distribute(w, n, sim.Uniform, 1); err != nil {
		t.Fatal(err)
	}
	text = fmt.Sprintf("arena: {size: [%g, %g]}\nrobots:\n", w.Arena.Size[0], w.Arena.Size[1])
	for _, r := range w.Robots {
		text += fmt.Sprintf("  - {name: %s, level: functional, position: [%g, %g], yaw: %g}\n", r.Name, r.Position[0], r.Position[1], r.Yaw)
	}
	return text
}

// A thousand robots with eight variables each: every result is there, in the order of subscribing.
func TestAThousandRobots(t *testing.T) {
	g := serve(t, crowded(t, "arena: {size: [14, 14]}\nrobots: [{name: r, level: functional}]", 1000), nil)
	p := g.connect()
	p.ok(step(0))
	var names []string
	for _, m := range g.sim.Robots() {
		names = append(names, m.Name())
		p.ok(asking(0xd4, m.Name(), wire.NoDouble, wire.NoDouble, 0x42, 0x50, 0x40, 0x43, 0x5b, 0x44, 0xbc, 0x4d))
	}
	got, bodies := results(t, p.ok(step(0)))
	if len(got) != len(names) {
		t.Fatalf("%d results of %d robots", len(got), len(names))
	}
	for i, r := range bodies {
		if got[i] != "\u00e4"+names[i] {
			t.Fatalf("result %d is of %q, want %q", i, got[i], names[i])
		}
		n := int(r.Byte())
		for range n {
			r.Byte()
			if status := r.Byte(); status != wire.OK {
				t.Fatalf("status %d", status)
			}
			r.Skip()
		}
		if n != 8 || r.Err() != nil || r.Left() > 0 {
			t.Fatalf("%s: %d variables, %v, %d bytes left", names[i], n, r.Err(), r.Left())
		}
	}
}
