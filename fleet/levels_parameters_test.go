// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// parameterCase is a world, and a parameter that changes what is measured there.
type parameterCase struct{ name, text, topic, parameter string }

func parameterCases() []parameterCase {
	const field = "magnetic_field: [1e-5, 2e-5, -4e-5]\n"
	wall := func(distance, colour string) string { // before the window of the sensor
		return "boxes: [{position: [" + distance + ", 0], size: [0.1, 1], color: '" + colour + "'}]\nrobots: [{name: r}]"
	}
	return []parameterCase{
		{"grey wall, long range", wall("0.684", "#808080"), table.TopicToF, "tof_profile:=long_range"},
		{"grey wall, standard", wall("0.684", "#808080"), table.TopicToF, "tof_profile:=standard"},
		{"dark wall, standard", wall("0.434", "#0d0d0d"), table.TopicToF, "tof_profile:=standard"},
		{"high accuracy", wall("0.434", "#cccccc"), table.TopicToF, "tof_profile:=high_accuracy"},
		{"high speed", wall("0.434", "#cccccc"), table.TopicToF, "tof_profile:=high_speed"},
		{"slow IMU", "robots: [{name: r}]", table.TopicIMU, "imu_rate:=10.0"},
		{"fast IMU", "robots: [{name: r}]", table.TopicIMU, "imu_rate:=90.0"},
		{"fast ICM-20948", "robots: [{name: r, imu: icm20948}]", table.TopicIMU, "imu_rate:=90.0"},
		{"turned IMU", field + "robots: [{name: r}]", table.TopicIMU, "imu_rotation:=[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]"},
		{"turned IMU, its magnetometer", field + "robots: [{name: r}]", table.TopicMag,
			"imu_rotation:=[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]"},
		{"magnetometer of the board", field + "robots: [{name: r, imu: none, magnetometer: bmm150}]", table.TopicMag, "mag_rate:=8.0"},
		{"turned magnetometer of the board", field + "robots: [{name: r, imu: none, magnetometer: bmm150}]", table.TopicMag,
			"mag_rotation:=[0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]"},
	}
}

// Parameters of sensors change what is measured in the same way at both levels: without noise, the mean of each value
// of a robot at rest is the same.
func TestLevelsAgreeWithOtherParameters(t *testing.T) {
	for _, c := range parameterCases() {
		t.Run(c.name, func(t *testing.T) {
			var none tally
			firmware := recordWorld(t, c.text, 1, world.LevelFirmware, true, 3*time.Second, nil, c.parameter)
			functional := recordWorld(t, c.text, 1, world.LevelFunctional, true, 3*time.Second, nil, c.parameter)
			if c.topic != table.TopicIMU || len(firmware[c.topic]) > 0 { // equal samples are none for the driver
				compareTopic(t, c.topic, firmware[c.topic], functional[c.topic], &none)
			}
		})
	}
}
