// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// robots is the shortest part a world needs.
const robots = "robots: [{name: r}]\n"

func many(n int, what string) string { return strings.Repeat(what, n) }

// mistake is a file and what the answer must contain.
type mistake struct{ text, want string }

// grammar are mistakes of form.
func grammar() []mistake {
	return []mistake{
		{"", "empty"},
		{"robots:\n  - name: [", "line"},
		{"[1, 2]", "line 1:1: must be a mapping"},
		{robots + "colour: red\n", "line 2:1: colour: there is no such field; there are name,"},
		{robots + "boxes:\n  - size: [1, 1]\n    depth: 3\n", "line 4:5: boxes[0].depth: there is no such field; there are name,"},
		{robots + "boxes:\n  - size: [1, 1]\n  - size: [1, 1, 1]\n", "line 4:11: boxes[1].size: must be a list of 2 numbers"},
		{robots + "arena:\n  size: big\n", "line 3:9: arena.size: must be a list of 2 numbers"},
		{robots + "---\nname: again\n", "line 2:1: a second document"},
		{robots + robots, "already defined"},
	}
}

// nonsense are values that make no sense.
func nonsense() []mistake {
	return []mistake{
		{"name: x\n", "robots: 0 robots"},
		{"robots: []\n", "line 1:9: robots: 0 robots"},
		{"robots: [{name: r, level: precise}]", "robots[0].level: must be one of"},
		{robots + "range_and_bearing: {range: 11}", "range_and_bearing.range: must be 0 to 10"},
		{robots + "range_and_bearing: {loss: 1.1}", "range_and_bearing.loss: must be 0 to 1"},
		{robots + "range_and_bearing: {range_noise: -1}", "range_and_bearing.range_noise: must be 0 to 1"},
		{robots + "range_and_bearing: {bearing_noise: 4}", "range_and_bearing.bearing_noise: must be 0 to 3.14"},
		{"name: a b\n" + robots, `line 1:7: name: "a b" may hold`},
		{"robots: [{name: a/b}]", "robots[0].name"},
		{"robots: [{yaw: 1}]", "robots[0].name: must be given"},
		{"robots: [~]", "line 1:10: robots[0]: must not be empty"},
		{robots + "boxes:\n- &a ~\n- *a\n", "line 3:3: boxes[0]: must not be empty"},
		{robots + "lights: [{position: [0, 0]}]", "lights[0].position: must be a list of 3 numbers"},
		{robots + "boxes: [{size: [a, b]}]", "boxes[0].size: must be a list of 2 numbers"},
		{robots + "boxes: [{size: [1, 1], height: tall}]", "line 2:32: boxes[0].height: must be a number, is \"tall\""},
		{"# nothing\n", "empty"},
		{"~", "mapping"},
		{"robots: &a [*a]", "line 1:9: robots[0]: must be a mapping of fields"},
		{"name: x\nname: y\n", "already defined"},
		{"robots: [{name: " + many(65, "x") + "}]", "robots[0].name: longer than 64"},
		{"robots:\n- name: r\n- name: r\n", `line 3:9: robots[1].name: "r" is also the name of robots[0]`},
		{robots + "boxes:\n- {name: r, size: [1, 1]}\n", `line 3:10: boxes[0].name: "r" is also the name of robots`},
		{"robots: [{name: r, selector: 16}]", "robots[0].selector: must be 0 to 15, is 16"},
		{"robots: [{name: r, selector: -1}]", "robots[0].selector"},
		{"robots: [{name: r, firmware: linux}]", "robots[0].firmware: must be one of"},
		{"robots: [{name: r, wheel_distance: 0}]", "robots[0].wheel_distance"},
		{"robots: [{name: r, variation: {wheel_radii: [0.02, 0]}}]", "robots[0].variation.wheel_radii[1]"},
		{"robots: [{name: r, variation: {slip: -1}}]", "robots[0].variation.slip"},
		{robots + "stations: [{position: [0, 2000]}]", "stations[0].position[1]"},
		{robots + "stations: [{radius: -1}]", "stations[0].radius"},
		{robots + "stations: [{name: r}]", `stations[0].name: "r" is also the name of robots[0]`},
		{robots + "boxes: [{size: [1, 1], mass: 1}]", "boxes[0].mass"},
		{robots + "boxes: [{size: [1, 1], friction: 1}]", "boxes[0].friction"},
		{robots + "boxes: [{size: [1, 1], movable: true, mass: 0}]", "boxes[0].mass"},
		{robots + "cylinders: [{radius: 1, movable: true, friction: -1}]", "cylinders[0].friction"},
		{"robots: [{name: r, variation: {slip: 0.02}}]", "robots[0].variation.slip: must be at most 0.016 with a slip_length of 0.01, is 0.02"},
		{"robots: [{name: r, variation: {slip: 0.01, slip_length: 0}}]", "robots[0].variation.slip_length"},
		{"robots: [{name: r, variation: {infrared: .nan}}]", "robots[0].variation.infrared"},
		{"robots: [{name: r, variation: {inertial: 2}}]", "robots[0].variation.inertial"},
		{"robots: [{name: r, yaw: .nan}]", "robots[0].yaw"},
		{"robots: [{name: r, position: [1, .inf]}]", "robots[0].position[1]: must be within"},
		{robots + "ambient_irradiance: -1", "line 2:21: ambient_irradiance"},
		{robots + "arena: {size: [1, 0]}", "arena.size[1]: must be over 0"},
		{robots + "arena: {size: [1, 1], height: 0}", "arena.height"},
		{robots + "arena: {height: 1}", "arena.size[0]"},
		{robots + "arena: {size: [1, 1], center: [2000, 0]}", "arena.center[0]"},
		{robots + "walls: [{from: [0, 0], to: [.nan, 0]}]", "walls[0].to[0]"},
		{robots + "walls: [{from: [-1e9, 0]}]", "walls[0].from[0]"},
		{robots + "walls: [{thickness: 0}]", "walls[0].thickness"},
		{robots + "walls: [{height: -1}]", "walls[0].height"},
		{robots + "boxes: [{size: [-1, 1]}]", "boxes[0].size[0]"},
		{robots + "boards: [{position: [0, 1]}]", "boards[0].position: must be a list of 3 numbers"},
		{robots + "boards: [{position: [0, 1, .nan]}]", "boards[0].position[2]: must be within"},
		{robots + "boards: [{corners: [2, 9]}]", "boards[0].corners[0]: must be 3 to 40 inner corners, is 2"},
		{robots + "boards: [{corners: [9, 41]}]", "boards[0].corners[1]: must be 3 to 40"},
		{robots + "boards: [{corners: [9]}]", "line 2:20: boards[0].corners: must be a list of 2 numbers"},
		{robots + "boards: [{corners: [9.5, 7]}]", "boards[0].corners: must be two whole numbers"},
		{robots + "boards: [{square: 0}]", "boards[0].square: must be 0.0001 to 1"},
		{robots + "boards: [{tilt: .inf}]", "boards[0].tilt"},
		{robots + "boards: [{name: r}]", "boards[0].name: \"r\" is also the name of robots"},
		{robots + "boxes: [{size: [1, 1], yaw: .inf}]", "boxes[0].yaw"},
		{robots + "boxes: [{size: [1, 1], position: [0, 1e4]}]", "boxes[0].position[1]"},
		{robots + "boxes: [{size: [1, 1], height: .nan}]", "boxes[0].height"},
		{robots + "cylinders: [{}]", "cylinders[0].radius"},
		{robots + "cylinders: [{radius: 1, position: [.inf, 0]}]", "cylinders[0].position[0]"},
		{robots + "cylinders: [{radius: 1, height: 1001}]", "cylinders[0].height"},
		{robots + "lights: [{intensity: -1}]", "lights[0].intensity"},
		{robots + "lights: [{position: [0, 0, .inf]}]", "lights[0].position[2]"},
		{robots + "lights:" + many(65, "\n- {}"), "lights: 65"},
		{robots + "walls:" + many(20_001, "\n- {}"), "20001 walls, boxes and cylinders"},
		{"name: x\nboxes:\n  - size: [1, 1]\n    position: [0, 0]\n    height: 0\n" + robots,
			"line 5:13: boxes[0].height"},
		{robots + "magnetic_field: [0, 1, 0]", "line 2:21: magnetic_field[1]: must be -0.001 to 0.001"},
		{robots + "magnetic_field: 3", "magnetic_field: must be a list of 3 numbers"},
		{"robots: [{name: r, imu: bno055}]", `robots[0].imu: must be one of ["mpu9250" "icm20948" "none"], is "bno055"`},
		{"robots: [{name: r, magnetometer: 3}]", "robots[0].magnetometer"},
		{"robots: [{name: r, ground: sea}]", `robots[0].ground: must be one of ["standard" "cliff" "none"]`},
		{"robots: [{name: r, camera: hd}]", "robots[0].camera"},
		{"robots: [{name: r, without: [tof, wheels]}]", "robots[0].without[1]: must be one of"},
		{"robots: [{name: r, without: [~]}]", "robots[0].without[0]: must not be empty"},
		{"robots: [{name: r, without: tof}]", "line 1:29: robots[0].without: must be a list"},
		{"robots: [{name: r, battery: {capacity: 0}}]", "robots[0].battery.capacity"},
		{"robots: [{name: r, battery: {charge: 1.5}}]", "robots[0].battery.charge"},
		{"robots: [{name: r, battery: {charge: .nan}}]", "robots[0].battery.charge"},
		{robots + "floor: {reflectance: 2}", "floor.reflectance: must be 0 to 1"},
		{robots + "floor: {image: f.png, resolution: 0.1}", "line 2:16: floor.image: a world that is not read from a file"},
		{robots + "floor: {origin: [0, .inf]}", "floor.origin[1]"},
		{robots + "floor: {checkers: [{size: [1, 1]}]}", "floor.checkers[0].cell"},
		{robots + "floor: {checkers: [{size: [1, -1], cell: 1}]}", "floor.checkers[0].size[1]"},
		{robots + "floor: {checkers: [{size: [1, 1], cell: 1, position: [9999, 0]}]}", "floor.checkers[0].position[0]"},
		{robots + "floor: {checkers: [{size: [1, 1], cell: 1, reflectance: -1}]}", "floor.checkers[0].reflectance"},
		{robots + "floor: {circles: [{}]}", "floor.circles[0].radius"},
		{robots + "floor: {circles: [{radius: 1, width: -1}]}", "floor.circles[0].width"},
		{robots + "floor: {circles: [{radius: 1, position: [.nan, 0]}]}", "floor.circles[0].position[0]"},
		{robots + "floor: {circles: [{radius: 1, reflectance: 2}]}", "floor.circles[0].reflectance"},
		{robots + "floor:\n  circles:\n  - radius: 1\n  - ~", "line 5:5: floor.circles[1]: must not be empty"},
		{robots + "floor: {lines: [{width: 1}]}", "floor.lines[0].points: 0, must be two or more"},
		{robots + "floor: {lines: [{points: [[0, 0], [0]], width: 1}]}", "must be a list of 2 numbers"},
		{robots + "floor: {lines: [{points: [[0, 0], ~], width: 1}]}", "floor.lines[0].points[1]: must not be empty"},
		{robots + "floor: {lines: [{points: [[0, 0], [0, .nan]], width: 1}]}", "floor.lines[0].points[1][1]"},
		{robots + "floor: {lines: [{points: [[0, 0], [0, 1]]}]}", "floor.lines[0].width"},
		{robots + "floor: {lines: [{points: [[0, 0], [0, 1]], width: 1, reflectance: 3}]}", "floor.lines[0].reflectance"},
		{robots + "floor:\n  circles:" + many(2001, "\n  - {radius: 1}"), "floor: 2001 checkers, circles and points"},
		{many(16<<20, " ") + robots, "at most 16777216"},
	}
}

// Each mistake is answered with the field's path and its line.
func TestErrorsNameFieldAndLine(t *testing.T) {
	for _, c := range append(grammar(), nonsense()...) {
		w, err := world.Parse([]byte(c.text))
		if !errors.Is(err, world.ErrWorld) || w != nil {
			t.Errorf("%.60q: %v, %v; want ErrWorld", c.text, w, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q:\n%v, want\n%s", c.text, err, c.want)
		}
	}
}

// A world made in a program has no lines, but paths.
func TestCheck(t *testing.T) {
	w, err := world.Default()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Check(); err != nil {
		t.Errorf("the default world: %v", err)
	}
	w.Boxes[1].Size[1] = math.NaN()
	err = w.Check()
	if !errors.Is(err, world.ErrWorld) || !strings.HasPrefix(err.Error(), "world: boxes[1].size[1]: ") {
		t.Errorf("a box of no width: %v", err)
	}
}

// Merge keys that refer to each other in depth end.
func TestDeepMerges(t *testing.T) {
	var b strings.Builder
	b.WriteString("boxes:\n- &a0 {size: [1, 1], height: 0.5}\n")
	for i := range 20 {
		fmt.Fprintf(&b, "- &a%d {<<: *a%d, yaw: %d}\n", i+1, i, i)
	}
	b.WriteString("robots: [{name: r}]\n")
	w, err := world.Parse([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if w.Boxes[5].Height != 0.5 {
		t.Errorf("box 5 is %v m high, want the merged 0.5", w.Boxes[5].Height)
	}
}

func FuzzParse(f *testing.F) {
	for _, n := range world.Examples() {
		text, err := world.ExampleSource(n)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(full))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := world.Parse(data)
		switch {
		case err != nil && (w != nil || !errors.Is(err, world.ErrWorld)):
			t.Fatalf("%v, %v", w, err)
		case err == nil && w.Check() != nil:
			t.Fatalf("parsed, but %v", w.Check())
		}
	})
}
