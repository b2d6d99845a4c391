// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

func vec(x, y float64) geom.Vec { return geom.Vec{X: x, Y: y} }

// withCart adds devices to the arms of the carts of a world.
func withCart(devices string) func(*sim.Options) {
	return func(o *sim.Options) {
		o.Mechanisms = machine.Maker(library.Parse, func(name string) (*description.Robot, error) {
			if name == "cart" {
				return library.Parse(name, []byte(cart(devices)))
			}
			return library.Load(name)
		})
	}
}

// Every device of the library measures Values numbers, and the same ones again.
func TestValues(t *testing.T) {
	for _, name := range library.Names() {
		r := newRig(t, arena(robotAt("x", name, 0.3, 0.2, 1)), func(o *sim.Options) { o.Quiet = false })
		r.pass(50 * time.Millisecond)
		r.do(0, func(m *machine.Machine) {
			for i := range m.Description().Devices {
				d := &m.Description().Devices[i]
				v, again := m.Measure(i, nil), m.Measure(i, nil)
				if len(v) != machine.Values(d) || !slices.Equal(v, again) {
					t.Errorf("%s: %s %q measures %v and %v, not %d values", name, d.Kind, d.Name, v, again, machine.Values(d))
				}
			}
		})
	}
}

// A lidar measures the distances to walls, from the pose given by its joints.
func TestLidar(t *testing.T) {
	const lidar = `<sensor name="scan" type="lidar"><lidar><scan><horizontal><samples>4</samples><min_angle>0</min_angle><max_angle>4.71238898</max_angle></horizontal></scan><range><min>0.1</min><max>3</max></range></lidar></sensor>`
	r := newRig(t, arena(robotAt("cart", "cart", 0.2, 0.3, 0)), withCart(lidar))
	want := func(what string, want ...float64) {
		t.Helper()
		got := r.read(0, "scan")
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-6 && !math.IsInf(want[i], 1) || math.IsInf(want[i], 1) != math.IsInf(got[i], 1) {
				t.Errorf("%s: %v, not %v", what, got, want)
			}
		}
	}
	want("at rest", 0.8, 0.7, 1.2, 1.3)
	r.do(0, func(m *machine.Machine) { m.SetPosition(jointOf(m, "turn"), math.Pi/2, 0) })
	r.pass(2 * time.Second)
	want("turned", 0.7, 1.2, 1.3, 0.8)
	r.do(0, func(m *machine.Machine) { m.SetPosition(jointOf(m, "lift"), 0.25, 0) })
	r.pass(4 * time.Second)
	none := math.Inf(1)
	want("over the walls", none, none, none, none)
}

// Measurements have the deviation of the table, and none in a quiet world.
func TestNoise(t *testing.T) {
	const eye = `<sensor name="ir" type="custom" gz:type="infrared"><range><min>0</min><max>2</max></range><rays>1</rays><table>0 1000 0.02  2 1000 0.02</table></sensor>`
	r := newRig(t, arena(robotAt("a", "cart", 0, 0, 0), robotAt("b", "cart", 0, 0.5, 0)), withCart(eye), func(o *sim.Options) { o.Quiet = false })
	sum, squares, same, n := 0.0, 0.0, 0, 400
	for range n {
		r.pass(10 * time.Millisecond)
		v := r.read(0, "ir")[0]
		sum, squares = sum+v, squares+(v-1000)*(v-1000)
		if v == r.read(1, "ir")[0] {
			same++
		}
	}
	near(t, "mean", sum/float64(n), 1000, 4)
	near(t, "deviation", math.Sqrt(squares/float64(n)), 20, 3)
	if same > 0 {
		t.Errorf("two robots drew the same noise %d times", same)
	}
}

// At rest an IMU measures gravity; in a curve also the rotation and the centripetal acceleration.
func TestInertial(t *testing.T) {
	const imu = `<sensor name="imu" type="imu"/>`
	r := newRig(t, "robots:\n"+robotAt("cart", "cart", 0, 0, 0.5), withCart(imu))
	v := r.read(0, "imu")
	near(t, "gravity", v[2], 9.80665, 1e-9)
	near(t, "yaw", v[8], 0.5, 1e-9)
	r.drive(0, 5, 7)
	r.pass(time.Second)
	v = r.read(0, "imu")
	near(t, "turning", v[5], 0.4, 1e-9)
	near(t, "inwards", v[1], 0.4*0.12, 1e-9)
	near(t, "ahead", v[0], 0, 1e-9)
}

// The other devices: LED, contact, battery, light, floor, picture, packets.
func TestOtherDevices(t *testing.T) {
	const all = `<sensor name="led" type="custom" gz:type="led"/><sensor name="bump" type="contact"/><sensor name="light" type="custom" gz:type="light"/>
		<sensor name="floor" type="custom" gz:type="ground"/><sensor name="eye" type="camera"><camera><horizontal_fov>1</horizontal_fov><image><width>33</width><height>21</height></image></camera></sensor>`
	text := "ambient_irradiance: 1.5\nfloor: {reflectance: 0.25}\n" + arena(robotAt("cart", "cart", 0, 0, 0))
	r := newRig(t, text, withCart(all))
	r.do(0, func(m *machine.Machine) { m.SetLED(deviceOf(t, m, "led"), [3]float64{0.5, 7, math.NaN()}) })
	if v := r.read(0, "led"); !slices.Equal(v, []float64{0.5, 1, 0}) {
		t.Errorf("LED: %v", v)
	}
	near(t, "light", r.read(0, "light")[0], 1.5, 0)
	near(t, "floor", r.read(0, "floor")[0], 0.25, 0)
	near(t, "touches nothing", r.read(0, "bump")[0], 0, 0)
	r.drive(0, 30, 30)
	r.pass(5 * time.Second)
	near(t, "touches the wall", r.read(0, "bump")[0], 1, 0)
	var far, close []byte
	picture := func() (p []byte) {
		r.do(0, func(m *machine.Machine) { p = bytes.Clone(m.Picture(deviceOf(t, m, "eye"), nil)) })
		return p
	}
	close = picture()
	if err := sim.RobotsOf[*sim.Articulated](r.sim)[0].Place(sim.Pose{Theta: 2}); err != nil {
		t.Fatal(err)
	}
	if far = picture(); len(far) != 4*33*21 || bytes.Equal(far, close) || far[3] != 255 {
		t.Errorf("pictures of %d bytes", len(far))
	}
}

// A packet arrives once, in the next cycle, at receivers in range and of the same channel.
func TestPackets(t *testing.T) {
	desc := func(kind description.DeviceKind, channel int) description.Device {
		return description.Device{Name: string(kind) + fmt.Sprint(channel), Kind: kind, Link: "base", Radio: &description.Radio{Channel: channel, Range: 1}}
	}
	maker := machine.Maker(library.Parse, func(string) (*description.Robot, error) {
		d, err := library.Parse("cart", []byte(cart("")))
		if err == nil {
			d.Devices = []description.Device{desc(description.Emitter, 1), desc(description.Receiver, 1), desc(description.Receiver, 2)}
		}
		return d, err
	})
	text := "robots:\n" + robotAt("a", "c", 0, 0, 0) + robotAt("b", "c", 0.5, 0, math.Pi) + robotAt("d", "c", 3, 0, 0)
	r := newRig(t, text, func(o *sim.Options) { o.Mechanisms = maker })
	r.do(0, func(m *machine.Machine) {
		if err := m.Send(0, []byte("hello")); err != nil {
			t.Error(err)
		}
		if err := m.Send(1, nil); !errors.Is(err, machine.ErrDevice) {
			t.Errorf("a receiver that sends: %v", err)
		}
		if err := m.Send(0, make([]byte, 1<<17)); !errors.Is(err, machine.ErrDevice) {
			t.Errorf("a packet of 128 KB: %v", err)
		}
	})
	heard := func(robot, device int) (p machine.Packet, ok bool) {
		r.do(robot, func(m *machine.Machine) { p, ok = m.Receive(device) })
		return p, ok
	}
	if _, ok := heard(1, 1); ok {
		t.Error("received before it is sent")
	}
	r.pass(10 * time.Millisecond)
	if p, ok := heard(1, 1); !ok || string(p.Data) != "hello" || math.Abs(p.Strength-4) > 1e-9 || math.Abs(p.Direction[0]-1) > 1e-9 {
		t.Errorf("%v %+v", ok, p)
	}
	for _, where := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {0, 1}} {
		if _, ok := heard(where[0], where[1]); ok {
			t.Errorf("robot %d received it at device %d", where[0], where[1])
		}
	}
}

// TestBiasIsDrawnOnce: the bias of an axis is constant, and differs between axes and robots.
func TestBiasIsDrawnOnce(t *testing.T) {
	const imu = `<sensor name="imu" type="imu"><imu><angular_velocity>
		<x><noise type="gaussian"><bias_stddev>0.1</bias_stddev></noise></x>
		<y><noise type="gaussian"><bias_stddev>0.1</bias_stddev></noise></y>
		<z><noise type="gaussian"><bias_mean>2</bias_mean></noise></z></angular_velocity></imu></sensor>`
	r := newRig(t, arena(robotAt("a", "cart", 0, 0, 0), robotAt("b", "cart", 0, 0.5, 0)), withCart(imu), func(o *sim.Options) { o.Quiet = false })
	a, b := r.read(0, "imu"), r.read(1, "imu")
	if a[3] == 0 || a[3] == a[4] || a[3] == b[3] || math.Abs(a[5]) != 2 || a[2] != 9.80665 {
		t.Errorf("%v, %v", a, b)
	}
	r.pass(time.Second)
	if again := r.read(0, "imu"); !slices.Equal(a[:6], again[:6]) {
		t.Errorf("%v, a second later %v", a, again)
	}
	quiet := newRig(t, arena(robotAt("a", "cart", 0, 0, 0)), withCart(imu))
	if v := quiet.read(0, "imu"); v[3] != 0 || v[5] != 0 {
		t.Errorf("a quiet one: %v", v)
	}
}

// TestConverterHasStepsAndLimits: also in a quiet world, and for values with noise.
func TestConverterHasStepsAndLimits(t *testing.T) {
	const devices = `<sensor name="imu" type="imu"><imu><linear_acceleration>
		<x><noise type="gaussian_quantized"><mean>0.3</mean><precision>0.25</precision></noise></x>
		<z><noise type="gaussian"><min>-9</min><max>9</max></noise></z></linear_acceleration></imu></sensor>
		<sensor name="light" type="custom" gz:type="light"><noise type="gaussian"><min>0</min><max>4095</max></noise><table>0 8190 0.5  2 0 0.5</table></sensor>`
	text := "ambient_irradiance: 1.01\n" + arena(robotAt("a", "cart", 0, 0, 0))
	r := newRig(t, text, withCart(devices))
	if v := r.read(0, "imu"); v[0] != 0.25 || v[2] != 9 {
		t.Errorf("%v", v)
	}
	noisy := newRig(t, text, withCart(devices), func(o *sim.Options) { o.Quiet = false })
	clipped := 0
	for range 100 {
		noisy.pass(10 * time.Millisecond)
		if v := noisy.read(0, "light")[0]; v > 4095 || v < 0 {
			t.Fatalf("%g", v)
		} else if v == 4095 {
			clipped++
		}
	}
	if clipped < 25 || clipped > 75 {
		t.Errorf("%d of 100 are clipped", clipped)
	}
}

// TestLightSaturatesAnInfraredSensor: its value at a wall is bounded by the range that ambient light does not use.
func TestLightSaturatesAnInfraredSensor(t *testing.T) {
	const eye = `<sensor name="ir" type="custom" gz:type="infrared"><range><min>0</min><max>2</max></range><rays>1</rays>
		<table>0 1000 0  2 1000 0</table><saturation>1 4000 0.1  2 0 0.1</saturation></sensor>`
	for ambient, want := range map[float64]float64{0.5: 1000, 1.5: 1000, 1.9: 400, 2.5: 0} {
		r := newRig(t, fmt.Sprintf("ambient_irradiance: %g\n", ambient)+arena(robotAt("a", "cart", 0, 0, 0)), withCart(eye))
		near(t, fmt.Sprint(ambient, " W/m²"), r.read(0, "ir")[0], want, 1e-9)
	}
	r := newRig(t, "ambient_irradiance: 1.9\n"+arena(robotAt("a", "cart", 0, 0, 0)), withCart(eye), func(o *sim.Options) { o.Quiet = false })
	if a := r.read(0, "ir"); a[0] == 400 || math.Abs(a[0]-400) > 200 {
		t.Errorf("with noise: %v", a)
	}
}
