// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

func row(quantity, value, noise float64) description.Row {
	return description.Row{Quantity: quantity, Value: value, Noise: noise}
}

// The devices of a robot like the e-puck: all kinds, with what its file says, and Webots' defaults where it says
// nothing.
func TestDevicesOfARobotLikeTheEPuck(t *testing.T) {
	r := read(t, "pucklike.proto")
	accelerometer := description.Device{Name: "accelerometer", Kind: description.Accelerometer, Line: 11}
	accelerometer.Pose.Position = r3.Vec{X: -.0095, Y: .001, Z: .05} // of the default of a field, in a Pose
	want := []description.Device{
		accelerometer,
		{Name: "left wheel motor", Kind: description.Motor, Line: 26, Joint: "left wheel motor"},
		{Name: "left wheel sensor", Kind: description.Encoder, Line: 27, Joint: "left wheel motor", Resolution: .00628, Noise: description.Noise{Deviation: .001}},
		{Name: "right wheel motor", Kind: description.Motor, Line: 52, Joint: "right wheel motor"},
		{Name: "right wheel sensor", Kind: description.Encoder, Line: 51, Joint: "right wheel motor", Resolution: .00628},
		{Name: "ps0", Kind: description.Infrared, Line: 62, Subtype: "infra-red", Range: &description.Range{Max: .06, Aperture: .1, Rays: 1},
			Table: description.Table{row(0, 4095, .002), row(.005, 2133.33, .003), row(.02, 601.46, .0102), row(.06, 10, .3)}},
		{Name: "tof", Kind: description.Infrared, Line: 72, Subtype: "laser", Range: &description.Range{Max: 2, Rays: 1},
			Table: description.Table{row(0, 0, 0), row(2, 2000, 0)}},
		{Name: "us", Kind: description.Sonar, Line: 73, Subtype: "sonar", Range: &description.Range{Max: .1, Aperture: .4, Rays: 3},
			Table: description.Table{row(0, 0, 0), row(.1, 1000, 0)}, Resolution: .5},
		{Name: "ls0", Kind: description.Light, Line: 74, Table: description.Table{row(0, 4095, 0), row(100, 0, .1)}},
		{Name: "led0", Kind: description.LED, Line: 75, Gradual: true},
		{Name: "led1", Kind: description.LED, Line: 82, Colors: [][3]float64{{1, 0, 0}, {0, 1, 0}}},
		{Name: "led", Kind: description.LED, Line: 83, Colors: [][3]float64{{1, 0, 0}}},
		{Name: "camera", Kind: description.Camera, Line: 84, Noise: description.Noise{Deviation: .02},
			Image: &description.Image{Width: 160, Height: 120, FieldOfView: .84, Near: .0055, Far: 3}},
		{Name: "gyro", Kind: description.Gyro, Line: 88, Table: description.Table{row(-13.315805, -100000, .003), row(0, 0, 0), row(13.315805, 100000, .003)}},
		{Name: "compass", Kind: description.Compass, Line: 89},
		{Name: "gps", Kind: description.GPS, Line: 90, Subtype: "laser", Noise: description.Noise{Deviation: .01}},
		{Name: "inertial unit", Kind: description.Orientation, Line: 91, Resolution: .001, Noise: description.Noise{Deviation: .02}},
		{Name: "bumper", Kind: description.Contact, Line: 92, Subtype: "bumper"},
		{Name: "press", Kind: description.Contact, Line: 93, Subtype: "force", Table: description.Table{row(0, 0, 0), row(5000, 50000, 0)}},
		{Name: "emitter", Kind: description.Emitter, Line: 94, Subtype: "infra-red",
			Radio: &description.Radio{Channel: 3, Range: .5, MaxRange: 1, Aperture: .5, Baud: 9600, ByteSize: 8, Buffer: 128}},
		{Name: "receiver", Kind: description.Receiver, Line: 95, Subtype: "radio", Radio: &description.Radio{Channel: -1, ByteSize: 8}},
		{Name: "battery", Kind: description.Battery, Line: 20, Energy: &description.Energy{Now: 1000, Most: 18000, Charging: 2.5}},
	}
	if len(r.Devices) != len(want) {
		t.Fatalf("%d devices, not %d", len(r.Devices), len(want))
	}
	for i, w := range want {
		got := r.Devices[i]
		if got.Kind != description.Accelerometer {
			got.Pose = description.Pose{} // compared below
		} else if w.Pose.Near(got.Pose, 1e-12, 1e-12) {
			got.Pose = w.Pose
		}
		if w.Link = "base_link"; !reflect.DeepEqual(got, w) {
			t.Errorf("got  %+v\nwant %+v", got, w)
		}
	}
}

func TestPosesOfARobotLikeTheEPuck(t *testing.T) {
	r := read(t, "pucklike.proto")
	same(t, "ps0", where(t, r, "ps0", nil), shift(.0337, -.0105, .033).times(turn(0, 0, 1, -.3)))
	same(t, "camera", where(t, r, "camera", nil), shift(.03, 0, .028))
	same(t, "led0", r.Links[0].Visuals[0].Pose, shift(.0337, 0, .041))
	poses, err := r.Transforms(map[string]float64{"left wheel motor": .1, "right wheel motor": .25})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "left wheel", poses["left wheel"], shift(0, .0265, .02).times(turn(0, 1, 0, .6)))
	same(t, "right wheel", poses["right wheel"], shift(0, -.0265, .02)) // as in the file at its position
	same(t, "tire", r.Link("left wheel").Visuals[0].Pose, turn(1, 0, 0, math.Pi/2))
}

func TestBodyOfARobotLikeTheEPuck(t *testing.T) {
	r := read(t, "pucklike.proto")
	if r.Name != "pucklike" || math.Abs(r.Mass()-.14) > 1e-12 {
		t.Errorf("%q of %g kg", r.Name, r.Mass())
	}
	body := r.Link("base_link")
	if m := body.Inertial; m.Pose.Position != (r3.Vec{Z: .015}) || m.Moments != [6]float64{9.78585e-05, 1e-07, 2e-07, 8.64333e-05, 3e-07, 8.74869e-05} {
		t.Errorf("%+v", m)
	}
	if c := body.Collisions; len(c) != 3 || c[0].Kind != description.Sphere || c[1].Kind != description.Cylinder || c[1].Radius != .037 ||
		c[1].Length != .045 || c[1].Pose.Position.Z != .025 || c[2].Size != (r3.Vec{X: .05, Y: .04, Z: .01}) {
		t.Errorf("%+v", c)
	}
	for _, name := range []string{"left wheel", "right wheel"} {
		v := r.Link(name).Visuals
		if len(v) != 1 || v[0].Color == nil || *v[0].Color != [4]float64{.1, .2, .3, .6} || v[0].Radius != .02 {
			t.Errorf("%s: %+v", name, v)
		}
	}
	d := description.Drive{
		Left: []string{"left wheel motor"}, Right: []string{"right wheel motor"},
		Separation: r.Drive.Separation, Radius: .02, Speed: 7.536 * .02, Acceleration: .4, Line: 26,
	}
	if !reflect.DeepEqual(*r.Drive, d) || math.Abs(d.Separation-.053) > 1e-12 {
		t.Errorf("%+v", r.Drive)
	}
}

// Nothing of a file goes without a word.
func TestWhatIsNotUnderstoodIsListed(t *testing.T) {
	for file, want := range map[string][]string{
		"pucklike.proto": {
			"3 EXTERNPROTO: the file is not read: webots://somewhere/Copper.proto",
			"10 field version of PROTO Pucklike: nothing IS it",
			"11 Copper: it has no meaning here",
			"16 Robot.translation: it has no meaning here",
			"17 Robot.rotation: it has no meaning here",
			"19 Robot.controller: it has no meaning here",
			"38 PBRAppearance.roughness: it has no meaning here",
			"39 Cylinder.subdivision: it has no meaning here",
			"70 DistanceSensor.gaussianWidth: it has no meaning here",
			"86 Camera.zoom: it has no meaning here",
			"89 Compass.yAxis: it has no meaning here",
		},
		"khepelike.wbt": {
			"2 EXTERNPROTO: the file is not read: https://somewhere/TexturedBackground.proto",
			"3 EXTERNPROTO: the file is not read: Floor.proto",
			"4 WorldInfo: it is of the world",
			"5 Viewpoint: it is of the world",
			"7 Robot.translation: it has no meaning here",
			"8 Robot.linearVelocity_0: it has no meaning here",
			"26 BallJoint: it does not turn here",
			"27 BallJoint.jointParameters: it has no meaning here",
			"34 Mesh.url: 1 more, the first is used",
			"35 IndexedFaceSet: a mesh within the file, of 3 points: it has no address, so it is left out",
			"38 Slot.type: it has no meaning here",
			"42 Lidar.rotatingHead: it does not turn here",
		},
	} {
		if got := strings.Split(strings.TrimSpace(remarks(read(t, file))), "\n"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestWorldWithARobotLikeAKhepera(t *testing.T) {
	r := read(t, "khepelike.wbt")
	d := r.Drive
	if d == nil || math.Abs(d.Separation-.1054) > 1e-12 || d.Radius != .021 || math.Abs(d.Speed-.798) > 1e-12 {
		t.Errorf("%+v", d)
	}
	if j := joint(t, r, "left wheel motor"); j.Damping != .01 || j.Friction != .02 || *j.Limit != (description.Limit{Velocity: description.AtMost(38), Effort: description.AtMost(10)}) {
		t.Errorf("%+v", j)
	}
	// 1000 kg/m³ times the bounding object's volume
	for name, mass := range map[string]float64{
		"left wheel": 1000 * math.Pi * .021 * .021 * .01, "right wheel": .02, "caster": 4000. / 3 * math.Pi * 6.4e-8, "urg": .16,
	} {
		if m := r.Link(name).Inertial; math.Abs(m.Mass-mass) > 1e-15 {
			t.Errorf("%s: %g kg, not %g", name, m.Mass, mass)
		}
	}
	if v := r.Links[0].Visuals; len(v) != 1 || v[0].URI != "meshes/top.obj" || v[0].Size != (r3.Vec{X: .5, Y: .5, Z: .5}) || *v[0].Color != [4]float64{1, 0, 0, 1} {
		t.Errorf("%+v", v)
	}
	urg, spin := device(t, r, "urg"), device(t, r, "spin")
	if *urg.Fan != (description.Fan{Samples: 682, MinAngle: -1.8326, MaxAngle: 1.8326, Layers: 1, Height: .2}) ||
		*urg.Range != (description.Range{Min: .02, Max: 4, Resolution: .001, Rays: 1}) || urg.Link != "urg" || urg.Noise.Deviation != .04 {
		t.Errorf("%+v %+v %+v", urg, urg.Fan, urg.Range)
	}
	if *spin.Fan != (description.Fan{Samples: 512, MinAngle: -math.Pi, MaxAngle: math.Pi, Layers: 4, Height: .2}) || spin.Rate != 5 {
		t.Errorf("%+v %+v", spin, spin.Fan)
	}
	depth := device(t, r, "range-finder")
	if *depth.Image != (description.Image{Width: 320, Height: 240, FieldOfView: .785398, Near: .01, Far: 3.5}) || depth.Range.Max != 3.5 {
		t.Errorf("%+v %+v", depth.Image, depth.Range)
	}
	same(t, "camera", where(t, r, "camera", nil), chain(shift(.01, 0, .1), turn(0, 0, 1, math.Pi/2), shift(.02, 0, 0)))
}

// One link without the others: what the description makes is a robot that the rest of robots can work with.
func TestSquashedRobotsKeepTheirDevices(t *testing.T) {
	r := read(t, "khepelike.wbt")
	s := r.Squash(func(string) bool { return false })
	if len(s.Links) != 3 || len(s.Joints) != 2 {
		t.Fatalf("%d links, %d joints", len(s.Links), len(s.Joints))
	}
	for i := range r.Devices {
		name := r.Devices[i].Name
		if a, b := where(t, r, name, nil), where(t, s, name, nil); !a.Near(b, 1e-12, 1e-9) {
			t.Errorf("%s is at %v, not %v", name, b, a)
		}
	}
}
