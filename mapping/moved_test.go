// SPDX-License-Identifier: Apache-2.0

package mapping_test

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// TestMovedKeepsObstacles: whatever the pose, each occupied cell's middle is occupied afterwards, and the inverse
// brings the robot's point back.
func TestMovedKeepsObstacles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, err := mapping.NewMap(mapping.Frame{Resolution: 0.05, X: -0.3, Y: 0.4, Width: 17, Height: 9})
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			m.Cells[rapid.IntRange(0, len(m.Cells)-1).Draw(t, "cell")] = mapping.Occupied
		}
		number := rapid.Float64Range(-3, 3)
		by := mapping.Pose{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Theta: number.Draw(t, "theta")}
		to, err := m.Moved(by)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range m.Cells {
			x, y := m.Center(i%m.Width, i/m.Width)
			p := by.Plus(mapping.Pose{X: x, Y: y})
			if got := to.At(to.Cell(p.X, p.Y)); v == mapping.Occupied && got != mapping.Occupied {
				t.Fatalf("the obstacle of cell %d is lost: %d", i, got)
			}
		}
		if q := by.Inverse().Plus(by); math.Hypot(q.X, q.Y) > 1e-12 || q.Theta != 0 {
			t.Fatalf("inverse: %+v", q)
		}
	})
}

// TestMovedByQuartersIsExact: a quarter of a turn keeps every cell; four of them are the map itself.
func TestMovedByQuartersIsExact(t *testing.T) {
	m, err := mapping.NewMap(mapping.Frame{Resolution: 0.05, X: 0, Y: 0, Width: 4, Height: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Cells {
		m.Cells[i] = int8(i)
	}
	to := m
	for range 4 {
		if to, err = to.Moved(mapping.Pose{Theta: math.Pi / 2}); err != nil {
			t.Fatal(err)
		}
	}
	if to.Width != 4 || to.Height != 3 || math.Hypot(to.X, to.Y) > 1e-9 || string(bytesOf(to.Cells)) != string(bytesOf(m.Cells)) {
		t.Errorf("%+v", to)
	}
	if _, err := m.Moved(mapping.Pose{Theta: math.NaN()}); !errors.Is(err, mapping.ErrSize) {
		t.Error(err)
	}
	long := &mapping.Map{Frame: mapping.Frame{Resolution: 1, Width: 1_000_000, Height: 1}, Cells: make([]int8, 1_000_000)}
	if _, err := long.Moved(mapping.Pose{Theta: 0.7}); !errors.Is(err, mapping.ErrSize) {
		t.Errorf("a turned map that is too large: %v", err)
	}
}

func bytesOf(cells []int8) (b []byte) {
	for _, v := range cells {
		b = append(b, byte(v))
	}
	return b
}

// TestLoadTurnsTheOrigin: the yaw of a map file's origin is used, as nav2_map_server does.
func TestLoadTurnsTheOrigin(t *testing.T) {
	folder := t.TempDir()
	picture := image.NewGray(image.Rect(0, 0, 10, 4))
	for i := range picture.Pix {
		picture.Pix[i] = 254
	}
	picture.SetGray(7, 0, color.Gray{}) // cell (7, 3): 0.75 m along the map's x, 0.35 m along its y
	file, err := os.Create(filepath.Join(folder, "m.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(file, picture), file.Close()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		origin string
		x, y   float64
	}{
		{"[1, -1, 0]", 1.75, -0.65},
		{"[1, -1, 1.5707963267948966]", 1 - 0.35, -1 + 0.75},
		{"[1, -1, -1.5707963267948966]", 1 + 0.35, -1 - 0.75},
		{"[1, -1, 3.141592653589793]", 1 - 0.75, -1 - 0.35},
		{"[0, 0, 0.5]", 0.75*math.Cos(0.5) - 0.35*math.Sin(0.5), 0.75*math.Sin(0.5) + 0.35*math.Cos(0.5)},
	} {
		name := filepath.Join(folder, "m.yaml")
		text := "image: m.png\nresolution: 0.1\norigin: " + c.origin + "\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n"
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := mapping.Load(name)
		if err != nil {
			t.Fatal(c.origin, err)
		}
		if got := m.At(m.Cell(c.x, c.y)); got != mapping.Occupied {
			t.Errorf("origin %s: the obstacle is not at (%g, %g)", c.origin, c.x, c.y)
		}
	}
}
