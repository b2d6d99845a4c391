// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c"
	pi2c "periph.io/x/conn/v3/i2c"
)

// The robot may be on any bus that the driver takes, by number, by the path of its device file or behind a multiplexer
// on any adapter: the doctor looks for that bus, asks the robot there, and finds nothing amiss for its number. Without
// a multiplexer the board's parts are missing, which the driver can do without.
func TestRobotOnAnyBus(t *testing.T) {
	plain := piPuck.without("sys/bus", "dev/i2c").with("dev/i2c-0=", "dev/i2c-7=")
	behind := piPuck.without("sys/bus").with("sys/bus/i2c/devices/3-0070 -> ../i2c-3/3-0070", "sys/bus/i2c/i2c-3/3-0070/name=pca9548",
		"sys/bus/i2c/i2c-3/3-0070/channel-0 -> ../i2c-20", "sys/bus/i2c/i2c-3/3-0070/channel-1 -> ../i2c-21", "dev/i2c-20=", "dev/i2c-21=")
	for _, c := range []struct {
		bus   string
		files entries
		path  string
		mux   Status
	}{
		{"7", plain, "/dev/i2c-7", Warning}, {"0", plain, "/dev/i2c-0", Warning}, {"/dev/i2c-7", plain, "/dev/i2c-7", Warning},
		{"7", piPuck.with("dev/i2c-7="), "/dev/i2c-7", OK},
		{i2c.Auto, behind, "/dev/i2c-21", OK}, {"", behind, "/dev/i2c-21", OK},
		{i2c.Auto, piPuck, "/dev/i2c-12", OK},
	} {
		m := patient(t, c.files)
		m.Bus = c.bus
		var opened, accessed []string
		open := m.OpenBus
		m.OpenBus = func(name string) (pi2c.BusCloser, error) {
			opened = append(opened, name)
			return open(name)
		}
		m.Access = func(path string) error {
			accessed = append(accessed, path)
			return nil
		}
		for _, f := range Examine(context.Background(), m).Findings {
			want := OK
			if f.Check == "device tree overlay pi-puck" {
				want = c.mux
			}
			if f.Status > want && f.Status != Skipped {
				t.Errorf("bus %q: %+v", c.bus, f)
			}
		}
		if !slices.Contains(accessed, c.path) || !slices.Contains(opened, c.bus) {
			t.Errorf("bus %q: asked for rights to %q, opened %q, want %s", c.bus, accessed, opened, c.path)
		}
	}
	m := patient(t, plain)
	m.Bus = "9" // not there
	if r := Examine(context.Background(), m); r.Worst() != Failure {
		t.Errorf("%+v", r)
	}
}
