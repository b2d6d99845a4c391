// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

const full = `
name: full
description: everything once
ambient_irradiance: 1.5
contact_friction: 0.2
magnetic_field: [1e-6, 2e-6, 3e-6]
arena: {center: [1, 2], size: [3, 4], height: 0.2}
walls:
  - {name: w, from: [0, 1], to: [0.3, 1], thickness: 0.02, height: 0.3, color: "#102030"}
boxes:
  - {name: b, position: [0.2, 0.1], size: [0.05, 0.1], yaw: 0.5, height: 0.4, color: red, movable: true, mass: 0.2, friction: 0.4}
cylinders:
  - {name: c, position: [-0.2, 0], radius: 0.03, height: 0.5, movable: true}
lights:
  - {name: l, position: [0.5, 0.6, 0.7], intensity: 0.2}
range_and_bearing: {range: 0.8, loss: 0.1, range_noise: 0.2, bearing_noise: 0.3}
robots:
  - name: r
    position: [1, 2]
    yaw: 0.1
    level: functional
    wheel_distance: 0.053
    selector: 3
    firmware: york
    imu: icm20948
    magnetometer: bmm150
    ground: cliff
    camera: po8030
    camera_model: {distortion: {k1: -0.2, k2: 0.05, p1: 0.001, p2: -0.002, k3: 0.01}, vignetting: 4, noise: 1.5}
    without: [ground, tof]
    battery: {capacity: 100, charge: 0.5}
    variation: {wheel_radii: [0.019, 0.021], slip: 0.01, slip_length: 0.02, infrared: 0.2, inertial: 0.03}
floor:
  reflectance: 0.8
  origin: [1, 2]
  resolution: 0.01
  checkers: [{position: [1, 2], size: [3, 4], cell: 0.5, reflectance: 0.1}]
  circles: [{position: [1, 2], radius: 3, width: 0.4, reflectance: 0.2}]
  lines: [{points: [[1, 2], [3, 4]], closed: true, width: 0.5, reflectance: 0.3}]
`

func TestParseEverything(t *testing.T) {
	got, err := world.Parse([]byte(full))
	if err != nil {
		t.Fatal(err)
	}
	want := &world.World{
		Name: "full", Description: "everything once", AmbientIrradiance: 1.5, ContactFriction: 0.2,
		MagneticField: world.Point3{1e-6, 2e-6, 3e-6},
		Arena:         &world.Arena{Center: world.Point{1, 2}, Size: world.Point{3, 4}, Height: 0.2},
		Walls:         []world.Wall{{"w", world.Point{0, 1}, world.Point{0.3, 1}, 0.02, 0.3, "#102030"}},
		Boxes:         []world.Box{{"b", world.Point{0.2, 0.1}, world.Point{0.05, 0.1}, 0.5, 0.4, "red", world.Load{true, 0.2, 0.4}}},
		Cylinders:     []world.Cylinder{{"c", world.Point{-0.2, 0}, 0.03, 0.5, "", world.Load{true, 0.1, 0.3}}},
		Lights:        []world.Light{{"l", world.Point3{0.5, 0.6, 0.7}, 0.2}},

		RangeAndBearing: world.RangeAndBearing{0.8, 0.1, 0.2, 0.3},
		Robots: []world.Robot{{
			"r", world.Point{1, 2}, 0.1, "functional", 0.053, 3, "york",
			world.Equipment{"icm20948", "bmm150", "cliff", "po8030", []world.Part{world.Ground, world.ToF}},
			world.Battery{Capacity: 100, Charge: 0.5}, world.Variation{world.Radii{0.019, 0.021}, 0.01, 0.02, 0.2, 0.03},
			world.CameraModel{world.Distortion{-0.2, 0.05, 0.001, -0.002, 0.01}, 4, 1.5}, "", nil, world.Cost{}, "",
		}},
		Floor: &world.Floor{
			Reflectance: 0.8, Resolution: 0.01, Origin: world.Point{1, 2},
			Checkers: []world.Checker{{world.Point{1, 2}, world.Point{3, 4}, 0.5, 0.1}},
			Circles:  []world.Circle{{world.Point{1, 2}, 3, 0.4, 0.2}},
			Lines:    []world.Line{{[]world.Point{{1, 2}, {3, 4}}, true, 0.5, 0.3}},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDefaults(t *testing.T) {
	got, err := world.Parse([]byte(`
arena: {size: [1, 1]}
walls: [{from: [0, 0], to: [1, 0]}]
boxes: [{position: [0, 0], size: [1, 1]}]
cylinders: [{position: [0, 0], radius: 1, height: ~}]
floor: {}
robots: [{name: r}]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &world.World{
		AmbientIrradiance: 1,
		ContactFriction:   0.3,
		MagneticField:     world.Point3{0, 22e-6, -43e-6},
		Floor:             &world.Floor{Reflectance: 1},
		Arena:             &world.Arena{Size: world.Point{1, 1}, Height: 0.1},
		Walls:             []world.Wall{{To: world.Point{1, 0}, Thickness: 0.01, Height: 0.1}},
		Boxes:             []world.Box{{Size: world.Point{1, 1}, Height: 0.1}},
		Cylinders:         []world.Cylinder{{Radius: 1, Height: 0.1}},
		Robots: []world.Robot{{
			Name: "r", Level: "firmware", WheelDistance: 0.05685, Selector: 10, Firmware: "extension",
			Equipment: world.Equipment{IMU: "mpu9250", Magnetometer: "none", Ground: "standard", Camera: "ov7670"},
			Battery:   world.Battery{Capacity: 6480, Charge: 1},
		}},
		RangeAndBearing: world.DefaultRangeAndBearing(),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Anchors, aliases and merge keys are YAML's own means against repetition; a
// merged field is no missing one.
func TestMergedFields(t *testing.T) {
	got, err := world.Parse([]byte(`
boxes:
  - &small {size: [0.1, 0.1], height: 0.3}
  - {<<: *small, position: [1, 0]}
  - {<<: [*small], position: [2, 0], height: 0.2}
  - *small
robots: [{name: r}]
`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.3, 0.3, 0.2, 0.3} {
		if b := got.Boxes[i]; b.Height != want || b.Size[0] != 0.1 {
			t.Errorf("box %d is %+v, want height %v", i, b, want)
		}
	}
}

func TestExamples(t *testing.T) {
	names := world.Examples()
	if d := cmp.Diff([]string{
		"arena", "camera", "columns", "empty", "gallery", "line", "maze", "offices", "plane", "rats_life", "swarm", "track",
	}, names); d != "" {
		t.Error(d)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		w, err := world.Example(n)
		if err != nil {
			t.Errorf("example %s: %v", n, err)
			continue
		}
		if w.Name != n || w.Description == "" {
			t.Errorf("example %s calls itself %q, %q", n, w.Name, w.Description)
		}
		if !strings.Contains(string(readme), "| `"+n+"` | "+w.Description+" |") {
			t.Errorf("README.md does not list %s as %q", n, w.Description)
		}
	}
	if w, err := world.Default(); err != nil || w.Name != world.DefaultName {
		t.Errorf("default world: %v, %v", w, err)
	}
}

func TestUnknownExample(t *testing.T) {
	for _, name := range []string{"", "moon", "../world", "arena.yaml"} {
		_, err := world.Example(name)
		if !errors.Is(err, world.ErrUnknown) || !strings.Contains(err.Error(), "arena, camera, columns") {
			t.Errorf("example %q: %v", name, err)
		}
	}
}

func TestLoadFile(t *testing.T) {
	dir := t.TempDir()
	good, bad, big := filepath.Join(dir, "good.yaml"), filepath.Join(dir, "bad.yaml"), filepath.Join(dir, "big.yaml")
	for path, text := range map[string]string{
		good: full, bad: "robots: 3", big: full + strings.Repeat("#", world.MaxFileSize),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if w, err := world.LoadFile(good); err != nil || w.Name != "full" {
		t.Errorf("good file: %v, %v", w, err)
	}
	if _, err := world.LoadFile(bad); !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), bad) {
		t.Errorf("bad file: %v", err)
	}
	if _, err := world.LoadFile(big); !errors.Is(err, world.ErrWorld) {
		t.Errorf("big file: %v", err)
	}
	if _, err := world.LoadFile(filepath.Join(dir, "none.yaml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := world.LoadFile(dir); err == nil {
		t.Error("a directory is read as a file")
	}
}

// Every field that a file can have is described in the package documentation.
func TestEveryFieldIsDocumented(t *testing.T) {
	source, err := os.ReadFile("world.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, _, _ := strings.Cut(string(source), "\npackage world")
	var walk func(reflect.Type)
	walk = func(rt reflect.Type) {
		for rt.Kind() == reflect.Slice || rt.Kind() == reflect.Pointer {
			rt = rt.Elem()
		}
		if rt.Kind() != reflect.Struct {
			return
		}
		for f := range rt.Fields() {
			key := f.Tag.Get("yaml")
			if key == "-" {
				continue
			}
			if key != ",inline" && !strings.Contains(doc, key+":") {
				t.Errorf("%s.%s: the documentation has no %q", rt.Name(), f.Name, key+":")
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[world.World]())
}

func ExampleParse() {
	w, err := world.Parse([]byte(`
arena: {size: [0.5, 0.5]}
cylinders: [{position: [0.1, 0.1], radius: 0.02}]
robots: [{name: epuck, yaw: 1.57}]
`))
	fmt.Println(w.Cylinders[0].Height, w.Robots[0].WheelDistance, err)

	_, err = world.Parse([]byte("robots:\n  - name: epuck\n    selector: 16"))
	fmt.Println(err)
	// Output:
	// 0.1 0.05685 <nil>
	// world: line 3:15: robots[0].selector: must be 0 to 15, is 16
}

// A world holds thousands of robots, and no more than the limit.
func TestManyRobots(t *testing.T) {
	w, err := world.Example("empty")
	if err != nil {
		t.Fatal(err)
	}
	one := w.Robots[0]
	n := 5000
	if suite.Long {
		n = world.MaxRobots
	}
	w.Robots = make([]world.Robot, n)
	for i := range w.Robots {
		w.Robots[i] = one
		w.Robots[i].Name = fmt.Sprint("r", i)
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
	w.Robots = make([]world.Robot, world.MaxRobots+1)
	if err := w.Check(); !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), "robots: 100001 robots") {
		t.Errorf("one too many: %v", err)
	}
}

// TestStationsArePainted: a charging station has a default radius and a circle on the floor, which need not be in the
// file, above what is painted there.
func TestStationsArePainted(t *testing.T) {
	for text, circles := range map[string]int{
		"": 0, "floor: {reflectance: 0.8, circles: [{radius: 0.1, reflectance: 0}]}\n": 1,
	} {
		w, err := world.Parse([]byte(robots + text + "stations: [{position: [0.4, 0.3]}, {position: [1, 1], radius: 0.1}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		want := []world.Circle{
			{Position: world.Point{0.4, 0.3}, Radius: 0.05, Width: 0.01, Reflectance: 0.5},
			{Position: world.Point{1, 1}, Radius: 0.1, Width: 0.01, Reflectance: 0.5},
		}
		if d := cmp.Diff(want, w.Floor.Circles[circles:]); d != "" {
			t.Error(d)
		}
		if bare := map[int]float64{0: 1, 1: 0.8}[circles]; w.Floor.Reflectance != bare {
			t.Errorf("the bare floor reflects %g, want %g", w.Floor.Reflectance, bare)
		}
	}
}

// TestLoads: a movable thing has a mass and a friction of its own or the defaults; one that does not move has none.
func TestLoads(t *testing.T) {
	w, err := world.Parse([]byte(robots + `boxes:
- {size: [1, 1]}
- {size: [1, 1], movable: true}
- {size: [1, 1], movable: true, mass: 2, friction: 0}
cylinders:
- {radius: 1, movable: true, mass: 0.01}
`))
	if err != nil {
		t.Fatal(err)
	}
	got := []world.Load{w.Boxes[0].Load, w.Boxes[1].Load, w.Boxes[2].Load, w.Cylinders[0].Load}
	if d := cmp.Diff([]world.Load{{}, {true, 0.1, 0.3}, {true, 2, 0}, {true, 0.01, 0.3}}, got); d != "" {
		t.Error(d)
	}
}

// TestHowManyThereMayBe: of movable things and of charging stations.
func TestHowManyThereMayBe(t *testing.T) {
	base := func() *world.World {
		w, err := world.Parse([]byte(robots))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for name, c := range map[string]struct {
		most int
		add  func(w *world.World)
	}{
		"movable": {world.MaxMovable, func(w *world.World) {
			w.Cylinders = append(w.Cylinders, world.Cylinder{Radius: 1, Height: 1, Load: world.Load{Movable: true, Mass: 1}})
		}},
		"stations": {world.MaxStations, func(w *world.World) { w.Stations = append(w.Stations, world.Station{Radius: 1}) }},
	} {
		w := base()
		for range c.most {
			c.add(w)
		}
		if err := w.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.add(w); w.Check() == nil {
			t.Errorf("%s: %d are too many", name, c.most+1)
		}
	}
}
