// SPDX-License-Identifier: Apache-2.0

package ground_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// BenchmarkPoll reports the cost of a reading: processor time, virtual board included, and bus time at 100 kHz.
func BenchmarkPoll(b *testing.B) {
	for name, cliff := range map[string]bool{"3 sensors": false, "5 sensors": true} {
		b.Run(name, func(b *testing.B) {
			var wire time.Duration
			bus := vbus.New(vbus.Config{Sleep: func(d time.Duration) { wire += d }})
			board := vground.New(vground.Config{Floor: &plane{0.9, 0.9, 0.9, 0.9, 0.9}, Cliff: cliff, Noise: noise.New(1)})
			if err := bus.Attach(vground.Address, board); err != nil {
				b.Fatal(err)
			}
			dev, err := ground.New(bus, ground.Addr, nil)
			if err != nil {
				b.Fatal(err)
			}
			now, n := time.Unix(0, 0), 0
			if _, err := dev.Poll(now); err != nil {
				b.Fatal(err)
			}
			wire = 0
			b.ReportAllocs()
			for b.Loop() {
				if _, err := dev.Poll(now); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(wire.Microseconds())/float64(n), "bus-µs/op")
		})
	}
}
