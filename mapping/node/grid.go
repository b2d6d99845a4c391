// SPDX-License-Identifier: Apache-2.0

package node

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
)

// MapOf returns the map of a message in the frame of its header. The full pose of its origin is used: a rotated map
// gets cells parallel to the axes, see [mapping.Map.Moved], and one that is rolled by half a turn is mirrored. Its
// height has no effect, and a quaternion of zeros means no rotation. The error matches [mapping.ErrSize],
// [planar.ErrRotation], [planar.ErrPosition], or [planar.ErrTilted] for a map that is not parallel to the floor.
func MapOf(m *nav_msgs.OccupancyGrid) (*mapping.Map, error) {
	f := mapping.Frame{Resolution: float64(m.Info.Resolution), Width: int(m.Info.Width), Height: int(m.Info.Height)}
	if err := f.Check(); err != nil {
		return nil, err
	}
	if len(m.Data) != f.Width*f.Height {
		return nil, fmt.Errorf("%w: %d cells for %d × %d", mapping.ErrSize, len(m.Data), f.Width, f.Height)
	}
	p := m.Info.Origin.Position
	if math.IsNaN(p.Z) || math.IsInf(p.Z, 0) {
		return nil, fmt.Errorf("the map's origin: %w: z is %v", planar.ErrPosition, p.Z)
	}
	turn, err := planar.OptionalRotationOf(m.Info.Origin.Orientation)
	if err != nil {
		return nil, fmt.Errorf("the map's origin: %w", err)
	}
	grid := &mapping.Map{Frame: f, Cells: m.Data}
	if turn[2][2] < 0 {
		grid, turn = grid.Mirrored(), turn.After(planar.Rotation{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}})
	}
	yaw, err := turn.Heading()
	if err != nil {
		return nil, fmt.Errorf("the map's origin: %w", err)
	}
	return grid.Moved(mapping.Pose{X: p.X, Y: p.Y, Theta: yaw})
}
