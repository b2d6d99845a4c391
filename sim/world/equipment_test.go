// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestParseParts(t *testing.T) {
	for _, c := range []struct {
		text string
		want []world.Part
	}{
		{"", nil}, {"  ", nil}, {"tof", []world.Part{world.ToF}},
		{"ground, tof", []world.Part{world.Ground, world.ToF}},
	} {
		got, err := world.ParseParts(c.text)
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%q: %v %s", c.text, err, d)
		}
	}
	for _, text := range []string{"wheels", "tof,", ",", "ToF"} {
		_, err := world.ParseParts(text)
		if !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), `"ground"`) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestHas(t *testing.T) {
	o := world.Equipment{IMU: "none", Magnetometer: "bmm150", Camera: "ov7670", Without: []world.Part{world.Camera, world.ToF}}
	want := map[world.Part]bool{world.Magnetometer: true, world.Ground: true, world.LEDs: true, world.BatteryMonitor: true}
	for _, p := range world.Parts() {
		if o.Has(p) != want[p] {
			t.Errorf("has %s: %v", p, o.Has(p))
		}
	}
}

func TestRefit(t *testing.T) {
	w, err := world.Parse([]byte(`robots: [{name: a, without: [imu, leds]}, {name: b, camera: none}]`))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Refit(world.Equipment{IMU: "icm20948", Without: []world.Part{world.ToF}}); err != nil {
		t.Fatal(err)
	}
	want := []world.Equipment{
		{"icm20948", "none", "standard", "ov7670", []world.Part{world.LEDs, world.ToF}},
		{"icm20948", "none", "standard", "none", []world.Part{world.ToF}},
	}
	for i := range want {
		if d := cmp.Diff(want[i], w.Robots[i].Equipment); d != "" {
			t.Error(d)
		}
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}

func TestRefitRefuses(t *testing.T) {
	w, err := world.Default()
	if err != nil {
		t.Fatal(err)
	}
	before := w.Robots[0].Equipment
	for _, o := range []world.Equipment{
		{IMU: "mpu6050"}, {Magnetometer: "compass"}, {Camera: "-"}, {Ground: "sea"}, {IMU: "none", Without: []world.Part{"tof", "wheels"}},
	} {
		if err := w.Refit(o); !errors.Is(err, world.ErrWorld) {
			t.Errorf("%+v: %v", o, err)
		}
		if d := cmp.Diff(before, w.Robots[0].Equipment); d != "" {
			t.Errorf("%+v is refused but changes %s", o, d)
		}
	}
}

func ExampleWorld_Refit() {
	w, _ := world.Default()
	_ = w.Refit(world.Equipment{IMU: world.IMUICM20948, Without: []world.Part{world.Ground}})
	fmt.Println(w.Robots[0].IMU, w.Robots[0].Has(world.ToF), w.Robots[0].Has(world.Ground))
	// Output: icm20948 true false
}
