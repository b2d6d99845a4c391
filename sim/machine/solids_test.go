// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// modelled returns a world of one robot with the given description.
func modelled(t testing.TB, world, text string, change ...func(*sim.Options)) *rig {
	t.Helper()
	return newRig(t, world, append(change, func(o *sim.Options) {
		o.Mechanisms = machine.Maker(library.Parse, func(name string) (*description.Robot, error) { return library.Parse(name, []byte(text)) })
	})...)
}

// outline returns the solids of the first articulated robot.
func (r *rig) outline() (s []geom.Shape) {
	sim.RobotsOf[*sim.Articulated](r.sim)[0].Do(func(g sim.Mechanism) { s = g.Outline(nil) })
	return s
}

// The solids are the shapes seen from above, with their heights, without those that others contain.
func TestSolids(t *testing.T) {
	link := func(shapes string) string { return `<robot name="r"><link name="base">` + shapes + `</link></robot>` }
	shape := func(at, geometry string) string {
		return `<collision><origin ` + at + `/><geometry>` + geometry + `</geometry></collision>`
	}
	const disc, box = `<cylinder radius="0.1" length="0.2"/>`, `<box size="0.4 0.2 0.1"/>`
	var many strings.Builder
	for i := range 60 {
		many.WriteString(shape(fmt.Sprintf(`xyz="%g 0 0.1"`, 0.05*float64(i)), `<sphere radius="0.01"/>`))
	}
	for name, c := range map[string]struct {
		text   string
		n      int
		reach  float64 // of the first
		height float64
	}{
		"disc":            {link(shape(`xyz="0 0 0.1"`, disc)), 1, 0.1, 0.2},
		"ball":            {link(shape(`xyz="0 0 0.3"`, `<sphere radius="0.3"/>`)), 1, 0.3, 0.6},
		"box":             {link(shape(`xyz="0 0 0.05"`, box)), 1, math.Hypot(0.2, 0.1), 0.1},
		"lying cylinder":  {link(shape(`xyz="0 0 0.1" rpy="1.5707963267949 0 0"`, disc)), 1, math.Hypot(0.1, 0.1), 0.2},
		"upright box":     {link(shape(`xyz="0 0 0.2" rpy="0 1.5707963267949 0"`, box)), 1, math.Hypot(0.05, 0.1), 0.4},
		"one in another":  {link(shape(`xyz="0 0 0.05"`, box) + shape(`xyz="0 0 0.2"`, `<sphere radius="0.05"/>`)), 1, math.Hypot(0.2, 0.1), 0.25},
		"in other order":  {link(shape(`xyz="0 0 0.2"`, `<sphere radius="0.05"/>`) + shape(`xyz="0 0 0.05"`, box)), 1, math.Hypot(0.2, 0.1), 0.25},
		"two":             {link(shape(`xyz="0 0 0.1"`, disc) + shape(`xyz="1 0 0.1"`, disc)), 2, 0.1, 0.2},
		"more than 24":    {link(many.String()), 1, math.Hypot(0.5*(59*0.05+0.02), 0.01), 0.02},
		"nothing":         {link(""), 1, 0.05, 0.05},
		"on the floor":    {link(shape(`xyz="0 0 5"`, disc)), 1, 0.1, 0.2},
		"under the floor": {link(shape(`xyz="0 0 -5"`, disc)), 1, 0.1, 0.2},
	} {
		s := modelled(t, "robots:\n"+robotAt("x", "x", 0, 0, 0.3), c.text).outline()
		if len(s) != c.n || math.Abs(s[0].Reach()-c.reach) > 0.001+c.reach*0.04 || math.Abs(s[0].Height()-c.height) > 1e-9 {
			t.Errorf("%s: %d solids, the first reaches %g m, %g m high", name, len(s), s[0].Reach(), s[0].Height())
		}
	}
}

// Models that can't be simulated are rejected by this package or by the description's check.
func TestModelsThatCannotBe(t *testing.T) {
	base := cart("")
	for name, c := range map[string]struct {
		change func(d *description.Robot)
		want   error
	}{
		"a wheel that follows": {func(d *description.Robot) { d.Joints[0].Mimic = &description.Mimic{Joint: "right"} }, machine.ErrModel},
		"an encoder of nothing": {func(d *description.Robot) {
			d.Devices = []description.Device{{Kind: description.Encoder, Link: "base", Joint: "none"}}
		}, machine.ErrModel},
		"a picture of a gigapixel": {func(d *description.Robot) { d.Devices = picture(16384, 16384) }, machine.ErrModel},
		"two roots":                {func(d *description.Robot) { d.Joints = d.Joints[1:] }, description.ErrTree},
		"no link":                  {func(d *description.Robot) { d.Links = nil }, description.ErrTree},
	} {
		w, err := sim.ParseWorld([]byte("robots:\n" + robotAt("x", "x", 0, 0, 0)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = sim.New(w, sim.Options{Mechanisms: machine.Maker(library.Parse, func(string) (*description.Robot, error) {
			d, err := library.Parse("cart", []byte(base))
			if err == nil {
				c.change(d)
			}
			return d, err
		})})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func picture(width, height int) []description.Device {
	return []description.Device{{Name: "eye", Kind: description.Camera, Link: "base", Image: &description.Image{Width: width, Height: height, FieldOfView: 1}}}
}

// A joint that follows another one carries devices with it.
func TestMimic(t *testing.T) {
	text := strings.Replace(cart(`<sensor name="gps" type="gps"/>`), `<limit lower="0" upper="0.3"`, `<mimic joint="turn" multiplier="0.1" offset="0.05"/><limit lower="0" upper="0.3"`, 1)
	r := modelled(t, arena(robotAt("cart", "cart", 0.1, 0.2, 1)), text)
	near(t, "at rest", r.read(0, "gps")[2], 0.15, 1e-9)
	r.do(0, func(m *machine.Machine) { m.SetPosition(jointOf(m, "turn"), 1, 0.5) })
	r.pass(time.Second)
	r.do(0, func(m *machine.Machine) {
		s := m.Joint(jointOf(m, "lift"))
		near(t, "position", s.Position, 0.1, 1e-9)
		near(t, "velocity", s.Velocity, 0.05, 1e-9)
	})
	v := r.read(0, "gps")
	near(t, "x", v[0], 0.1, 1e-9)
	near(t, "y", v[1], 0.2, 1e-9)
	near(t, "lifted", v[2], 0.2, 1e-9)
}

// The error of the distance of slipping wheels has the standard deviation of the world file after 1 m.
func TestSlip(t *testing.T) {
	world := "robots:\n  - {name: x, model: cart, position: [0, 0], variation: {slip: 0.004}}\n"
	r := modelled(t, world, cart(""))
	sum, squares, n := 0.0, 0.0, 200
	for i := range n {
		speed := 5.0
		if i%2 == 1 {
			speed = -5
		}
		before := r.pose(0)
		r.drive(0, speed, speed)
		r.pass(time.Second) // 0.1 m
		after := r.pose(0)
		off := math.Hypot(after.X-before.X, after.Y-before.Y) - 0.1
		sum, squares = sum+off, squares+off*off
	}
	near(t, "mean", sum/float64(n), 0, 0.0003)
	near(t, "deviation of the mean of both wheels", math.Sqrt(squares/float64(n)), 0.004*math.Sqrt(0.1)/math.Sqrt2, 0.0001)
}

// A lidar of several layers sees over what is low with its upper ones, and the floor with its lower ones.
func TestLayers(t *testing.T) {
	const lidar = `<sensor name="scan" type="lidar"><lidar><scan><horizontal><samples>2</samples><min_angle>0</min_angle><max_angle>1</max_angle></horizontal></scan><range><min>0</min><max>3</max></range></lidar></sensor>`
	world := "arena: {size: [2, 2], height: 0.12}\nrobots:\n" + robotAt("cart", "cart", 0, 0, 0)
	r := newRig(t, world, func(o *sim.Options) {
		o.Mechanisms = machine.Maker(library.Parse, func(name string) (*description.Robot, error) {
			d, err := library.Parse(name, []byte(cart(lidar)))
			if err == nil {
				d.Devices[0].Fan.Layers, d.Devices[0].Fan.Height = 3, 1
			}
			return d, err
		})
	})
	v := r.read(0, "scan")
	if len(v) != 6 {
		t.Fatal(v)
	}
	if !math.IsInf(v[0], 1) {
		t.Errorf("over the wall: %g", v[0])
	}
	near(t, "the wall", v[2], 1, 1e-6)
	near(t, "the floor", v[4], 0.1/math.Sin(0.5), 1e-6)
}

// The magnetic field turns with the robot.
func TestCompass(t *testing.T) {
	r := modelled(t, "robots:\n"+robotAt("cart", "cart", 0, 0, math.Pi/2), cart(`<sensor name="north" type="magnetometer"/>`))
	v := r.read(0, "north")
	near(t, "north is ahead", v[0], 22e-6, 1e-12)
	near(t, "none to the left", v[1], 0, 1e-12)
	near(t, "down", v[2], -43e-6, 1e-12)
}
