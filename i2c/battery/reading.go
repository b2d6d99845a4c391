// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"fmt"
	"math"
)

// Limits of a connected lithium cell, V: below, nothing is connected to the input; above, the file is not a battery
// voltage.
const (
	minConnected = 2.5
	maxVoltage   = 6.0
)

// Voltages of an empty and a full battery, V, resting and while it is charged (York Robotics Laboratory,
// utilities/pi-puck-battery, measured constants).
const (
	emptyVoltage         = 3.3
	fullVoltage          = 4.138
	emptyChargingVoltage = 3.778
	fullChargingVoltage  = 4.198
)

// Charging is whether a charger is connected.
type Charging uint8

// The states of the charger.
const (
	// ChargingUnknown: the charger's pin was not read.
	ChargingUnknown Charging = iota
	// Discharging: no charger is connected.
	Discharging
	// Recharging: a charger is connected.
	Recharging
)

// String returns the state in words.
func (c Charging) String() string {
	switch c {
	case Discharging:
		return "discharging"
	case Recharging:
		return "charging"
	}
	return "unknown"
}

// Cell is one battery.
type Cell struct {
	// Connected is false where the converter's input is open.
	Connected bool
	// Voltage is in V; NaN if not connected.
	Voltage float64
	// Charge is 0 (empty) to 1 (full), linear between the voltages above; NaN if not connected.
	Charge float64
}

// Reading is a measurement of the batteries.
type Reading struct {
	Robot    Cell // the e-puck2's own
	Aux      Cell // at the Pi-puck's auxiliary connector
	Charging Charging
}

// absent returns a battery that is not connected.
func absent() Cell { return Cell{Voltage: math.NaN(), Charge: math.NaN()} }

// cell converts the converter's value to a battery; scale is in mV per count, 1 for a file in mV.
func cell(raw, scale float64, charging Charging) (Cell, error) {
	c, err := CellOf(raw*scale/500, charging)
	if err != nil || scale <= 0 {
		return absent(), fmt.Errorf("%w: %.4g V from %g counts of %g mV", errImplausible, raw*scale/500, raw, scale)
	}
	return c, nil
}

// CellOf returns the battery with a voltage, V. An impossible voltage is an error.
func CellOf(voltage float64, charging Charging) (Cell, error) {
	switch {
	case math.IsNaN(voltage) || voltage > maxVoltage || voltage < -1:
		return absent(), fmt.Errorf("%w: %.4g V", errImplausible, voltage)
	case voltage < minConnected:
		return absent(), nil
	}
	return Cell{Connected: true, Voltage: voltage, Charge: chargeOf(voltage, charging)}, nil
}

// chargeOf returns the charge of a battery, 0 to 1, by its voltage in V.
func chargeOf(voltage float64, charging Charging) float64 {
	empty, full := emptyVoltage, fullVoltage
	if charging == Recharging {
		empty, full = emptyChargingVoltage, fullChargingVoltage
	}
	return max(0, min(1, (voltage-empty)/(full-empty)))
}
