// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// column is a cylinder in the arena, m.
type column struct{ x, y, radius float64 }

// distance returns the length of a horizontal ray in an arena from −1 to 1 m with columns, by independent formulas.
func distance(x, y, turn float64, columns ...column) float64 {
	s, c := math.Sincos(turn)
	way := math.Inf(1)
	for _, axis := range [2][2]float64{{x, c}, {y, s}} {
		if axis[1] != 0 {
			way = min(way, (math.Copysign(1, axis[1])-axis[0])/axis[1])
		}
	}
	for _, o := range columns {
		along := (o.x-x)*c + (o.y-y)*s
		aside := (o.x-x)*s - (o.y-y)*c
		if half := o.radius*o.radius - aside*aside; half > 0 && along > 0 {
			way = min(way, along-math.Sqrt(half))
		}
	}
	return way
}

// grazes reports whether a ray passes a column's edge so closely that rounding decides.
func grazes(x, y, turn float64, o column) bool {
	s, c := math.Sincos(turn)
	return math.Abs(math.Abs((o.x-x)*s-(o.y-y)*c)-o.radius) < 1e-6
}

// places draws the cart's pose: at least 0.112 m, its radius, from all walls and the column.
func places(t *rapid.T, o column) sim.Pose {
	for {
		x, y := rapid.Float64Range(-0.85, 0.85).Draw(t, "x"), rapid.Float64Range(-0.85, 0.85).Draw(t, "y")
		if math.Hypot(x-o.x, y-o.y) > 0.13+o.radius {
			return sim.Pose{X: x, Y: y, Theta: rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "yaw")}
		}
	}
}

// columnWorld returns the text of an arena with one column and a cart.
func columnWorld(o column) string {
	return fmt.Sprintf("arena: {size: [2, 2], height: 0.3}\ncylinders: [{position: [%g, %g], radius: %g, height: 0.3}]\nrobots:\n%s",
		o.x, o.y, o.radius, robotAt("cart", "cart", -0.5, -0.5, 0))
}

// A lidar measures the distances to walls and a column that an independent calculation yields, at any pose.
func TestLidarAgainstGeometry(t *testing.T) {
	const lidar = `<sensor name="scan" type="lidar"><lidar><scan><horizontal><samples>7</samples><min_angle>-1.5</min_angle><max_angle>3</max_angle></horizontal></scan><range><min>0.01</min><max>1.5</max></range></lidar></sensor>`
	o := column{0.3, 0.2, 0.15}
	r := newRig(t, columnWorld(o), withCart(lidar))
	check := func(t rapid.TB, p sim.Pose) {
		if err := sim.RobotsOf[*sim.Articulated](r.sim)[0].Place(p); err != nil {
			t.Fatal(err)
		}
		for i, got := range r.read(0, "scan") {
			turn := p.Theta - 1.5 + 0.75*float64(i)
			want := distance(p.X, p.Y, turn, o)
			if grazes(p.X, p.Y, turn, o) || math.Abs(want-1.5) < 1e-6 {
				continue
			}
			if want >= 1.5 {
				want = math.Inf(1)
			}
			if math.IsInf(want, 1) != math.IsInf(got, 1) || math.Abs(got-want) > 1e-6 {
				t.Fatalf("ray %d of %+v: %g, not %g", i, p, got, want)
			}
		}
	}
	check(t, sim.Pose{X: 0.85, Y: 0.5, Theta: 1.80078125}) // a ray whose direction is a bit longer than 1 meets nothing
	rapid.Check(t, func(t *rapid.T) { check(t, places(t, o)) })
}

// A sonar measures its cone's shortest ray, an infrared sensor the mean of its table's values of all rays.
func TestConesAgainstGeometry(t *testing.T) {
	table := description.Table{{Quantity: 0, Value: 1000}, {Quantity: 0.5, Value: 200}, {Quantity: 2}}
	eye := func(name string, kind description.DeviceKind, rays int, table description.Table) description.Device {
		cone := &description.Range{Max: 2, Aperture: 0.8, Rays: rays}
		return description.Device{Name: name, Kind: kind, Link: "hand", Range: cone, Table: table}
	}
	o := column{0.3, 0.2, 0.15}
	r := newRig(t, columnWorld(o), carrying(eye("us", description.Sonar, 3, nil), eye("cone", description.Sonar, 1, nil),
		eye("ir", description.Infrared, 4, table), eye("one", description.Infrared, 1, table)))
	rapid.Check(t, func(t *rapid.T) {
		p := places(t, o)
		if err := sim.RobotsOf[*sim.Articulated](r.sim)[0].Place(p); err != nil {
			t.Fatal(err)
		}
		answer := func(way float64) float64 {
			switch {
			case way < 0.5:
				return 1000 - way*1600
			case way < 2:
				return 200 - (way-0.5)*200/1.5
			}
			return 0
		}
		for name, rays := range map[string]int{"us": 3, "cone": 5, "ir": 4, "one": 1} {
			nearest, sum := math.Inf(1), 0.0
			for k := range rays {
				turn := p.Theta
				if rays > 1 {
					turn += 0.8 * (float64(k)/float64(rays-1) - 0.5)
				}
				if grazes(p.X, p.Y, turn, o) {
					return
				}
				way := distance(p.X, p.Y, turn, o)
				nearest, sum = min(nearest, way), sum+answer(way)
			}
			want := sum / float64(rays)
			if name == "us" || name == "cone" {
				if want = nearest; want >= 2 {
					want = math.Inf(1)
				}
			}
			if got := r.read(0, name)[0]; math.IsInf(want, 1) != math.IsInf(got, 1) || math.Abs(got-want) > 1e-5 {
				t.Fatalf("%s at %+v: %g, not %g", name, p, got, want)
			}
		}
	})
}
