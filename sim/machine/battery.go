// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Defaults of a battery for values that its description lacks.
const (
	// consumption is the robot's power, W: that of the computer of Webots' e-puck.
	consumption = 1.11
	// nominal is the voltage that converts the world file's capacity, C, to energy, V: that of a lithium cell.
	nominal = 3.7
	// chargingTime is how long an empty battery is charged, s; the charger also supplies the robot meanwhile.
	chargingTime = 3600.0
)

// Power is the state of a robot's battery.
type Power struct {
	Charge           float64 // share of the capacity, 0 to 1
	Energy, Capacity float64 // J
	Voltage          float64 // V; NaN if unknown
	Current          float64 // drawn from it, A; NaN if unknown
	Charging, Full   bool
}

// withBattery returns the description with the world file's battery if it has none, or one of unknown energy.
func withBattery(desc *description.Robot, w *world.Robot) *description.Robot {
	if !w.Battery.Given || energyOf(desc) != nil {
		return desc
	}
	root, err := desc.Root()
	if err != nil {
		return desc
	}
	most := float64(world.DefaultCapacity * nominal)
	with := *desc
	with.Devices = slices.Clone(desc.Devices)
	i := slices.IndexFunc(with.Devices, func(d description.Device) bool { return d.Kind == description.Battery })
	if i < 0 {
		i = len(with.Devices)
		with.Devices = append(with.Devices, description.Device{Name: "battery", Kind: description.Battery, Link: root})
	}
	with.Devices[i].Energy = &description.Energy{Now: most, Most: most}
	return &with
}

// energyOf returns the energy of the first battery of a description, nil without one.
func energyOf(desc *description.Robot) *description.Energy {
	i := slices.IndexFunc(desc.Devices, func(d description.Device) bool { return d.Kind == description.Battery && d.Energy != nil })
	if i < 0 {
		return nil
	}
	return desc.Devices[i].Energy
}

// newPower returns the battery of a description at the charge of the world file, nil without one.
func newPower(desc *description.Robot, b world.Battery) *physics.Battery {
	e := energyOf(desc)
	if e == nil {
		return nil
	}
	most, load, share := max(e.Most, e.Now), e.Load, 1.0
	if most > 0 {
		share = e.Now / most
	}
	if b.Given {
		share = b.Charge
		if b.Capacity > 0 {
			most = float64(b.Capacity * voltage(e))
		}
	}
	if load == 0 {
		load = consumption
	}
	charger := e.Charging
	if charger == 0 {
		charger = load + most/chargingTime
	}
	return physics.NewEnergyBattery(most, share, load, charger)
}

// voltage returns the mean voltage at rest of a battery between full and empty, V.
func voltage(e *description.Energy) float64 {
	if v := e.Voltage + float64(e.Rise/2); v > 0 {
		return v
	}
	return nominal
}

// Battery implements articulated.Mechanism.
func (m *Machine) Battery() *physics.Battery { return m.battery }

// Power implements Devices.
func (m *Machine) Power() (p Power, ok bool) {
	b := m.battery
	if b == nil {
		return Power{}, false
	}
	p = Power{
		Charge: b.Charge(), Energy: b.Content(), Capacity: b.Capacity(), Voltage: math.NaN(), Current: math.NaN(),
		Charging: b.Charging(), Full: b.Full(),
	}
	e := energyOf(m.desc)
	if rest := e.Voltage + float64(e.Rise*(1-p.Charge)); e.Voltage > 0 && rest > 0 {
		p.Current = b.Draw() / rest
		p.Voltage = rest - float64(e.Resistance*p.Current)
	}
	return p, true
}

// dead reports whether the devices have no power.
func (m *Machine) dead() bool { return m.battery != nil && m.battery.Dead() }

// absent reports whether a device does not work: it is removed, or has no power. Batteries are measured also then.
func (m *Machine) absent(d *device) bool {
	return d.off || m.dead() && d.desc.Kind != description.Battery && d.desc.Kind != description.LED
}
