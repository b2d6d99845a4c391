// SPDX-License-Identifier: Apache-2.0

package sdf

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// ReadPlugin reads a plug-in of a robot: the drive, of which the first counts, or a battery, which becomes a device of
// a link. Others are listed as ignored.
func ReadPlugin(r *description.Robot, plugin *xmltree.Element, link string) {
	file, _ := plugin.Attribute("filename")
	name, _ := plugin.Attribute("name")
	if !strings.Contains(strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(file+" "+name)), "linearbattery") {
		r.Drive = AddDrive(r.Drive, plugin)
		return
	}
	r.Devices = append(r.Devices, readLinearBattery(plugin, link))
}

// readLinearBattery reads the plug-in LinearBatteryPlugin of gz-sim: charges in A h, the voltage at rest, which falls
// in proportion to the charge, the load in W and the time of charging in h. Its smoothing of the current is left out.
func readLinearBattery(e *xmltree.Element, link string) description.Device {
	const perHour = 3600.0
	for _, known := range []string{"smooth_current_tau", "start_draining", "recharge_by_topic", "fix_issue_225"} {
		e.Child(known).Know()
	}
	energy := &description.Energy{
		Voltage:    e.ContentNumber("open_circuit_voltage_constant_coef", e.ContentNumber("voltage", 0)),
		Rise:       e.ContentNumber("open_circuit_voltage_linear_coef", 0),
		Resistance: e.ContentNumber("resistance", 0),
		Load:       e.ContentNumber("power_load", 0),
	}
	capacity := e.ContentNumber("capacity", 0)
	charge := e.ContentNumber("initial_charge", capacity)
	mean := energy.Voltage + float64(energy.Rise/2) // V
	energy.Most, energy.Now = capacity*perHour*mean, charge*perHour*mean
	if hours := e.ContentNumber("charging_time", 0); e.ContentTruth("enable_recharge", false) && hours > 0 {
		energy.Charging = capacity * mean / hours
	}
	if !(capacity > 0 && mean > 0 && charge >= 0 && charge <= capacity) {
		e.Failf("a battery of %g A h with %g A h in it, %g V", capacity, charge, energy.Voltage)
	}
	return description.Device{Name: e.Content("battery_name", "battery"), Kind: description.Battery, Link: link, Line: e.Line, Energy: energy}
}

// readEnergy reads what a custom sensor has of a battery; nil: nothing.
func readEnergy(e *xmltree.Element) *description.Energy {
	c := e.Child("energy")
	if c == nil {
		return nil
	}
	v, ok := c.Numbers("the energy", c.Text, 2)
	if !ok {
		return nil
	}
	return &description.Energy{
		Now: v[0], Most: v[1], Load: e.ContentNumber("load", 0), Charging: e.ContentNumber("charging", 0),
		Voltage: e.ContentNumber("voltage", 0), Rise: e.ContentNumber("voltage_rise", 0), Resistance: e.ContentNumber("resistance", 0),
	}
}
