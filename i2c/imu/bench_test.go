// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
)

// quiet returns blocks that differ.
type quiet struct{ n byte }

func (q *quiet) answer(r []byte) {
	for i := range r {
		r[i] = byte(i) + 1
	}
	q.n++
	r[len(r)-1] = q.n
}

// BenchmarkTake is what is made of a block: decoding, rotation, bias.
func BenchmarkTake(b *testing.B) {
	g := newRig(b, vimu.Config{}, &Opts{NoMagnetometer: true, CheckInterval: time.Hour})
	g.up()
	q := &quiet{}
	now := g.time()
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(10 * time.Millisecond)
		q.answer(g.dev.r[:BlockSize])
		var s Reading
		if _, err := g.dev.convert(now); err != nil || g.dev.Sense(&s) != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPollVirtual is the same with the virtual chip and bus.
func BenchmarkPollVirtual(b *testing.B) {
	g := newRig(b, vimu.Config{}, nil)
	g.up()
	b.ReportAllocs()
	for b.Loop() {
		g.poll()
	}
}
