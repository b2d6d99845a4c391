// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

func TestBatteryStateOfNoBattery(t *testing.T) {
	nan := math.NaN()
	r := &Reading{Battery: BatteryReading{Reading: battery.Reading{Robot: battery.Cell{Voltage: nan, Charge: nan}, Charging: battery.Recharging}}}
	var m sensor_msgs.BatteryState
	if !buildBattery(&m, r) || m.Present || m.Voltage == m.Voltage || m.Percentage == m.Percentage ||
		m.PowerSupplyStatus != sensor_msgs.BatteryStatePowerSupplyStatusCharging {
		t.Errorf("%+v", m)
	}
	r.Battery.Charging = battery.ChargingUnknown
	if buildBattery(&m, r); m.PowerSupplyStatus != sensor_msgs.BatteryStatePowerSupplyStatusUnknown {
		t.Errorf("status %d", m.PowerSupplyStatus)
	}
}
