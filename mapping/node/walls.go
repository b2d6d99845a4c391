// SPDX-License-Identifier: Apache-2.0

package node

import "github.com/epuck-ros2/epuck-driver/mapping"

// occupiedFrom is the percentage from which a cell is an obstacle: map_server's default threshold.
const occupiedFrom = 65

// OnlyWalls returns a map without free cells: every cell that is not an obstacle is unknown, as in maps of the
// thesis' mapper with fill_map off.
func OnlyWalls(m Map) Map { return walls{m} }

type walls struct{ inner Map }

// Add adds a reading to the underlying map.
func (w walls) Add(b mapping.Beam) error { return w.inner.Add(b) }

// Clear clears the robot's footprint in the underlying map.
func (w walls) Clear(x, y, radius float64) {
	if m, ok := w.inner.(Clearer); ok {
		m.Clear(x, y, radius)
	}
}

// Map returns the underlying map's obstacles.
func (w walls) Map() (*mapping.Map, error) {
	m, err := w.inner.Map()
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
