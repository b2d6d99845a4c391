// SPDX-License-Identifier: Apache-2.0

package yuv

import "testing"

// BenchmarkConvert converts VGA frames; one operation is one frame.
func BenchmarkConvert(b *testing.B) {
	for _, c := range conversions {
		b.Run(c.name, func(b *testing.B) {
			dst, src := whole(640, 480, c.dst), whole(640, 480, c.src)
			for i := range src.Data {
				src.Data[i] = byte(70 + i*7%120) // as pictures are: hardly a value beyond the range
				if c.src == yuyvBytes && i%2 == 1 {
					src.Data[i] = byte(112 + i*7%32)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := c.run(dst, src); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}
