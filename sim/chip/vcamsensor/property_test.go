// SPDX-License-Identifier: Apache-2.0

package vcamsensor_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// sensor is either.
type sensor interface {
	vbus.Chip
	vbus.Restarter
	Output() vcamsensor.Output
}

// TestAnyRegisters: whatever is written, the sensor keeps its identity, gives a picture that can be computed with, and
// after a restart is as new.
func TestAnyRegisters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c, fresh sensor = vcamsensor.NewOV7670(nil), vcamsensor.NewOV7670(nil)
		id, want := byte(0x0A), byte(0x76)
		if rapid.Bool().Draw(t, "po") {
			c, fresh = vcamsensor.NewPO(vcamsensor.PO8030), vcamsensor.NewPO(vcamsensor.PO8030)
			id, want = 0, 0x80
		}
		for range rapid.IntRange(0, 80).Draw(t, "n") {
			w := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "w")
			if n := c.Receive(w); n != len(w) {
				t.Fatalf("% x: %d acknowledged", w, n)
			}
			c.Transmit(make([]byte, rapid.IntRange(0, 3).Draw(t, "r")))
		}
		if got := read(c, id, 1)[0]; got != want {
			t.Fatalf("identity %#02x", got)
		}
		o := c.Output()
		for _, v := range []float64{o.Rate, o.Gain, o.Red, o.Green, o.Blue, o.Exposure.Seconds()} {
			if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				t.Fatalf("%+v", o)
			}
		}
		if o.Rate == 0 || o.Usable() && (o.Width != 640 || !o.YUYV) {
			t.Fatalf("%+v", o)
		}
		if c.Restart(); c.Output() != fresh.Output() {
			t.Fatalf("%+v after a restart", c.Output())
		}
	})
}
