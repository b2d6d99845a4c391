// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// buildBattery fills in the robot's battery. Nothing but voltages is measured, the rest is NaN.
func buildBattery(m *sensor_msgs.BatteryState, r *Reading) bool {
	b, nan := &r.Battery, float32(math.NaN())
	m.Header.Stamp = b.Stamp
	m.Voltage, m.Percentage = float32(b.Robot.Voltage), float32(b.Robot.Charge)
	m.Temperature, m.Current, m.Charge, m.Capacity, m.DesignCapacity = nan, nan, nan, nan, nan
	m.Present = b.Robot.Connected
	m.PowerSupplyTechnology = sensor_msgs.BatteryStatePowerSupplyTechnologyLiIon
	m.PowerSupplyHealth = sensor_msgs.BatteryStatePowerSupplyHealthUnknown
	m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusUnknown
	switch b.Charging {
	case battery.Recharging:
		m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusCharging
	case battery.Discharging:
		m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusDischarging
	}
	return true
}
