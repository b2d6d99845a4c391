// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
)

// near compares poses by where they are.
var near = cmp.Comparer(func(a, b description.Pose) bool { return a.Near(b, 1e-12, 1e-7) })

// parsed reads a model of one link, a, and further elements.
func parsed(t *testing.T, link, outside string) *description.Robot {
	t.Helper()
	r, err := sdf.Parse("m", []byte(`<sdf version="1.9"><model name="m"><link name="a">`+link+`</link>`+outside+`</model></sdf>`))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// picture is what a camera gives that says nothing of it.
var picture = description.Image{Width: 320, Height: 240, FieldOfView: 1.047, Near: .1, Far: 100, Format: "R8G8B8"}

func TestSensorsWithoutAWordHaveTheDefaultsOfSDF(t *testing.T) {
	endless := &description.Range{Max: math.MaxFloat64, Rays: 1}
	for kind, want := range map[string]description.Device{
		`ray`:             {Kind: description.Lidar, Range: endless, Fan: &description.Fan{Samples: 640}},
		`lidar`:           {Kind: description.Lidar, Range: endless, Fan: &description.Fan{Samples: 640}},
		`gpu_ray`:         {Kind: description.Lidar, Range: endless, Fan: &description.Fan{Samples: 640}},
		`gpu_lidar`:       {Kind: description.Lidar, Range: endless, Fan: &description.Fan{Samples: 640}},
		`camera`:          {Kind: description.Camera, Image: &picture},
		`wideanglecamera`: {Kind: description.Camera, Image: &picture},
		`depth`:           {Kind: description.Depth, Image: &picture, Range: &description.Range{Min: .1, Max: 100, Rays: 1}},
		`depth_camera`:    {Kind: description.Depth, Image: &picture, Range: &description.Range{Min: .1, Max: 100, Rays: 1}},
		`rgbd_camera`:     {Kind: description.Depth, Image: &picture, Range: &description.Range{Min: .1, Max: 100, Rays: 1}},
		`rgbd`:            {Kind: description.Depth, Image: &picture, Range: &description.Range{Min: .1, Max: 100, Rays: 1}},
		`imu`:             {Kind: description.IMU},
		`contact`:         {Kind: description.Contact},
		`magnetometer`:    {Kind: description.Compass},
		`gps`:             {Kind: description.GPS},
		`navsat`:          {Kind: description.GPS},
		`sonar`:           {Kind: description.Sonar, Range: &description.Range{Max: 1, Aperture: 2 * math.Atan(.5), Rays: 1}},

		`custom" gz:type="infrared`:      {Kind: description.Infrared},
		`custom" gz:type="light`:         {Kind: description.Light},
		`custom" gz:type="ground`:        {Kind: description.Ground},
		`custom" gz:type="led`:           {Kind: description.LED},
		`custom" gz:type="battery`:       {Kind: description.Battery},
		`custom" ignition:type="battery`: {Kind: description.Battery},
	} {
		want.Name, want.Link, want.Line = "s", "a", 2
		r := parsed(t, "\n"+`<sensor name="s" type="`+kind+`"/>`, "")
		if diff := cmp.Diff([]description.Device{want}, r.Devices, near, cmpopts.EquateApprox(0, 1e-12)); diff != "" || len(r.Ignored) > 0 {
			t.Errorf("%s: %s%v", kind, diff, r.Ignored)
		}
	}
}

// said is a sensor's text and what it means.
type said struct {
	text string
	want description.Device
}

func checkSensors(t *testing.T, cases map[string]said) {
	t.Helper()
	for name, c := range cases {
		c.want.Name, c.want.Link = "s", "a"
		r := parsed(t, c.text, "")
		options := []cmp.Option{near, cmpopts.IgnoreFields(description.Device{}, "Line"), cmpopts.EquateApprox(0, 1e-12)}
		if diff := cmp.Diff([]description.Device{c.want}, r.Devices, options...); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSensorsSayWhatTheyMeasure(t *testing.T) {
	checkSensors(t, map[string]said{
		"what all have": {`
			<sensor name="s" type="imu">
			  <pose degrees="1">1 2 3 0 0 90</pose><always_on>1</always_on><update_rate>12.5</update_rate>
			  <topic>/imu</topic><visualize>0</visualize>
			</sensor>`, description.Device{
			Kind: description.IMU, Rate: 12.5, Unasked: true, Topic: "/imu",
			Pose: description.FromRPY(r3.Vec{X: 1, Y: 2, Z: 3}, 0, 0, math.Pi/2),
		}},
		"noise with its type in an attribute, as SDF 1.4 has it": {`
			<sensor name="s" type="ray"><ray>
			  <scan><horizontal><samples>3</samples></horizontal></scan>
			  <range><min>0.1</min><max>2</max><resolution>0.02</resolution></range>
			  <noise type="gaussian"><mean>0.5</mean><stddev>0.25</stddev></noise>
			</ray></sensor>`, description.Device{
			Kind: description.Lidar, Fan: &description.Fan{Samples: 3}, Noise: description.Noise{Mean: .5, Deviation: .25},
			Range: &description.Range{Min: .1, Max: 2, Resolution: .02, Rays: 1},
		}},
		"a battery": {`
			<sensor name="s" type="custom" gz:type="battery"><energy>12 34</energy></sensor>`, description.Device{
			Kind: description.Battery, Energy: &description.Energy{Now: 12, Most: 34},
		}},
		"a battery with all that is known": {`
			<sensor name="s" type="custom" gz:type="battery"><energy>12 34</energy><load>2</load><charging>3</charging>
			<voltage>4.1</voltage><voltage_rise>-0.8</voltage_rise><resistance>0.1</resistance></sensor>`, description.Device{
			Kind: description.Battery, Energy: &description.Energy{Now: 12, Most: 34, Load: 2, Charging: 3, Voltage: 4.1, Rise: -0.8, Resistance: 0.1},
		}},
		"a gripper": {`
			<sensor name="s" type="custom" gz:type="gripper"><joint>j</joint><reach>0.02</reach></sensor>`, description.Device{
			Kind: description.Gripper, Joint: "j", Range: &description.Range{Max: 0.02, Rays: 1},
		}},
		"one ray": {`
			<sensor name="s" type="gpu_lidar"><lidar>
			  <scan><horizontal><samples>1</samples><resolution>1</resolution></horizontal></scan>
			  <range><min>0.05</min><max>2</max></range><noise><type>none</type></noise>
			</lidar></sensor>`, description.Device{Kind: description.Infrared, Range: &description.Range{Min: .05, Max: 2, Rays: 1}}},
		"half a sample more, as generators write it": {`
			<sensor name="s" type="lidar"><lidar>
			  <scan><horizontal><samples>90.5</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan>
			  <range><min>0</min><max>2</max></range>
			</lidar></sensor>`, description.Device{
			Kind: description.Lidar, Fan: &description.Fan{Samples: 90, MinAngle: -1, MaxAngle: 1}, Range: &description.Range{Max: 2, Rays: 1},
		}},
	})
}

func TestSensorsThatAreNoLidars(t *testing.T) {
	checkSensors(t, map[string]said{
		"the depth of a picture is between its planes": {`
			<sensor name="s" type="depth"><camera>
			  <horizontal_fov>1.5</horizontal_fov><image><width>8</width><height>6</height><format>R_FLOAT32</format></image>
			  <clip><near>0.3</near><far>8</far></clip><noise><type>gaussian</type><stddev>0.007</stddev></noise>
			</camera></sensor>`, description.Device{
			Kind: description.Depth, Noise: description.Noise{Deviation: .007}, Range: &description.Range{Min: .3, Max: 8, Rays: 1},
			Image: &description.Image{Width: 8, Height: 6, FieldOfView: 1.5, Near: .3, Far: 8, Format: "R_FLOAT32"},
		}},
		"a cone with 1 m of radius 1 m away is a quarter of a turn wide": {`
			<sensor name="s" type="sonar"><sonar><min>0.02</min><max>1</max><radius>1</radius></sonar></sensor>`,
			description.Device{Kind: description.Sonar, Range: &description.Range{Min: .02, Max: 1, Aperture: math.Pi / 2, Rays: 1}}},
		"a table of three rows": {`
			<sensor name="s" type="custom" gz:type="ground"><table>
			  0.00 1000 0.01
			  0.01  500 0.02
			  0.02    0 0
			</table></sensor>`, description.Device{Kind: description.Ground, Table: description.Table{
			{Value: 1000, Noise: .01}, {Quantity: .01, Value: 500, Noise: .02}, {Quantity: .02},
		}}},
		"an infrared sensor that light saturates, with its converter": {`
			<sensor name="s" type="custom" gz:type="infrared">
			  <noise type="gaussian_quantized"><stddev>2</stddev><precision>1</precision><min>0</min><max>4095</max></noise>
			  <table>0 4095 0  1 0 0</table><saturation>1 4095 0.01  2 0 0</saturation></sensor>`, description.Device{
			Kind: description.Infrared, Noise: description.Noise{Deviation: 2, Step: 1, Most: 4095},
			Table:      description.Table{{Value: 4095}, {Quantity: 1}},
			Saturation: description.Table{{Quantity: 1, Value: 4095, Noise: .01}, {Quantity: 2}},
		}},
		"an IMU with noise of some axes": {`
			<sensor name="s" type="imu"><imu>
			  <angular_velocity><z><noise type="gaussian"><stddev>0.001</stddev><bias_mean>0.5</bias_mean><bias_stddev>0.25</bias_stddev></noise></z></angular_velocity>
			  <linear_acceleration><x><noise type="gaussian_quantized"><mean>0.1</mean><precision>0.01</precision></noise></x>
			    <y><noise type="none"><stddev>3</stddev></noise></y></linear_acceleration></imu></sensor>`, description.Device{
			Kind: description.IMU, Axes: []description.Noise{{Mean: .1, Step: .01}, 2: {}, 5: {Deviation: .001, BiasMean: .5, BiasDeviation: .25}},
		}},
		"an IMU with one noise for all axes, as SDF 1.4 has it": {`
			<sensor name="s" type="imu"><imu><noise><type>gaussian</type>
			  <rate><mean>0</mean><stddev>0.5</stddev><bias_mean>0.25</bias_mean></rate><accel><stddev>2</stddev></accel></noise></imu></sensor>`, description.Device{
			Kind: description.IMU, Axes: []description.Noise{
				{Deviation: 2}, {Deviation: 2}, {Deviation: 2},
				{Deviation: .5, BiasMean: .25}, {Deviation: .5, BiasMean: .25}, {Deviation: .5, BiasMean: .25},
			},
		}},
		"a magnetometer with noise": {`
			<sensor name="s" type="magnetometer"><magnetometer><y><noise type="gaussian"><stddev>1e-7</stddev></noise></y></magnetometer></sensor>`,
			description.Device{Kind: description.Compass, Axes: []description.Noise{1: {Deviation: 1e-7}, 2: {}}}},
		"the newer prefix before the older": {`
			<sensor name="s" type="custom" gz:type="led" ignition:type="led"/>`, description.Device{Kind: description.LED}},
	})
}

// A sensor that has no meaning here is listed with its line, and is no device.
func TestOtherSensorsAreListed(t *testing.T) {
	r := parsed(t, `
		<sensor name="a" type="altimeter"><altimeter><vertical_position/></altimeter></sensor>
		<sensor name="b" type="custom" gz:type="nose"/>
		<sensor name="c" type="custom"/>
		<sensor name="d" type="imu"><imu><orientation_reference_frame/></imu></sensor>`, "")
	want := `[{2 a sensor of type "altimeter"} {3 a sensor of type "custom nose"} {4 a sensor of type "custom "} {5 <orientation_reference_frame> in <imu>}]`
	if got := fmt.Sprint(r.Ignored); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if len(r.Devices) != 1 || r.Devices[0].Name != "d" || r.Devices[0].Line != 5 {
		t.Errorf("%+v", r.Devices)
	}
}

// A sensor's pose in a frame is where that frame is, seen from the link.
func TestSensorInAnotherFrame(t *testing.T) {
	r := parsed(t, `
		<pose>1 0 0 0 0 0</pose>
		<sensor name="s" type="imu"><pose relative_to="f">0.5 0 0 0 0 0</pose></sensor>
		<sensor name="own" type="imu"><pose relative_to="a">0.5 0 0 0 0 0</pose></sensor>`, `
		<frame name="f"><pose degrees="true">3 0 0 0 0 90</pose></frame>`)
	want := description.FromRPY(r3.Vec{X: 2, Y: .5}, 0, 0, math.Pi/2)
	if got := r.Devices[0].Pose; !got.Near(want, 1e-12, 1e-7) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := r.Devices[1].Pose.Position; got != (r3.Vec{X: .5}) {
		t.Errorf("in its own link at %v", got)
	}
}
