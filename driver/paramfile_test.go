// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestRobotBusOfArguments(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "auto"},
		{"-p i2c_bus:=7", "7"},
		{"-p epuck_driver:i2c_bus:=/dev/i2c-3", "/dev/i2c-3"},
		{"-r __node:=robot -p robot:i2c_bus:=4", "4"},
		{"-p somebody_else:i2c_bus:=9", "auto"},
	} {
		args, _, err := ros2.ParseArgs(append([]string{"--ros-args"}, strings.Fields(c.args)...))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := RobotBus(args); err != nil || got != c.want {
			t.Errorf("%q: %q, %v; want %q", c.args, got, err, c.want)
		}
	}
}

func TestCheckParameterFile(t *testing.T) {
	if err := CheckParameterFile("../deploy/params.yaml"); err != nil {
		t.Errorf("the file that is delivered: %v", err)
	}
	for _, c := range []struct{ text, says string }{
		{"epuck_driver:\n  ros__parameters:\n    wheel_radius: 0.0201\n", ""},
		{"epuck_driver:\n  ros__parameters:\n    wheel_radius: big\n", "wheel_radius"},
		{"epuck_driver:\n  ros__parameters:\n    rate: 1000.0\n", "rate"},
		{"epuck_driver:\n  ros__parameters:\n    imu_rotation: [1.0, 2.0]\n", "imu_rotation"},
		{"epuck_driver:\n  ros__parameters:\n    cpu_affinity: [0, 3]\n", ""},
		{"epuck_driver:\n  ros__parameters:\n    cpu_affinity: [-1]\n", "cpu_affinity"},
		{"epuck_driver:\n  ros__parameters:\n    thread_priority: 100\n", "thread_priority"},
		{"epuck_driver: [", "params.yaml:1:15: "}, // file and line
	} {
		path := filepath.Join(t.TempDir(), "params.yaml")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := CheckParameterFile(path)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
	if err := CheckParameterFile("/no/such/file"); err == nil {
		t.Error("a file that is not there is good")
	}
}
