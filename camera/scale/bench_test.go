// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"fmt"
	"testing"
)

// BenchmarkScale scales VGA frames; one operation is one frame.
func BenchmarkScale(b *testing.B) {
	for name, l := range map[string]Layout{"YUYV": YUYV, "RGB": RGB, "Mono": Mono} {
		for _, to := range []size{{320, 240}, {160, 120}, {400, 300}} {
			b.Run(fmt.Sprintf("%s/%dx%d", name, to.width, to.height), func(b *testing.B) {
				s, err := New(l, 640, 480, to.width, to.height)
				if err != nil {
					b.Fatal(err)
				}
				src, dst := whole(l, 640, 480), whole(l, to.width, to.height)
				b.ReportAllocs()
				for b.Loop() {
					if err := s.Scale(dst, src); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
			})
		}
	}
}
