// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// formerRadii are the radii of the robot's body that existed in several packages before package robot, m, with those of
// margins.
var formerRadii = []float64{0.035, 0.0355, 0.037, 0.038}

// everyday are measures of the robot that are also numbers of everything else: a test could not distinguish them.
var everyday = []float64{0, 0.0005, 0.001, 0.005, 0.01, 0.015, 0.02, 0.022, 0.025, 0.03, 0.05, 0.1, 9.80665, 25, 90, 1000}

// otherMeasures are numbers that are equal to a measure of the robot and mean something else.
var otherMeasures = map[string]string{
	"calibration/procedure/infrared.go": "distances at which the infrared sensors are shown a wall",
	"driver/epuck2/scan.go":             "range_min and range_max of the interface, rounded",
	"sim/vcamera/epuck.go":              "heights and colours of the rings that are drawn",
}

// measures returns the literals of package robot that differ from everyday numbers.
func measures(t *testing.T) (all []float64) {
	t.Helper()
	for _, s := range sources(t) {
		if s.folder == "robot" && !s.test {
			for v := range literals(&s) {
				if !slices.Contains(everyday, v) {
					all = append(all, v)
				}
			}
		}
	}
	return append(all, formerRadii...)
}

// literals yields the numbers of a file with their places.
func literals(s *source) func(yield func(v float64, at token.Position) bool) {
	return func(yield func(float64, token.Position) bool) {
		ast.Inspect(s.ast, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.FLOAT {
				return true
			}
			v, err := strconv.ParseFloat(lit.Value, 64)
			return err != nil || yield(v, s.fset.Position(lit.Pos()))
		})
	}
}

// rounded returns an angle as files have it.
func rounded(angle float64) float64 { return math.Round(1e4*angle) / 1e4 }

// accelDeviation and gyroDeviation are those of a reading of the IMU at 20 Hz, m/s² and rad/s: its filters of 10.2 and
// 10 Hz let through 1.57 times the noise that their bandwidths would.
func accelDeviation() float64 { return robot.AccelNoiseDensity * math.Sqrt(1.57*10.2) }
func gyroDeviation() float64  { return robot.GyroNoiseDensity * math.Sqrt(1.57*10) }

// The measures of the robot in files that are not Go's are those of package robot.
func TestFilesHaveTheMeasuresOfTheRobot(t *testing.T) {
	for _, f := range []struct {
		path, line string // the number is what line matches in its group
		want       float64
		count      int
	}{
		{"web/internal/page/src/measures.ts", `bodyRadius = ([0-9.]+);`, robot.BodyRadius, 1},
		{"deploy/ros/config/nav2.yaml", `robot_radius: ([0-9.]+)`, robot.ContactRadius, 2},
		{"deploy/ros/urdf/epuck.urdf", `<collision>.*<cylinder radius="([0-9.]+)"`, robot.ContactRadius, 1},
		{"deploy/ros/urdf/epuck.urdf", `<visual>.*<cylinder radius="([0-9.]+)" length="0.045"`, robot.BodyRadius, 1},
		{"deploy/ros/urdf/epuck.urdf", `<visual>.*<cylinder radius="([0-9.]+)" length="0.005"`, robot.WheelRadius, 2},
		{"sim/robots/library/models/epuck2.urdf", `<collision>.*<cylinder radius="([0-9.]+)" length="0.045"`, robot.ContactRadius, 1},
		{"sim/robots/library/models/epuck2.urdf", `<wheel_separation>([0-9.]+)<`, robot.WheelDistance, 1},
		{"sim/robots/library/models/epuck2.urdf", `<wheel_radius>([0-9.]+)<`, robot.WheelRadius, 1},
		{"sim/robots/library/models/epuck2.urdf", `<origin xyz="0 0 0.026" rpy="0 0 0"/><mass value="([0-9.]+)"/>`, robot.Mass - 2*0.005, 1},
		{"sim/robots/library/models/epuck2.urdf", `<horizontal_fov>([0-9.]+)<`, rounded(robot.CameraFieldOfView()), 1},
		{"sim/robots/library/models/epuck2.urdf", `name="tof".*<aperture>([0-9.]+)<`, rounded(robot.ToFAperture), 1},
		{"sim/robots/library/models/epuck2.urdf", `name="ps[0-7]".*<aperture>([0-9.]+)<`, robot.InfraredAperture, 8},
		{"sim/robots/library/models/epuck2.urdf", `<noise type="gaussian_quantized"><stddev>(0.01[0-9]+)<`, accelDeviation(), 3},
		{"sim/robots/library/models/epuck2.urdf", `<stddev>(0.000[0-9]+)<`, gyroDeviation(), 3},
		{"sim/robots/library/models/epuck2.urdf", `<bias_stddev>(0.[1-9][0-9]+)<`, robot.AccelBias / math.Sqrt(3), 3},
		{"sim/robots/library/models/epuck2.urdf", `<bias_stddev>(0.000[0-9]+)<`, gyroDeviation() / 5, 3},
		{"sim/robots/library/models/epuck2.urdf", `<precision>([0-9.]+)</precision><min>-1`, robot.AccelRange / robot.InertialCounts, 3},
		{"sim/robots/library/models/epuck2.urdf", `<precision>([0-9.]+)</precision><min>-8`, robot.GyroRange / robot.InertialCounts, 3},
		{"sim/robots/library/models/epuck2.urdf", `<min>-(1[0-9.]+)<`, robot.AccelRange, 3},
		{"sim/robots/library/models/epuck2.urdf", `<min>-(8[0-9.]+)<`, robot.GyroRange, 3},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(f.path)))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(f.line).FindAllStringSubmatch(string(text), -1)
		if len(found) != f.count {
			t.Errorf("%s: %d lines match %s, want %d", f.path, len(found), f.line, f.count)
		}
		for _, m := range found {
			if v, err := strconv.ParseFloat(m[1], 64); err != nil || math.Abs(v-f.want) > 1e-9 {
				t.Errorf("%s: %s, want %v", f.path, m[0], f.want)
			}
		}
	}
}

// The measures of the robot have one source, package robot.
func TestMeasuresOfTheRobotHaveOneSource(t *testing.T) {
	known := measures(t)
	if len(known) < 15 {
		t.Fatalf("package robot has only %d measures: %v", len(known), known)
	}
	used := map[string]bool{}
	for _, s := range sources(t) {
		if s.test || s.gen || s.folder == "robot" {
			continue
		}
		for v, at := range literals(&s) {
			if !slices.Contains(known, v) {
				continue
			}
			if otherMeasures[s.path] != "" {
				used[s.path] = true
				continue
			}
			t.Errorf("%s:%d: %v is a measure of the robot: take it from package robot, or say in otherMeasures what else it is", s.path, at.Line, v)
		}
	}
	for path := range otherMeasures {
		if !used[path] {
			t.Errorf("%s: needs no row in otherMeasures any more", path)
		}
	}
}

// imuRotations are the rotation of the IMU and its inverse as they would be written in Go.
var imuRotations = regexp.MustCompile(`\{\{0, -?1, 0\}, \{-?1, 0, 0\}, \{0, 0, 1\}\}`)

// The rotation of the IMU has one source as well: driver and simulator would else differ without notice.
func TestIMURotationHasOneSource(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		if s.test || s.gen {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(s.path)))
		if err != nil {
			t.Fatal(err)
		}
		if !imuRotations.Match(text) {
			continue
		}
		if found++; s.folder != "robot" {
			t.Errorf("%s: take the rotation of the IMU from package robot", s.path)
		}
	}
	if found == 0 {
		t.Error("package robot has no rotation of the IMU: the search is broken")
	}
}
