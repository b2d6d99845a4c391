// SPDX-License-Identifier: Apache-2.0

//go:build system

package rospackage

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// figures has scripts/nav2/figures.py reckon, and returns what it prints.
func figures(t *testing.T, arguments ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "python3", append([]string{"../../scripts/nav2/figures.py"}, arguments...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", arguments, err, out)
	}
	return strings.TrimSpace(string(out))
}

// file writes a file for a test and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFiguresOfRuns: what the tests against Nav2 say of a run is reckoned right.
func TestFiguresOfRuns(t *testing.T) {
	truth := file(t, "truth.json", `{"x": 0.31, "y": 0.0, "theta": 3.0}`)
	// The robot goes along two sides of a square, 1 cm off the second; another does not move.
	track := file(t, "track", "0.00 0 0 0.5 0.5\n0.10 0.2 0 0.5 0.5\n0.20 0.21 0.2 0.5 0.5\n0.30 0.2")
	for _, c := range []struct {
		want      string
		arguments []string
	}{
		{"{position: {x: 0.3000, y: 0.0000}, orientation: {z: 0.000000, w: 1.000000}}", []string{"pose", "0.3,0", "0", "0", "0"}},
		// The map begins at 0.1, 0.2 and has the world's y for its x.
		{"{position: {x: 0.1000, y: -0.2000}, orientation: {z: 0.000000, w: 1.000000}}", []string{"pose", "0.3,0.3,1.5707963268", "0.1", "0.2", "1.5707963268"}},
		{"1.00", []string{"off", "0.3,0", truth}},
		{"31.00 -16.2", []string{"off", "0,0,-3", truth}},
		{"41.7", []string{"apart", track}},
		{"1.0 0.33", []string{"deviation", track, "0,0", "0.2,0", "0.2,0", "0.2,0.2"}},
	} {
		if got := figures(t, c.arguments...); got != c.want {
			t.Errorf("%v: %s, want %s", c.arguments, got, c.want)
		}
	}
}

// TestFiguresOfCostmaps: occupied cells are counted where they are looked for, inflated ones are not.
func TestFiguresOfCostmaps(t *testing.T) {
	var cells strings.Builder
	for i := range 12 {
		fmt.Fprintf(&cells, "- %d\n", map[int]int{0: 100, 5: 100, 6: 99, 7: -1}[i])
	}
	grid := file(t, "costmap", "header:\n  frame_id: odom\ninfo:\n  resolution: 0.1\n  width: 4\n  height: 3\n  origin:\n"+
		"    position:\n      x: -0.2\n      y: -0.1\n      z: 0.0\ndata:\n"+cells.String()+"---\n")
	// Cell 0 has its middle at -0.15, -0.05, cell 5 at -0.05, 0.05.
	for radius, want := range map[string]string{"0.01": "1", "0.2": "2"} {
		if got := figures(t, "lethal", grid, "-0.05", "0.05", radius); got != want {
			t.Errorf("within %s m: %s, want %s", radius, got, want)
		}
	}
}

// TestPicturesOfRuns: a map has walls, free and unknown cells and the robot's way in it, right side up.
func TestPicturesOfRuns(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	for name, text := range map[string]string{
		"m.pgm":  "P5\n4 2\n255\n" + string([]byte{0, 254, 254, 205, 254, 254, 254, 254}),
		"m.yaml": "image: m.pgm\nmode: trinary\nresolution: 0.1\norigin: [-0.2, 0, 0]\n",
		"track":  "0.00 1.05 0.05\n0.10 1.15",
	} {
		if err := os.WriteFile(in(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	figures(t, "picture", in("p.png"), in("m.yaml"), in("track"), "1", "0", "0", in("m.yaml"), in("track"), "1", "0", "0")
	data, err := os.ReadFile(in("p.png"))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	const scale = 3
	if size := img.Bounds().Size(); size.X != 2*4*scale+scale || size.Y != 2*scale {
		t.Fatalf("%v", size)
	}
	seen := map[string]int{}
	for j := range 2 * scale {
		for i := range 4 * scale {
			r, g, b, _ := img.At(i, j).RGBA()
			seen[fmt.Sprintf("%d,%d,%d", r>>8, g>>8, b>>8)]++
			if j < scale && i < scale && r != 0 {
				t.Errorf("no wall at %d, %d: the picture is misplaced", i, j)
			}
			if way := r>>8 == 214; way && (i < 2*scale || i >= 3*scale || j < scale) {
				t.Errorf("the robot was not at %d, %d", i, j)
			}
		}
	}
	if seen["0,0,0"] != scale*scale || seen["205,205,205"] != scale*scale || seen["214,39,40"] != 4 || len(seen) != 4 {
		t.Errorf("%v", seen)
	}
}
