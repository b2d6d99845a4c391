// SPDX-License-Identifier: Apache-2.0

package mapping_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// Trinary files only distinguish free, occupied and unknown cells; scale and raw files keep probabilities.
func ExampleMode() {
	m, err := mapping.NewMap(mapping.Frame{Resolution: 0.1, Width: 4, Height: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	copy(m.Cells, []int8{mapping.Free, 40, mapping.Occupied, mapping.Unknown})
	folder, err := os.MkdirTemp("", "map")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	for _, mode := range []mapping.Mode{mapping.Trinary, mapping.Scale, mapping.Raw} {
		if err := m.Save(filepath.Join(folder, "arena"), mapping.FileOptions{Mode: mode}); err != nil {
			fmt.Println(err)
			return
		}
		loaded, err := mapping.Load(filepath.Join(folder, "arena.yaml"))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(mode, loaded.Cells)
	}
	// Output:
	// trinary [0 -1 100 -1]
	// scale [0 45 100 -1]
	// raw [0 40 100 -1]
}
