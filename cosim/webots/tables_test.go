// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// lane is a robot that looks along x at a wall, with a floor and a lamp.
func lane(x, reflectance, light float64) string {
	return fmt.Sprintf("name: lane\narena: {center: [0, 0], size: [6, 2]}\nfloor: {reflectance: %g}\n"+
		"lights: [{name: lamp, position: [1, 0, 0.3], intensity: %g}]\nrobots: [{name: a, level: functional, position: [%g, 0]}]", reflectance, light, x)
}

// What devices are, to the byte.
func TestGoldenConfigurations(t *testing.T) {
	const (
		zero, one, ten, less = "0000000000000000", "000000000000f03f", "0000000000002440", "000000000000f0bf"
		hundred, hundredth   = "0000000000005940", "7b14ae47e17a843f"
		// speed is 1100 steps/s of 1000 a turn, wide 0.6557 rad, less −1.
		speed, wide = "34cb174361a51b40", "26bb22a881fbe43f"
	)
	p := serve(t, arena, func(c *webots.Config) { c.CameraWidth, c.CameraHeight = 160, 120 }).control("a")
	motor := "00000000" + zero + zero + speed + less + ten + ten + zero + zero + zero + speed + one + "00000000"
	for name, want := range map[string]string{
		"left wheel motor": motor, "right wheel motor": motor, "left wheel sensor": "00000000", "right wheel sensor": "00000000",
		"ls0":           "02000000" + one + "0000000000feaf40" + hundredth + "0000000000000040" + zero + hundredth,
		"accelerometer": "02000000" + "00000000000059c0" + "00000000000059c0" + "fa7e6abc7493683f" + hundred + hundred + "fa7e6abc7493683f",
		"camera":        "1b000000" + "a000" + "7800" + wide + "ba490c022b87763f" + "01" + wide + wide + "00" + "00" + one + zero + zero + zero + zero,
		"receiver":      "ffffffff" + "01000000" + "00000000",
		"emitter":       "ffffffff" + "01000000" + less + less + less + "00000000",
		"speaker":       "",
	} {
		if got, ok := p.configs[name]; !ok || hex.EncodeToString(got) != want {
			t.Errorf("%s: %x\nwant %s", name, got, want)
		}
	}
	if _, ok := p.configs["led0"]; ok {
		t.Error("a LED takes no message")
	}
	if n := len(p.configs); n != 30 {
		t.Errorf("%d devices have said what they are, want 30", n)
	}
}

// distance is what a distance sensor says of itself.
func (p *peer) distance(name string) (kind int32, lowest, highest, aperture float64, table [][3]float64) {
	r := &reader{p.t, p.configs[name]}
	kind, lowest, highest, aperture = r.int32(), r.float(), r.float(), r.float()
	for range r.int32() {
		table = append(table, [3]float64(r.floats(3)))
	}
	return kind, lowest, highest, aperture, table
}

// Sensors' lookup tables: distances go up, the numbers next to them are their ends, and all of a kind are alike.
func TestLookupTables(t *testing.T) {
	p := serve(t, arena, nil).control("a")
	for name, want := range map[string]struct {
		count, kind int32
		aperture    float64
		rows        int
		ends        [2][2]float64
	}{
		"ps":  {8, 1, robot.InfraredAperture, 11, [2][2]float64{{0, 4095}, {robot.InfraredReach, 0}}},
		"tof": {1, 0, robot.ToFAperture, 8, [2][2]float64{{0, 19.8}, {2, 2000}}},
		"gs":  {3, 1, 0, 2, [2][2]float64{{0, 1000}, {0.016, 300}}},
	} {
		for i := range want.count {
			device := fmt.Sprintf("%s%d", name, i)
			if want.count == 1 {
				device = name
			}
			kind, lowest, highest, aperture, table := p.distance(device)
			last := table[len(table)-1]
			ends := [2][2]float64{{table[0][0], table[0][1]}, {last[0], last[1]}}
			if kind != want.kind || aperture != want.aperture || len(table) != want.rows || ends != want.ends {
				t.Errorf("%s: type %d, aperture %g, %d rows from %v to %v", device, kind, aperture, len(table), ends[0], ends[1])
			}
			if low, high := min(ends[0][1], ends[1][1]), max(ends[0][1], ends[1][1]); lowest != low || highest != high {
				t.Errorf("%s reads %g to %g, its table %g to %g", device, lowest, highest, low, high)
			}
			for k := 1; k < len(table); k++ {
				rises := want.ends[1][1] > want.ends[0][1]
				if table[k][0] <= table[k-1][0] || rises && table[k][1] < table[k-1][1] || !rises && table[k][1] > table[k-1][1] || !(table[k][2] >= 0 && table[k][2] < 0.2) {
					t.Errorf("%s, row %d: %v behind %v", device, k, table[k], table[k-1])
				}
			}
		}
	}
	_, _, _, _, near := p.distance("ps0")
	if want := [3]float64{0.03, 234.93, 0.0241}; !reflect.DeepEqual(near[5], want) {
		t.Errorf("at 30 mm %v, want %v", near[5], want)
	}
}

// meters is the distance that a table has for a reading.
func meters(table [][3]float64, v float64) float64 {
	for i := 1; i < len(table); i++ {
		a, b := table[i-1], table[i]
		if (v-a[1])*(v-b[1]) <= 0 && a[1] != b[1] {
			return a[0] + (b[0]-a[0])*(v-a[1])/(b[1]-a[1])
		}
	}
	return math.NaN()
}

// A controller that looks a reading up has the distance: a robot 10 cm further off reads 10 cm more, and 1 % for the
// beam's width.
func TestReadingsAreByTheirTables(t *testing.T) {
	read := func(x, reflectance, light float64, names ...string) (p *peer, v []float64) {
		p = serve(t, lane(x, reflectance, light), nil).control("a")
		for _, name := range names {
			p.do(0, p.period(name, 32))
		}
		p.do(32)
		for _, name := range names {
			v = append(v, p.value(name))
		}
		return p, v
	}
	p, v := read(2.9, 0.5, 0, "tof", "ps0", "ls0")
	_, _, _, _, table := p.distance("tof")
	first := meters(table, v[0])
	for _, x := range []float64{2.8, 2.4, 1.9, 1.3} {
		_, far := read(x, 0.5, 0, "tof", "ps0")
		if got := meters(table, far[0]) - first; math.Abs(got-(2.9-x)) > 0.002+0.01*(2.9-x) || far[1] != 0 || v[1] < 40 {
			t.Errorf("%g m further off the sensor says %g m; ps0 %g, before %g", 2.9-x, got, far[1], v[1])
		}
	}
	if _, v := read(-2.5, 0.5, 0, "tof"); v[0] != 2000 {
		t.Errorf("5 m off it reads %g", v[0])
	}
	dark := v[2]
	for _, c := range [][2]float64{{0.2, 0.8}, {0.8, 1}, {1, 1.2}} {
		_, v := read(0, c[0], c[1], "gs0", "gs2", "ls0")
		if math.Abs(v[0]-1000*c[0]) > 1 || v[1] != v[0] {
			t.Errorf("over a floor of %g the ground sensors read %g and %g", c[0], v[0], v[1])
		}
		if !(v[2] < dark && v[2] >= 0 && dark <= 4095) {
			t.Errorf("with a lamp of %g ls0 reads %g, in the dark %g", c[1], v[2], dark)
		}
		dark = v[2]
	}
}

// The gyro's number is by its table, and the wheels' sensors count whole steps.
func TestGyroAndWheelsByTheirTables(t *testing.T) {
	g := serve(t, lane(0, 0.5, 0), nil)
	p := g.control("a")
	p.do(500, append(p.drive(-2, 2), p.period("gyro", 500), p.period("left wheel sensor", 500), p.period("right wheel sensor", 500))...)
	turn := 0.0
	for _, a := range sim.RobotsOf[*sim.Functional](g.sim) {
		turn = a.GroundTruth().Omega
	}
	r := &reader{t, p.configs["gyro"]}
	low, high := r.next(4 + 24)[4:], r.floats(2)
	if first := (&reader{t, low}).floats(2); first[0] != -high[0] || first[1] != -high[1] {
		t.Errorf("the table goes from %v to %v", first, high)
	}
	if got := p.values[p.names["gyro"]][2] / high[1] * high[0]; turn < 1 || math.Abs(got-turn) > 0.02*turn {
		t.Errorf("the gyro says %g rad/s, it turns with %g", got, turn)
	}
	for name, sign := range map[string]float64{"left wheel sensor": -1, "right wheel sensor": 1} {
		steps := p.value(name) * 1000 / (2 * math.Pi)
		if math.Abs(steps-math.Round(steps)) > 1e-6 || math.Abs(p.value(name)-sign) > 0.03 {
			t.Errorf("%s: %g rad, %g steps", name, p.value(name), steps)
		}
	}
}
