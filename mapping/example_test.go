// SPDX-License-Identifier: Apache-2.0

package mapping_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// A sensor with a cone of 25° sees a wall half a metre ahead a few times.
func ExampleLogOdds() {
	grid, _ := mapping.NewLogOdds(0.01, mapping.Model{})
	for range 5 {
		_ = grid.Add(mapping.Beam{HalfAngle: 0.22, Range: 0.5, Max: 1})
	}
	m, _ := grid.Map()
	fmt.Println(m.At(m.Cell(0.3, 0)), m.At(m.Cell(0.505, 0)), m.At(m.Cell(0.9, 0)))
	// Output: 12 99 -1
}

// A map is saved as map_saver does, loaded as map_server does, and compared with what is really there.
func ExampleMap_Save() {
	m, _ := mapping.NewMap(mapping.Frame{Resolution: 0.1, Width: 3, Height: 1})
	copy(m.Cells, []int8{mapping.Free, mapping.Occupied, mapping.Unknown})
	folder, _ := os.MkdirTemp("", "map")
	defer func() { _ = os.RemoveAll(folder) }()
	if err := m.Save(filepath.Join(folder, "room"), mapping.FileOptions{}); err != nil {
		fmt.Println(err)
	}
	loaded, err := mapping.Load(filepath.Join(folder, "room.yaml"))
	fmt.Println(loaded.Cells, err)
	wall := func(x, _ float64) bool { return x > 0.1 && x < 0.2 }
	fmt.Println(mapping.Compare(loaded, wall, mapping.Pose{X: 0.05, Y: 0.05}).IoU)
	// Output:
	// [0 100 -1] <nil>
	// 1
}
