// SPDX-License-Identifier: Apache-2.0

package caminfo_test

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
)

// golden is what the files in testdata hold.
func golden() *caminfo.Calibration {
	return &caminfo.Calibration{
		Name: "pipuck", Width: 640, Height: 480, Model: "plumb_bob",
		K: [9]float64{940.83125, 0, 320.06, 0, 942.66, 223.64, 0, 0, 1},
		D: []float64{-0.0723, 0.0388, 0.00691, -0.00143, 0},
		R: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
		P: [12]float64{938.5, 0, 319.25, 0, 0, 945.125, 225.5, 0, 0, 0, 1, 0},
	}
}

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestGolden: the layout of ROS's calibration tool and our own are read, and ours is written byte for byte.
func TestGolden(t *testing.T) {
	for _, name := range []string{"calibrator.yaml", "written.yaml"} {
		got, err := caminfo.Parse([]byte(read(t, name)))
		if err != nil {
			t.Fatal(name, err)
		}
		if d := cmp.Diff(golden(), got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if d := cmp.Diff(read(t, "written.yaml"), string(golden().Append(nil))); d != "" {
		t.Error(d)
	}
}

// TestRefused: whatever is wrong, the error names the field.
func TestRefused(t *testing.T) {
	file := read(t, "written.yaml")
	for _, c := range []struct{ old, wrong, want string }{
		{file, "", "empty"},
		{file, "- 1\n", "cannot unmarshal"},
		{file, strings.Repeat("# long\n", 10000), "more than 65536 bytes"},
		{"image_width: 640\n", "", "image_width is missing"},
		{"image_height: 480\n", "", "image_height is missing"},
		{"image_width: 640", "image_width: 0", "image_width 0"},
		{"image_height: 480", "image_height: 70000", "image_height 70000"},
		{"image_width: 640", "image_width: wide", "line 1"},
		{"camera_name: pipuck", "camera_name: a/b", `camera_name "a/b"`},
		{"camera_matrix:", "camera:", "camera_matrix is missing"},
		{"distortion_coefficients:", "distortion:", "distortion_coefficients is missing"},
		{"rectification_matrix:", "rectification:", "rectification_matrix is missing"},
		{"projection_matrix:", "projection:", "projection_matrix is missing"},
		{"rows: 3\n  cols: 3\n  data: [940", "rows: 2\n  cols: 3\n  data: [940", "camera_matrix.rows is 2"},
		{"cols: 4", "cols: 3", "projection_matrix.cols is 3"},
		{"[1, 0, 0, 0, 1, 0, 0, 0, 1]", "[1, 0, 0, 0, 1, 0, 0, 0]", "rectification_matrix.data has 8 numbers, must be 9"},
		{"942.66", ".nan", "camera_matrix.data[4] is NaN"},
		{"938.5", ".inf", "projection_matrix.data[0] is +Inf"},
		{"942.66", "-942.66", "camera_matrix: focal lengths"},
		{"223.64, 0, 0, 1", "223.64, 0, 0, 2", "camera_matrix: focal lengths"},
		{"-0.00143, 0]", "-0.00143]", "distortion_coefficients.data has 4 numbers, must be 1 times 5"},
		{"cols: 5\n  data: [-0.0723,", "cols: 4\n  data: [", ""},
		{"distortion_model: plumb_bob", "distortion_model: equidistant", "distortion_coefficients: 5 numbers, equidistant has 4"},
		{"distortion_model: plumb_bob", "distortion_model: rational_polynomial", "has 8 or 12 or 14"},
		{"distortion_model: plumb_bob", "distortion_model: 'a b'", `distortion_model "a b"`},
		{"distortion_model: plumb_bob\n", "", ""},
		{"camera_name: pipuck\n", "another_field: {a: [1]}\n", ""},
	} {
		text := strings.Replace(file, c.old, c.wrong, 1)
		if text == file {
			t.Fatalf("%q is not in the file", c.old)
		}
		got, err := caminfo.Parse([]byte(text))
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.wrong, err)
			}
			continue
		}
		if !errors.Is(err, caminfo.ErrCalibration) || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("%q: %v, want %q", c.wrong, err, c.want)
		}
	}
}

// TestNotCalibrated: zero matrices are a calibration like any other, that of a camera that has none.
func TestNotCalibrated(t *testing.T) {
	c := caminfo.NotCalibrated("pipuck", 640, 480)
	if c.Calibrated() || c.Check() != nil {
		t.Error(c, c.Check())
	}
	back, err := caminfo.Parse(c.Append(nil))
	if err != nil || back.Calibrated() || back.Width != 640 {
		t.Error(back, err)
	}
	if ideal := caminfo.Ideal("sim", 640, 480, 940, 942, 320, 223); !ideal.Calibrated() || ideal.Check() != nil {
		t.Error(ideal, ideal.Check())
	}
}

// TestRoundTrip: whatever makes sense is read as it was written, to the last bit.
func TestRoundTrip(t *testing.T) {
	number := rapid.Float64Range(-1e6, 1e6)
	rapid.Check(t, func(t *rapid.T) {
		c := &caminfo.Calibration{
			Name:  rapid.StringMatching(`[A-Za-z0-9_][A-Za-z0-9_.:-]{0,10}`).Draw(t, "name"),
			Width: rapid.IntRange(1, 65535).Draw(t, "w"), Height: rapid.IntRange(1, 65535).Draw(t, "h"),
			Model: rapid.StringMatching(`[A-Za-z0-9_]{1,20}x`).Draw(t, "model"),
			D:     rapid.SliceOfN(number, 1, 14).Draw(t, "d"),
		}
		for _, m := range [][]float64{c.K[:], c.R[:], c.P[:]} {
			copy(m, rapid.SliceOfN(number, len(m), len(m)).Draw(t, "m"))
		}
		c.K[0], c.K[4], c.K[8] = math.Abs(c.K[0])+1e-9, math.Abs(c.K[4])+1e-9, 1
		got, err := caminfo.Parse(c.Append(nil))
		if err != nil {
			t.Fatalf("%v\n%s", err, c.Append(nil))
		}
		if d := cmp.Diff(c, got); d != "" {
			t.Fatal(d)
		}
	})
}

// FuzzParse: any bytes are either refused or a calibration that makes sense and survives being written.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"calibrator.yaml", "written.yaml"} {
		f.Add([]byte(read(f, name)))
	}
	f.Add(caminfo.NotCalibrated("no", 2, 2).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := caminfo.Parse(data)
		if err != nil {
			if !errors.Is(err, caminfo.ErrCalibration) || c != nil {
				t.Fatal(c, err)
			}
			return
		}
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		back, err := caminfo.Parse(c.Append(nil))
		if err != nil {
			t.Fatalf("%v\n%s", err, c.Append(nil))
		}
		if string(back.Append(nil)) != string(c.Append(nil)) {
			t.Fatalf("%s\n%s", c.Append(nil), back.Append(nil))
		}
	})
}
