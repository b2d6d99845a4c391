// SPDX-License-Identifier: Apache-2.0

package health

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Snapshot is the input of the diagnostics.
type Snapshot struct {
	// Robot is the state of the driver and its parts.
	Robot Status
	// Processor says what the main processor is behind, such as "I2C 0x1F".
	Processor string
	// Bus and Board count the transactions of the robot's bus, if HasBus, and of the Pi-puck board's, if HasBoard.
	Bus, Board       i2c.Stats
	HasBus, HasBoard bool
	// Battery is the last measurement of the batteries, Level its evaluation.
	Battery battery.Reading
	Level   battery.Level
	// Camera is the state of the camera's pipeline, if HasCamera.
	Camera    camera.Status
	HasCamera bool
	// Security is the state of the transport's security, zero if it has none.
	Security ros2.SecurityStatus
	// Network holds the counters of the transport.
	Network []ros2.Counter
}

// vitals is the input of the conditions: two snapshots about a second apart.
type vitals struct {
	now, before Snapshot
	elapsed     time.Duration
}

// part returns the status of a part in both snapshots, zero if the robot has no such part.
func (v *vitals) part(name parts.Name) (now, before PartStatus) {
	return v.now.Robot.Part(name), v.before.Robot.Part(name)
}

// failing reports whether more than a twentieth of the main processor's transactions between two snapshots failed.
// Other chips' don't count: looking for an absent chip is not a fault of the bus.
func failing(now, before *mcu.Stats) bool {
	return (now.Errors()-before.Errors())*20 > now.Transactions-before.Transactions
}

// perSecond returns the rate of a counter between the snapshots.
func (v *vitals) perSecond(now, before uint64) float64 {
	if v.elapsed <= 0 {
		return 0
	}
	return float64(now-before) / v.elapsed.Seconds()
}

// refusals returns what the security of the transport refused between the snapshots.
func (v *vitals) refusals() uint64 {
	now, before := &v.now.Security, &v.before.Security
	return now.Programs + now.Endpoints + now.Messages - before.Programs - before.Endpoints - before.Messages
}

// risen returns the increase of the transport's counters of one kind between the snapshots.
func (v *vitals) risen(kind ros2.CounterKind) (n uint64) {
	if len(v.now.Network) != len(v.before.Network) {
		return 0
	}
	for i, c := range v.now.Network {
		if c.Kind == kind {
			n += c.Value - v.before.Network[i].Value
		}
	}
	return n
}
