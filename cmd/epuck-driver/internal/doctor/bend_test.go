// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"io/fs"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	pi2c "periph.io/x/conn/v3/i2c"
)

// The ways in which complaints bend a machine.
type bend = func(t *testing.T, m *Machine)

func files(e entries) bend {
	return func(t *testing.T, m *Machine) { m.Root = e.root(t) }
}

func throttle(bits string) bend {
	return files(piPuck.with("sys/devices/platform/soc/soc:firmware/get_throttled=" + bits + "\n"))
}

func clockAt(c Clock) bend {
	return func(_ *testing.T, m *Machine) { m.Clock = func() (Clock, error) { return c, nil } }
}

func groupsOf(names ...string) bend {
	return func(_ *testing.T, m *Machine) { m.Groups = func() ([]string, error) { return names, nil } }
}

func refuse(path string) bend {
	return func(_ *testing.T, m *Machine) {
		m.Access = func(p string) error {
			if p == path {
				return fs.ErrPermission
			}
			return nil
		}
	}
}

func unit(key, value string) bend {
	return func(t *testing.T, m *Machine) {
		p, err := m.Systemctl(context.Background(), unitName)
		if err != nil {
			t.Fatal(err)
		}
		p[key] = value
		m.Systemctl = func(context.Context, string) (map[string]string, error) { return p, nil }
	}
}

func interfacesOf(all ...Interface) bend {
	return func(_ *testing.T, m *Machine) { m.Interfaces = func() ([]Interface, error) { return all, nil } }
}

func environment(pairs ...string) bend {
	return func(_ *testing.T, m *Machine) {
		m.Getenv = func(n string) string {
			for i := 0; i < len(pairs); i += 2 {
				if n == pairs[i] {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
}

func networkOf(n Neighbours, err error) bend {
	return func(_ *testing.T, m *Machine) {
		m.Network = func(context.Context) (Neighbours, error) { return n, err }
	}
}

// robot bends the robot's own bus.
func robot(f func(*vbus.Bus) error) bend {
	return func(t *testing.T, m *Machine) {
		*m = *patientOf(t, piPuck, func(r *sim.Firmware) {
			if err := f(r.Bus()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// patientOf is patient with another robot.
func patientOf(t *testing.T, e entries, change func(*sim.Firmware)) *Machine {
	t.Helper()
	m := patient(t, e)
	r := newRobot(t)
	change(r)
	m.OpenBus = func(name string) (pi2c.BusCloser, error) {
		if name == i2c.Board {
			return kept{r.BoardBus()}, nil
		}
		return kept{r.Bus()}, nil
	}
	return m
}
