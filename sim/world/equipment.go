// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"slices"
	"strings"
)

// Part names something that can be taken off a robot.
type Part string

// The parts.
const (
	// ToF is the time-of-flight sensor, VL53L0X.
	ToF Part = "tof"
	// IMU is the chip for acceleration and rotation, with the magnetometer in it.
	IMU Part = "imu"
	// Ground is the ground-sensor board.
	Ground Part = "ground"
	// Camera is the camera's sensor.
	Camera Part = "camera"
	// LEDs is the FT903 of the Pi-puck board with its three LEDs.
	LEDs Part = "leds"
	// Magnetometer is the BMM150 of the Pi-puck board.
	Magnetometer Part = "magnetometer"
	// BatteryMonitor is the converter that measures the batteries.
	BatteryMonitor Part = "battery"
)

// Parts returns all parts.
func Parts() []Part {
	return []Part{ToF, IMU, Ground, Camera, LEDs, Magnetometer, BatteryMonitor}
}

// ParseParts reads a list of parts with commas between; an empty text is an
// empty list. An error wraps ErrWorld.
func ParseParts(text string) ([]Part, error) {
	var parts []Part
	for _, name := range strings.Split(text, ",") {
		name = strings.TrimSpace(name)
		switch {
		case name == "" && strings.TrimSpace(text) == "":
		case !slices.Contains(Parts(), Part(name)):
			return nil, fmt.Errorf("%w: part %q, must be one of %q", ErrWorld, name, Parts())
		default:
			parts = append(parts, Part(name))
		}
	}
	return parts, nil
}

// None stands for a part that a robot does not have.
const None = "none"

// What a robot can carry where there is a choice.
const (
	GroundStandard     = "standard"
	GroundCliff        = "cliff"
	IMUMPU9250         = "mpu9250"
	IMUICM20948        = "icm20948"
	MagnetometerBMM150 = "bmm150"
	CameraOV7670       = "ov7670"
	CameraPO8030       = "po8030"
	CameraPO6030       = "po6030"
	CameraPO3030       = "po3030"
)

// Equipment is what a robot carries besides its main processor.
type Equipment struct {
	IMU          string `yaml:"imu"`          // mpu9250, icm20948 or none
	Magnetometer string `yaml:"magnetometer"` // bmm150 or none
	Ground       string `yaml:"ground"`       // standard, cliff (with cliff sensors) or none
	Camera       string `yaml:"camera"`       // ov7670, po8030, po6030, po3030 or none
	Without      []Part `yaml:"without"`      // parts taken off
}

// Has reports whether a part is on the robot.
func (o *Equipment) Has(p Part) bool {
	fitted := map[Part]string{IMU: o.IMU, Magnetometer: o.Magnetometer, Ground: o.Ground, Camera: o.Camera}
	return !slices.Contains(o.Without, p) && fitted[p] != None
}

// Refit changes the equipment of all robots: what o names replaces what they
// carry, and o.Without is taken off besides what they lack. It returns an error
// wrapping ErrWorld and changes nothing if o makes no sense.
func (w *World) Refit(o Equipment) error {
	robots := slices.Clone(w.Robots)
	for i := range robots {
		r := &robots[i]
		for _, f := range []struct {
			to   *string
			from string
			part Part
		}{
			{&r.IMU, o.IMU, IMU}, {&r.Magnetometer, o.Magnetometer, Magnetometer},
			{&r.Ground, o.Ground, Ground}, {&r.Camera, o.Camera, Camera},
		} {
			if f.from != "" {
				*f.to = f.from
				r.Without = without(r.Without, f.part)
			}
		}
		r.Without = append(slices.Clip(r.Without), o.Without...)
		c := checker{}
		if c.equipment(&r.Equipment, "robots", i); c.err != nil {
			return c.err
		}
	}
	w.Robots = robots
	return nil
}

// without returns a list of parts less one.
func without(list []Part, p Part) []Part {
	return slices.DeleteFunc(slices.Clone(list), func(q Part) bool { return q == p })
}

// equipment checks the equipment of the robot at a path.
func (c *checker) equipment(o *Equipment, path ...any) {
	at := func(step ...any) []any { return append(slices.Clip(path), step...) }
	c.choice(o.IMU, []string{IMUMPU9250, IMUICM20948, None}, at("imu")...)
	c.choice(o.Magnetometer, []string{MagnetometerBMM150, None}, at("magnetometer")...)
	c.choice(o.Ground, []string{GroundStandard, GroundCliff, None}, at("ground")...)
	c.choice(o.Camera, []string{CameraOV7670, CameraPO8030, CameraPO6030, CameraPO3030, None}, at("camera")...)
	for i, p := range o.Without {
		if !slices.Contains(Parts(), p) {
			c.fail("must be one of %q, is %q", []any{Parts(), p}, at("without", i)...)
		}
	}
}
