// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/turtlebot3_msgs"
)

// A TurtleBot3 publishes the state of its controller board as its makers' node does: encoders of 4096 steps a turn,
// motors that hold; its battery is nearly full.
func TestSensorState(t *testing.T) {
	r := newRig(t, options{})
	state, battery := hear[turtlebot3_msgs.SensorState](r, "sensor_state"), hear[sensor_msgs.BatteryState](r, "battery_state")
	field := hear[sensor_msgs.MagneticField](r, "magnetic_field")
	move := say[geometry_msgs.Twist](r, "cmd_vel")
	for range 10 {
		move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}, Angular: geometry_msgs.Vector3{Z: 0.5}})
		r.run(100 * time.Millisecond)
	}
	const perMetre = 4096 / (2 * math.Pi * 0.033)
	near(t, "left encoder", float64(state.m.LeftEncoder), (0.1-0.04)*perMetre, 0.06*perMetre*0.1)
	near(t, "right encoder", float64(state.m.RightEncoder), (0.1+0.04)*perMetre, 0.14*perMetre*0.1)
	if m := &state.m; !m.Torque || m.Button != 0 || m.Bumper != 0 || m.Cliff != 0 || !math.IsNaN(float64(m.Battery)) {
		t.Errorf("%+v", m)
	}
	if p := battery.m.Percentage; !(p > 0.999 && p < 1) || !battery.m.Present {
		t.Errorf("%+v", battery.m)
	}
	if f := field.m.MagneticField; math.Hypot(f.X, f.Y) < 1e-6 {
		t.Errorf("magnetic field %+v", f)
	}
}

// What a kind of robot has is settled, replaced and taken away as devices are.
func TestSensorStateIsADevice(t *testing.T) {
	for _, c := range []struct {
		options options
		want    string
	}{
		{options{file: fileOf(t, "devices: {sensor_state: {topic_name: board}}")}, "board"},
		{options{own: map[string]genericdriver.Maker{"sensor_state": nil}}, ""},
		{options{model: "khepera4"}, ""},
	} {
		found := ""
		for _, e := range newRig(t, c.options).endpoints() {
			if e.kind == "turtlebot3_msgs/msg/SensorState" {
				found = e.name
			}
		}
		if found != c.want {
			t.Errorf("%+v: topic %q, not %q", c.options, found, c.want)
		}
	}
}

func fileOf(t *testing.T, text string) *genericdriver.File {
	t.Helper()
	f, err := genericdriver.ParseFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}
