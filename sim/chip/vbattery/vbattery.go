// SPDX-License-Identifier: Apache-2.0

// Package vbattery simulates the robot's battery and the converter that measures it, as files of a Pi's kernel: the
// raw values and scales of the IIO subsystem, or the millivolts of the older hwmon.
//
// The battery drains with time and with the speed of the wheels, sags under load by its inner resistance, and fills
// while a charger is connected. Its open-circuit voltage goes from 3.3 V to 4.138 V, from 3.778 V to 4.198 V on the
// charger, the measured ends of the real one. Capacity, currents and resistance are plausible, not measured.
package vbattery

import (
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// The model of the battery.
const (
	restCurrent   = 0.30 // A, Pi and robot at rest
	driveCurrent  = 0.20 // A more at driveSpeed
	driveSpeed    = 6.98 // rad/s, the wheels' top speed
	chargeCurrent = 0.50 // A into the battery
	resistance    = 0.12 // Ω
)

// Form is the form of the kernel's files.
type Form uint8

// The forms.
const (
	// IIO: /sys/bus/i2c/devices/11-0048/iio:device0/in_voltage0_raw and its neighbours, kernel 5.4 and later.
	IIO Form = iota
	// HWMon: /sys/bus/i2c/devices/3-0048/hwmon/hwmon1/in4_input and its neighbour.
	HWMon
	// HWMonOld: /sys/bus/i2c/drivers/ads1015/3-0048/in4_input and its neighbour.
	HWMonOld
)

// Cell is a battery that is simulated elsewhere.
type Cell interface {
	// Voltage is that at the terminals now, V.
	Voltage() float64
	// Charging reports whether a charger is connected.
	Charging() bool
}

// Config describes a battery. The zero value of each field means its default.
type Config struct {
	// Cell is the battery; WheelSpeed, Capacity, Charge and the methods that change the battery are then without
	// effect. It defaults to the battery of this package.
	Cell Cell
	// Form is the form of the kernel's files. It defaults to IIO.
	Form Form
	// Now is the time since the simulation began. It defaults to a clock that does not advance.
	Now func() time.Duration
	// WheelSpeed is the mean of how fast the wheels turn, rad/s, signs ignored. It defaults to wheels at rest.
	WheelSpeed func() float64
	// Capacity is in Ah. It defaults to 1.8.
	Capacity float64
	// Charge is the charge at the beginning, 0 to 1. It defaults to 1.
	Charge float64
	// Noise is the source of the converter's noise, about one count.
	Noise noise.Source
	// Perfect switches the noise off.
	Perfect bool
}

// Battery is a battery with its converter. It is safe for concurrent use as far as its Config's functions are.
type Battery struct {
	cfg Config

	mu       sync.Mutex
	now      time.Duration
	charge   float64
	current  float64 // out of the battery, A
	charger  bool
	aux      float64
	faults   [channels]Fault
	unplug   bool
	overload float64
}

// New makes a battery whose auxiliary input is open.
func New(cfg Config) *Battery {
	if cfg.Now == nil {
		cfg.Now = func() time.Duration { return 0 }
	}
	if cfg.WheelSpeed == nil {
		cfg.WheelSpeed = func() float64 { return 0 }
	}
	if cfg.Capacity <= 0 {
		cfg.Capacity = 1.8
	}
	if cfg.Charge == 0 {
		cfg.Charge = 1
	}
	b := &Battery{cfg: cfg, charge: clamp(cfg.Charge)}
	b.now = cfg.Now()
	return b
}

// Advance drains the battery until now with the present speed of the wheels. Reading a file does the same; call it
// more often for a truer account of the speed.
func (b *Battery) Advance() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance()
}

func (b *Battery) advance() {
	now := b.cfg.Now()
	dt := now - b.now
	b.now = max(b.now, now)
	b.current = restCurrent + driveCurrent*min(math.Abs(b.cfg.WheelSpeed()), driveSpeed)/driveSpeed + b.overload
	if b.charger {
		b.current = -chargeCurrent
	}
	if dt > 0 {
		b.charge = clamp(b.charge - b.current*dt.Hours()/b.cfg.Capacity)
	}
}

// Charge is how full the battery is, 0 to 1.
func (b *Battery) Charge() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.charge
}

// SetCharge makes the battery as full as given, 0 to 1.
func (b *Battery) SetCharge(charge float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance()
	b.charge = clamp(charge)
}

// Charger connects a charger or takes it away.
func (b *Battery) Charger(on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance()
	b.charger = on
}

// Charging reports whether a charger is connected: the level of the Pi-puck's charger pin.
func (b *Battery) Charging() bool {
	if b.cfg.Cell != nil {
		return b.cfg.Cell.Charging()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.charger
}

// Overload draws another current, A, from now on.
func (b *Battery) Overload(current float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance()
	b.overload = current
}

// SetAux connects an auxiliary battery of a fixed voltage, V; 0 takes it away.
func (b *Battery) SetAux(voltage float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.aux = voltage
}

// Voltage is the true voltage at the battery's terminals now, V.
func (b *Battery) Voltage() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance()
	return b.voltage()
}

func (b *Battery) voltage() float64 {
	if b.cfg.Cell != nil {
		return b.cfg.Cell.Voltage()
	}
	if b.charger {
		return 3.778 + float64((4.198-3.778)*b.charge)
	}
	return openCircuit(b.charge) - float64(b.current*resistance)
}

// curve is the open-circuit voltage of a lithium cell at some charges, with the ends of the robot's battery.
var curve = [...]struct{ charge, voltage float64 }{
	{0, 3.3}, {0.05, 3.48}, {0.1, 3.58}, {0.25, 3.68}, {0.5, 3.80}, {0.75, 3.95}, {1, 4.138},
}

func openCircuit(charge float64) float64 {
	for i := 1; i < len(curve); i++ {
		a, b := curve[i-1], curve[i]
		if charge <= b.charge {
			return a.voltage + (b.voltage-a.voltage)*(charge-a.charge)/(b.charge-a.charge)
		}
	}
	return curve[len(curve)-1].voltage
}

func clamp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}
