// SPDX-License-Identifier: Apache-2.0

package library_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// The robots that come with the program have the figures of facts 8.3.
func TestRobotsOfTheLibrary(t *testing.T) {
	for _, c := range []struct {
		name               string
		mass               float64 // kg
		separation, radius float64 // m
		speed              float64 // m/s
		kinds              map[description.DeviceKind]int
	}{
		{"epuck", .152, .051, .0205, .128, map[description.DeviceKind]int{description.Infrared: 8, description.Camera: 1}},
		{"epuck2", .130, .05685, .02, .13963, map[description.DeviceKind]int{
			description.Infrared: 9, description.Light: 8, description.Ground: 3, description.LED: 8, description.IMU: 1, description.Camera: 1}},
		{"khepera4", .540, .1054, .021, .8, map[description.DeviceKind]int{
			description.Infrared: 8, description.Ground: 4, description.Sonar: 5, description.LED: 3, description.IMU: 1, description.Camera: 1}},
		{"thymio2", .200, .094, .022, .166, map[description.DeviceKind]int{description.Infrared: 7, description.Ground: 2}},
		{"turtlebot3_burger", .8827, .160, .033, .22, map[description.DeviceKind]int{description.Lidar: 1, description.IMU: 1, description.Compass: 1, description.Battery: 1}},
	} {
		r, err := library.Load(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Ignored) > 0 {
			t.Errorf("%s: not understood: %v", c.name, r.Ignored)
		}
		if math.Abs(r.Mass()-c.mass) > 1e-9 {
			t.Errorf("%s: %g kg, want %g", c.name, r.Mass(), c.mass)
		}
		if d := r.Drive; d == nil || d.Separation != c.separation || d.Radius != c.radius || d.Speed != c.speed {
			t.Errorf("%s: drive %+v", c.name, d)
		}
		kinds := map[description.DeviceKind]int{}
		for _, d := range r.Devices {
			kinds[d.Kind]++
		}
		for kind, n := range c.kinds {
			if kinds[kind] != n {
				t.Errorf("%s: %d of %s, want %d", c.name, kinds[kind], kind, n)
			}
		}
		if len(kinds) != len(c.kinds) {
			t.Errorf("%s: kinds %v", c.name, kinds)
		}
		wheelsAgree(t, r)
	}
	if names := library.Names(); len(names) != 5 || !slices.IsSorted(names) {
		t.Errorf("names %v", names)
	}
}

// wheelsAgree holds the drive's figures against the frames of its wheels.
func wheelsAgree(t *testing.T, r *description.Robot) {
	t.Helper()
	poses, err := r.Transforms(nil)
	if err != nil {
		t.Fatal(err)
	}
	child := map[string]string{}
	for _, j := range r.Joints {
		child[j.Name] = j.Child
	}
	left, right := poses[child[r.Drive.Left[0]]], poses[child[r.Drive.Right[0]]]
	apart := r3.Sub(left.Position, right.Position)
	if math.Abs(apart.Y-r.Drive.Separation) > 1e-9 || math.Abs(apart.X)+math.Abs(apart.Z) > 1e-12 {
		t.Errorf("%s: wheels %v apart, the drive says %g", r.Name, apart, r.Drive.Separation)
	}
	if math.Abs(left.Position.Z-r.Drive.Radius) > 1e-9 {
		t.Errorf("%s: the wheels don't touch the ground: %g m high, radius %g", r.Name, left.Position.Z, r.Drive.Radius)
	}
}

// The infrared sensors of the e-puck2 answer as its Webots model: raw values and back.
func TestInfraredOfTheEPuck2(t *testing.T) {
	r, err := library.Load("epuck2")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Devices, func(d description.Device) bool { return d.Name == "ps0" })
	table := r.Devices[i].Table
	if v, noise := table.Answer(.01); v != 1465.73 || math.Abs(noise-1465.73*.007) > 1e-9 {
		t.Errorf("at 1 cm %g ± %g", v, noise)
	}
	if d := table.Quantity(120); math.Abs(d-.05) > 1e-12 {
		t.Errorf("120 is %g m", d)
	}
}

func TestLoadByFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	r, err := library.Load(write("a.urdf", `<robot name="u"><link name="l"/></robot>`))
	if err != nil || r.Name != "u" {
		t.Errorf("%v, %v", r, err)
	}
	r, err = library.Load(write("b.sdf", `<sdf version="1.8"><model name="s"><link name="l"/></model></sdf>`))
	if err != nil || r.Name != "s" {
		t.Errorf("%v, %v", r, err)
	}
	r, err = library.Load(write("c.proto", "#VRML_SIM R2023b utf8\nPROTO W [ ] { Robot { name \"w\" } }\n"))
	if err != nil || len(r.Links) != 1 {
		t.Errorf("%v, %v", r, err)
	}
	for name, want := range map[string]error{
		"nothing":                                         library.ErrNoRobot,
		filepath.Join(dir, "gone.urdf"):                   os.ErrNotExist,
		write("c.xml", "<html/>"):                         xmltree.ErrContent,
		write("d.xml", "no xml"):                          xmltree.ErrSyntax,
		write("e", strings.Repeat(" ", 8<<20)+"<robot/>"): xmltree.ErrSyntax,
		dir: nil,
	} {
		if _, err := library.Load(name); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if _, err := library.Load("nothing"); err == nil || !strings.Contains(err.Error(), "khepera4") {
		t.Errorf("it does not say what there is: %v", err)
	}
	if _, err := sdf.Parse("a", []byte("<robot/>")); !errors.Is(err, xmltree.ErrContent) {
		t.Error(err)
	}
}

// A name that others have given opens no file, whatever it says.
func TestNamedOpensNoFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.urdf")
	if err := os.WriteFile(file, []byte(`<robot name="r"><link name="a"/></robot>`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, "/etc/passwd", "../models/khepera4", "khepera4.urdf", "", ".", "x/../khepera4"} {
		if r, err := library.Named(name); !errors.Is(err, library.ErrNoRobot) {
			t.Errorf("%q: %v, %v", name, r, err)
		}
	}
	if r, err := library.Named("khepera4"); err != nil || r.Name != "khepera4" {
		t.Errorf("%v, %v", r, err)
	}
}
