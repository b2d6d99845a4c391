// SPDX-License-Identifier: Apache-2.0

package vimu_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

func TestIdentities(t *testing.T) {
	for _, c := range []struct {
		model      vimu.Model
		reg, value byte
		name       string
	}{
		{vimu.MPU9250, 0x75, 0x71, "mpu9250"}, {vimu.MPU9255, 0x75, 0x73, "mpu9255"}, {vimu.MPU6500, 0x75, 0x70, "mpu6500"},
		{vimu.ICM20948, 0x00, 0xEA, "icm20948"},
	} {
		g := newRig(t, vimu.Config{Model: c.model})
		g.w(c.reg, 0x12) // read only
		if got := g.r(c.reg, 1)[0]; got != c.value || c.model.String() != c.name {
			t.Errorf("%v: %#02x", c.model, got)
		}
		g.Inject(vimu.Faults{ID: 0x42})
		if got := g.r(c.reg, 1)[0]; got != 0x42 {
			t.Errorf("%v: %#02x", c.model, got)
		}
	}
	if vimu.Model(9).String() != "unknown" {
		t.Error(vimu.Model(9))
	}
}

// TestSleepers: the ICM-20948 and the MPU-6500 measure nothing until they are woken; the MPU-9250 does at once.
func TestSleepingChips(t *testing.T) {
	for model, c := range map[vimu.Model]struct {
		data, power byte
		asleep      bool
	}{
		vimu.MPU9250: {0x3B, 0x6B, false}, vimu.MPU6500: {0x3B, 0x6B, true}, vimu.ICM20948: {0x2D, 0x06, true},
	} {
		g := newRig(t, vimu.Config{Model: model})
		g.wait(500)
		if zero := slices.Max(g.r(c.data, 14)) == 0; zero != c.asleep {
			t.Errorf("%v after power-on: all zero %v", model, zero)
		}
		g.w(c.power, 0x01)
		g.wait(20)
		if c.asleep && slices.Max(g.r(c.data, 14)) != 0 {
			t.Errorf("%v measures while the gyroscope starts", model)
		}
		g.wait(40)
		if z := g.words(c.data, 3)[2]; z < 14000 {
			t.Errorf("%v awake: z %d", model, z)
		}
	}
}

func TestReset(t *testing.T) {
	for model, c := range map[vimu.Model]struct{ power, after byte }{
		vimu.MPU9250: {0x6B, 0x01}, vimu.MPU6500: {0x6B, 0x40}, vimu.ICM20948: {0x06, 0x41},
	} {
		g := newRig(t, vimu.Config{Model: model})
		g.w(0x24, 0x55)
		g.w(c.power, 0x80)
		if got := g.r(c.power, 1)[0]; got&0x80 == 0 {
			t.Errorf("%v: reset at once: %#02x", model, got)
		}
		g.w(0x24, 0x66)
		g.wait(10)
		if got := g.r(c.power, 1)[0]; got != c.after || g.r(0x24, 1)[0] != 0 {
			t.Errorf("%v after reset: %#02x", model, got)
		}
		g.w(0x24, 0x77)
		g.Restart()
		if g.r(0x24, 1)[0] != 0 {
			t.Errorf("%v keeps registers without power", model)
		}
	}
}

// TestScales: counts per g and per °/s follow the range, in the chip's axes.
func TestScales(t *testing.T) {
	for code := range byte(4) {
		g := newRig(t, vimu.Config{Perfect: true})
		g.body.Accel, g.body.Gyro = [3]float64{g0 / 2, -g0 / 4, g0}, [3]float64{0, 0, 100 * math.Pi / 180}
		g.w(0x1B, code<<3, code<<3)
		g.wait(50)
		w := g.words(0x3B, 7)
		f := int16(1) << code
		if want := []int16{-4096 / f, -8192 / f, 16384 / f, 0, 0, 0, 13107 / f}; !close1(w, want) {
			t.Errorf("MPU, range %d: %d, want %d", code, w, want)
		}
		g = newRig(t, vimu.Config{Model: vimu.ICM20948, Perfect: true})
		g.body.Accel, g.body.Gyro = [3]float64{g0 / 2, -g0 / 4, g0}, [3]float64{0, 0, 100 * math.Pi / 180}
		g.w(0x06, 0x01)
		g.w(0x7F, 0x20)
		g.w(0x01, code<<1|1)
		g.w(0x14, code<<1|1)
		g.w(0x7F, 0x00)
		g.wait(50)
		if w, want := g.words(0x2D, 7), []int16{-4096 / f, -8192 / f, 16384 / f, 0, 0, 13107 / f, 0}; !close1(w, want) {
			t.Errorf("ICM, range %d: %d, want %d", code, w, want)
		}
	}
}

// close1 compares with one count of rounding.
func close1(a, b []int16) bool {
	for i := range a {
		if d := a[i] - b[i]; d < -1 || d > 1 {
			return false
		}
	}
	return len(a) == len(b)
}

func TestBanks(t *testing.T) {
	g := newRig(t, vimu.Config{Model: vimu.ICM20948})
	for bank := range byte(4) {
		g.w(0x7F, bank<<4|0x0F)
		g.w(0x60, 0xA0|bank)
	}
	for bank := range byte(4) {
		g.w(0x7F, bank<<4)
		if got := [2]byte{g.r(0x60, 1)[0], g.r(0x7F, 1)[0]}; got != [2]byte{0xA0 | bank, bank << 4} {
			t.Errorf("bank %d: % x", bank, got)
		}
	}
	if got := g.r(0x00, 1)[0]; got == 0xEA {
		t.Error("the identity shows in bank 3")
	}
}

// TestRate: the divider acts, on the MPU only with a filter between 1 and 6.
func TestRate(t *testing.T) {
	perSecond := func(g *rig, status byte) (n int) {
		for range 1000 {
			g.wait(1)
			n += int(g.r(status, 1)[0] & 1)
		}
		return n
	}
	for _, c := range []struct {
		filter byte
		want   int
	}{{3, 100}, {0, 1000}, {7, 1000}} {
		g := newRig(t, vimu.Config{})
		g.w(0x19, 9, c.filter)
		g.wait(50)
		if n := perSecond(g, 0x3A); n < c.want-1 || n > c.want+1 {
			t.Errorf("filter %d: %d samples/s, want %d", c.filter, n, c.want)
		}
	}
	g := newRig(t, vimu.Config{Model: vimu.ICM20948})
	g.wakeICM()
	g.w(0x7F, 0x20)
	g.w(0x00, 10)
	g.w(0x7F, 0x00)
	if n := perSecond(g, 0x1A); n < 101 || n > 104 {
		t.Errorf("ICM: %d samples/s", n)
	}
}

// TestNoise: the spread is that of the data sheet and falls with the bandwidth; the biases differ between chips and
// stay.
func TestNoise(t *testing.T) {
	measure := func(seed uint64, filter byte) (mean, sigma float64) {
		g := newRig(t, vimu.Config{Noise: noise.New(seed)})
		g.w(0x19, 9, filter, 0, 0, filter)
		g.wait(60)
		sum, sq, n := 0.0, 0.0, 3000.0
		for range int(n) {
			g.wait(10)
			v := float64(g.words(0x47, 1)[0]) / 131.072 // °/s
			sum, sq = sum+v, sq+v*v
		}
		return sum / n, math.Sqrt(sq/n - sum*sum/n/n)
	}
	m1, wide := measure(1, 1)
	m2, narrow := measure(2, 5)
	if want := 0.01 * math.Sqrt(1.57*184); math.Abs(wide-want) > 0.15*want || narrow > wide/3 {
		t.Errorf("standard deviations %.3f and %.3f °/s, want %.3f", wide, narrow, want)
	}
	if again, _ := measure(1, 5); math.Abs(again-m1) > 0.02 || math.Abs(m1-m2) < 0.02 || math.Abs(m1) > 3 {
		t.Errorf("biases %.3f, %.3f and %.3f °/s", m1, again, m2)
	}
}

func TestFaults(t *testing.T) {
	g := newRig(t, vimu.Config{})
	g.wait(50)
	g.r(0x3B, 14)
	g.Inject(vimu.Faults{Frozen: true})
	before := g.r(0x3B, 14)
	g.wait(50)
	if !slices.Equal(before, g.r(0x3B, 14)) {
		t.Error("a frozen chip measures")
	}
	g.Inject(vimu.Faults{Unplugged: true})
	if g.Ready() || g.Magnetometer().Ready() {
		t.Error("an unplugged chip answers")
	}
	g.Disturbed()
	if g.Receive(nil) != 0 {
		t.Error("an address probe")
	}
}

// An ICM-20948 just switched on sleeps: its measurements are zero.
func ExampleChip() {
	g := newRig(nil, vimu.Config{Model: vimu.ICM20948, Perfect: true})
	g.now += time.Second
	fmt.Println(g.words(0x2D, 3))
	g.wakeICM()
	fmt.Println(g.words(0x2D, 3))
	// Output:
	// [0 0 0]
	// [0 0 16384]
}
