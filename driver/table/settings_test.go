// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func nodeWith(t *testing.T, args string) *ros2.Node {
	t.Helper()
	a, _, err := ros2.ParseArgs(append([]string{"--ros-args"}, strings.Fields(args)...))
	if err != nil {
		t.Fatal(err)
	}
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "epuck_driver", Transport: ros2test.NewTransport(), Args: a})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

func settingsWith(t *testing.T, args string) *Settings {
	t.Helper()
	n := nodeWith(t, args)
	if err := Declare(n); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSettings(n.Parameters())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDefaultSettings(t *testing.T) {
	want := Settings{
		ControlLoop: ControlLoop{Period: 50 * time.Millisecond},
		Wheels:      epuck2.Wheels{Radius: 0.02, Distance: 0.05685, MaxSpeed: 6.91, SpeedUnit: 2 * math.Pi / 1000, Ratio: 1, Slip: 0.002, Turn: 0.02},
		Correct:     *uncorrected(),
		Timeout:     500 * time.Millisecond, PublishTF: true, OdomFrame: "odom", BaseFrame: "base_link",
		InvalidRay: epuck2.InvalidNaN, RangeClear: clearInf, LEDType: ledInt32,
		MagRotation: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
		CameraSetup: true, ButtonOff: true, Bus: "auto",
		IMURate: 20, ToFRate: 20, GroundRate: 20, MagRate: 8, IMURotation: [9]float64{0, -1, 0, 1, 0, 0, 0, 0, 1},
		Pictures: pictures.Settings{
			Device: "auto", Name: "pipuck", Encoding: camera.RGB8,
			Pipeline: camera.Settings{Width: 640, Height: 480, FrameRate: 15, Quality: 80, Encoder: camera.Auto},
		},
	}
	if got := *settingsWith(t, ""); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestSettingsFollowTheArguments(t *testing.T) {
	got := settingsWith(t, "-p rate:=40.0 -p wheel_radius:=0.0215 -p cmd_vel_stamped:=true -p frame_prefix:=r1/ -p led_type:=bool")
	if got.Period != 25*time.Millisecond || got.Wheels.Radius != 0.0215 || !got.Stamped ||
		got.OdomFrame != "r1/odom" || got.BaseFrame != "r1/base_link" || got.LEDType != ledBool {
		t.Errorf("%+v", got)
	}
}

func TestBadParametersAreNamed(t *testing.T) {
	for args, want := range map[string]error{
		"-p wheel_radius:=0.0":   ros2.ErrParameterRange,
		"-p wheel_distance:=9.0": ros2.ErrParameterRange,
		"-p rate:=fast":          ros2.ErrParameterType,
		"-p scan_invalid:=none":  ros2.ErrParameterRange,
		"-p range_clear:=none":   ros2.ErrParameterRange,
		"-p led_type:=int64":     ros2.ErrParameterRange,
		"-p odom_frame:=/odom":   ErrParameter,
		"-p base_frame:=\"\"":    ErrParameter,
		"-p frame_prefix:=/r1/":  ErrParameter,

		"-p imu_rotation:=[1.0,0.0,0.0]":                          ErrParameter,
		"-p imu_rotation:=[0.0,1.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0]":  ErrParameter, // the old driver's reflection
		"-p imu_rotation:=[2.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,1.0]":  ErrParameter,
		"-p mag_rotation:=[1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,.nan]": ErrParameter,
		"-p imu_rate:=101.0":                                      ros2.ErrParameterRange,
		"-p tof_profile:=far":                                     ros2.ErrParameterRange,
		"-p tof_rate:=-1.0":                                       ros2.ErrParameterRange,
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(args, "-p "), ":=")
		if err := Declare(nodeWith(t, args)); !errors.Is(err, want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s gives %v, want %v and the name", args, err, want)
		}
	}
}

func TestBusName(t *testing.T) {
	for args, want := range map[string]string{"": "auto", "-p i2c_bus:=/dev/i2c-7": "/dev/i2c-7", "-p i2c_bus:=7": "7"} {
		n := nodeWith(t, args)
		for range 2 { // declaring again is harmless
			if got, err := BusName(n); got != want || err != nil {
				t.Errorf("%q gives %q, %v", args, got, err)
			}
		}
	}
}

func TestStaticParametersCannotChange(t *testing.T) {
	n := nodeWith(t, "")
	if err := Declare(n); err != nil {
		t.Fatal(err)
	}
	for _, p := range Parameters() {
		err := n.Parameters().SetAtomically(ros2.Parameter{Name: p.Name, Value: p.Default})
		if changeable := err == nil; changeable != p.Dynamic {
			t.Errorf("%s: setting it gives %v", p.Name, err)
		}
	}
}
