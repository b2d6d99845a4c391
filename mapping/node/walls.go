// SPDX-License-Identifier: Apache-2.0

package node

import "github.com/epuck-ros2/epuck-driver/mapping"

// occupiedFrom is the percentage from which on a cell is an obstacle: map_server's default threshold.
const occupiedFrom = 65

// OnlyWalls returns a map without free cells: every cell that is no obstacle is unknown, as in maps of the thesis' mapper
// with fill_map off.
func OnlyWalls(m Map) Map { return walls{m} }

type walls struct{ whole Map }

// Add puts a reading into the whole map.
func (w walls) Add(b mapping.Beam) error { return w.whole.Add(b) }

// Clear clears the robot's footprint in the whole map.
func (w walls) Clear(x, y, radius float64) {
	if m, ok := w.whole.(Clearer); ok {
		m.Clear(x, y, radius)
	}
}

// Map returns the whole map's obstacles.
func (w walls) Map() (*mapping.Map, error) {
	m, err := w.whole.Map()
	if err != nil {
		return nil, err
	}
	m = m.Clone()
	for i, v := range m.Cells {
		if v < occupiedFrom {
			m.Cells[i] = mapping.Unknown
		}
	}
	return m, nil
}
