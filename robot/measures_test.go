// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/robot"
)

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
		{"sim/robots/library/models/epuck2.urdf", `name="tof".*<min>([0-9.]+)<`, robot.MinToFRange, 1},
		{"web/internal/page/src/measures.ts", `infrared: ([0-9.]+),`, robot.MaxInfraredRange, 1},
		{"web/internal/page/src/measures.ts", `tof: ([0-9.]+),`, robot.MaxToFRange, 1},
		{"web/internal/page/src/measures.ts", `ground: ([0-9.]+) `, robot.MaxGroundRange, 1},
	} {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(f.path)))
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

// responsesOf returns the tables of a description's sensors whose names match.
func responsesOf(t *testing.T, text []byte, sensors string) (tables [][]robot.Response) {
	t.Helper()
	for _, m := range regexp.MustCompile(`sensor name="`+sensors+`" .*<table>([^<]*)</table>`).FindAllSubmatch(text, -1) {
		var table []robot.Response
		fields := strings.Fields(string(m[1]))
		for i := 0; i+2 < len(fields); i += 3 {
			var v [3]float64
			for k := range v {
				var err error
				if v[k], err = strconv.ParseFloat(fields[i+k], 64); err != nil {
					t.Fatal(err)
				}
			}
			table = append(table, robot.Response{Distance: v[0], Reading: v[1], Noise: v[2]})
		}
		tables = append(tables, table)
	}
	return tables
}

// The sensors of the described e-puck2 have the responses of package robot. The last row of the time-of-flight sensor's
// has no noise: it is the reading without an object.
func TestDescriptionHasTheResponsesOfTheRobot(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../sim/robots/library/models/epuck2.urdf"))
	if err != nil {
		t.Fatal(err)
	}
	infrared, tof, ground := robot.InfraredResponse(), robot.ToFResponse(), robot.GroundResponse()
	tof[len(tof)-1].Noise = 0
	for _, c := range []struct {
		sensors string
		count   int
		want    []robot.Response
	}{{"ps[0-7]", 8, infrared[:]}, {"tof", 1, tof[:]}, {"gs[0-2]", 3, ground[:]}} {
		tables := responsesOf(t, text, c.sensors)
		if len(tables) != c.count {
			t.Errorf("%s: %d tables, want %d", c.sensors, len(tables), c.count)
		}
		for _, got := range tables {
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.sensors, got, c.want)
			}
		}
	}
}

// The LEDs of the described e-puck2 are in the directions of package robot, each nearer to its own than to another.
func TestDescriptionHasTheLEDsOfTheRobot(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../sim/robots/library/models/epuck2.urdf"))
	if err != nil {
		t.Fatal(err)
	}
	joints := regexp.MustCompile(`name="led([0-7])_joint".*<origin xyz="([-0-9.]+) ([-0-9.]+) `).FindAllSubmatch(text, -1)
	if len(joints) != 8 {
		t.Fatalf("%d LEDs", len(joints))
	}
	for _, m := range joints {
		var v [3]float64
		for k := range v {
			if v[k], err = strconv.ParseFloat(string(m[k+1]), 64); err != nil {
				t.Fatal(err)
			}
		}
		d := robot.LEDs()[int(v[0])]
		if off := math.Atan2(d[0]*v[2]-d[1]*v[1], d[0]*v[1]+d[1]*v[2]); math.Abs(off) > math.Pi/8 || math.Hypot(v[1], v[2]) > robot.BodyRadius {
			t.Errorf("led%g is at %g, %g m: %.0f° from the direction in package robot", v[0], v[1], v[2], off*180/math.Pi)
		}
	}
}

// The page takes the colour of a red LED and the ends of ranges from the generated measures.
func TestPageHasNoMeasuresOfItsOwn(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../web/internal/page/src/*.ts"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	red := robot.RedLED()
	colour := fmt.Sprintf("#%02x%02x%02x", red[0], red[1], red[2])
	own := regexp.MustCompile(`(?i)"#f[0-9a-f][0-3][0-9a-f][0-3][0-9a-f]"|"ps" \+ i, "m", 0, [0-9]|"gs" \+ i, "m", 0, [0-9]|"ToF", "m", 0, [0-9]`)
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(path) == "measures.ts" {
			if !strings.Contains(string(text), colour) {
				t.Errorf("%s has not %s: go generate ./docs/gen", path, colour)
			}
			continue
		}
		if m := own.Find(text); m != nil {
			t.Errorf("%s: %s, take it from measures.ts", path, m)
		}
	}
}
