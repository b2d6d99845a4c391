// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// sensorKeys returns the parameters that are what a robot is or measures, as what comes after a key.
func sensorKeys() []string {
	return []string{"level", "yaw", "omega", "collisions", "voltage", "charge", "wheel0", "wheel1", "ps", "tof", "ground"}
}

// isSensor reports whether a parameter is the robot's own.
func isSensor(key string) bool {
	base := strings.TrimRight(key, "0123456789")
	for _, k := range sensorKeys() {
		if key == k || base == k && key != base {
			return true
		}
	}
	return false
}

// parameter appends a parameter of a robot: a reading, or what clients have noted.
func (r *robot) parameter(b []byte, variable byte, args *wire.Reader) ([]byte, error) {
	key := args.TypedString()
	if err := require(args, "Retrieval of a parameter requires its name."); err != nil {
		return nil, err
	}
	if !isSensor(key) || !r.inserted() {
		return appendNote(b, key, r.notes[key], variable), nil
	}
	v, err := r.reading(key)
	if err != nil {
		return nil, err
	}
	return appendNote(b, key, v, variable), nil
}

// controllable is a robot that has what its sensors measure as values, in SI units.
type controllable interface{ Do(f func(*sim.Control)) }

// reading returns what a robot is or measures.
func (r *robot) reading(key string) (string, error) {
	t := r.now()
	number := func(v float64) (string, error) { return strconv.FormatFloat(v, 'g', -1, 64), nil }
	switch key {
	case "level":
		return r.member.Level(), nil
	case "yaw":
		return number(t.Pose.Theta)
	case "omega":
		return number(t.Omega)
	case "collisions":
		return strconv.FormatUint(t.Collisions, 10), nil
	case "voltage":
		return number(t.Voltage)
	case "charge":
		return number(t.Charge)
	case "wheel0":
		return number(t.LeftWheel)
	case "wheel1":
		return number(t.RightWheel)
	}
	measured, ok := r.member.(controllable)
	if !ok {
		return "", refuse("Vehicle '%s' is of the level %s: its sensors are on its bus, and '%s' is not known here.", r.name, r.member.Level(), key)
	}
	var all []float64
	base := strings.TrimRight(key, "0123456789")
	measured.Do(func(c *sim.Control) {
		switch base {
		case "ps":
			p := c.Proximity()
			all = p[:]
		case "tof":
			all = []float64{c.Distance()}
		case "ground":
			g := c.Ground()
			all = g[:]
		}
	})
	i, err := strconv.Atoi(key[len(base):])
	if len(all) == 1 && key == base {
		i, err = 0, nil
	}
	if err != nil || i >= len(all) {
		return "", refuse("Vehicle '%s' has no sensor '%s'.", r.name, key)
	}
	return number(all[i])
}
