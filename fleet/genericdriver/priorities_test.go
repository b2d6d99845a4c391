// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// Each of a device's five settings is, on its own, that of the parameter, else of the file, else of the description.
func TestEachSettingHasThreeSources(t *testing.T) {
	described := func(name string) (*description.Robot, error) {
		d, err := library.Load(name)
		for i := range d.Devices {
			if v := &d.Devices[i]; v.Name == "imu" {
				v.Topic, v.Rate, v.Unasked = "/of/the/description", 4, true
			}
		}
		return d, err
	}
	const file, parameter = 1, 2 // 0: the description
	// Bit 0: the file says it, bit 1: a parameter does; each setting has another of the four.
	for first := range 4 {
		o := options{load: described, file: &genericdriver.File{}}
		var text strings.Builder
		var from [5]int
		for i, s := range [5]struct{ name, file, parameter string }{
			{"enabled", "false", "true"}, {"topic_name", "of_file", "of_parameter"}, {"update_rate", "8", "16.0"},
			{"always_on", "false", "true"}, {"frame_name", "f_file", "f_parameter"},
		} {
			of := (first + i) % 4
			if of&1 != 0 {
				fmt.Fprintf(&text, "%s: %s, ", s.name, s.file)
				from[i] = file
			}
			if of&2 != 0 {
				o.args = append(o.args, "-p", "imu."+s.name+":="+s.parameter)
				from[i] = parameter
			}
		}
		var err error
		if o.file, err = genericdriver.ParseFile([]byte("devices: {imu: {" + text.String() + "}}")); err != nil {
			t.Fatal(err)
		}
		got := genericdriver.Settings{}
		o.own = map[string]genericdriver.Maker{"imu": func(c *genericdriver.Context) (genericdriver.Component, error) {
			got = c.Settings
			return nil, nil
		}}
		newRig(t, o)
		want := genericdriver.Settings{
			Enabled:  from[0] != file,
			Topic:    [3]string{"description", "of_file", "of_parameter"}[from[1]],
			Rate:     [3]float64{4, 8, 16}[from[2]],
			AlwaysOn: from[3] != file,
			Frame:    [3]string{"imu_link", "f_file", "f_parameter"}[from[4]],
		}
		if !want.Enabled {
			want = genericdriver.Settings{} // its maker is not asked
		}
		if got != want {
			t.Errorf("%v, %q: %+v, not %+v", o.args, text.String(), got, want)
		}
	}
}

// What is switched off is not on the network: the tree's parts, devices of the description and those of the program;
// a maker that is nil leaves no topic, be the device described or not.
func TestSwitchedOff(t *testing.T) {
	asked := 0
	maker := func(*genericdriver.Context) (genericdriver.Component, error) {
		asked++
		return nil, nil
	}
	file, err := genericdriver.ParseFile([]byte("devices: {joint_states: {enabled: false}, extra: {enabled: false}, scan: {enabled: false}}"))
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]options{
		"by parameters": {args: []string{"-p", "joint_states.enabled:=false", "-p", "extra.enabled:=false", "-p", "scan.enabled:=false"}},
		"by a file":     {file: file},
		"in a parameter's words only": {file: file, args: []string{
			"-p", "joint_states.enabled:=true", "-p", "scan.enabled:=true", "-p", "extra.enabled:=true"}},
	} {
		for _, model := range []string{"turtlebot3_burger", "epuck2"} { // a lidar, and a scan of many sensors
			asked = 0
			o.model, o.own = model, map[string]genericdriver.Maker{"extra": maker, "imu": nil, "none": nil}
			there := map[string]bool{}
			for _, e := range newRig(t, o).endpoints() {
				there[e.name] = true
			}
			on := strings.Contains(name, "only")
			if there["joint_states"] != on || there["scan"] != on || (asked == 1) != on || there["imu"] || there["none"] || !there["odom"] || !there["tf"] {
				t.Errorf("%s, %s: asked %d times for a component, %v", name, model, asked, there)
			}
		}
	}
}

// A refusal names the device and the setting that it is about.
func TestRefusalsNameTheField(t *testing.T) {
	file := func(text string) *genericdriver.File {
		f, err := genericdriver.ParseFile([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for words, o := range map[string]options{
		"drive.wheel_distance is -1, must be above 0":                 {args: []string{"-p", "drive.wheel_distance:=-1.0"}},
		"drive.wheel_radius is 0, must be above 0":                    {file: file("drive: {wheel_radius: 0}")},
		"drive.wheel_radius is +Inf":                                  {file: file("drive: {wheel_radius: .inf}")},
		"drive.cmd_vel_timeout is NaN":                                {args: []string{"-p", "drive.cmd_vel_timeout:=.nan"}},
		`no joint "imu_joint" that moves`:                             {args: []string{"-p", "drive.right_joint:=imu_joint"}},
		`no joint "nose" that moves`:                                  {file: file("drive: {left_joint: nose}")},
		`device "imu": parameter out of range: "imu.update_rate" = 0`: {args: []string{"-p", "imu.update_rate:=0.0"}},
		"imu.update_rate":                                             {args: []string{"-p", "imu.update_rate:=1001.0"}},
		"scan.always_on":                                              {args: []string{"-p", "scan.always_on:=3"}},
		`publisher of "3": invalid topic name`:                        {args: []string{"-p", "scan.topic_name:=3"}},
		`a device "nose", which does not exist`:                       {file: file("devices: {nose: {enabled: false}}")},
		"genericdriver: a b: ":                                        {file: file("devices: {imu: {topic_name: a b}}")},
	} {
		r, err := start(t, o)
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("want %q: %v, %v", words, r, err)
		}
	}
	for text, words := range map[string]string{
		"devices: {imu: {update_rate: 1001}}": `device "imu": update_rate 1001`,
		"devices: {imu: {rate: 5}}":           "field rate not found",
		"drive: {radius: 1}":                  "field radius not found",
		"drive: {wheel_radius: wide}":         "wide",
	} {
		if _, err := genericdriver.ParseFile([]byte(text)); !errors.Is(err, genericdriver.ErrSettings) || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A refused robot leaves the node as it was but for its parameters: what was offered before the refusal is withdrawn.
func TestRefusedRobotsLeaveNothing(t *testing.T) {
	closed := 0
	own := map[string]genericdriver.Maker{
		"a": func(c *genericdriver.Context) (genericdriver.Component, error) {
			made, err := genericdriver.Offer(c, "of_a", func(*std_msgs.Bool, devices, time.Time) bool { return false })
			return counted{made, &closed}, err
		},
		"b": func(*genericdriver.Context) (genericdriver.Component, error) { return nil, ros2.ErrClosed },
	}
	if r, err := start(t, options{own: own}); !errors.Is(err, ros2.ErrClosed) || !strings.Contains(err.Error(), "genericdriver: b: ") {
		t.Errorf("%v, %v", r, err)
	}
	if closed != 1 {
		t.Errorf("closed %d times", closed)
	}
}

// counted is a component whose closing is counted.
type counted struct {
	genericdriver.Component
	closed *int
}

func (c counted) Close() error {
	*c.closed++
	return c.Component.Close()
}
