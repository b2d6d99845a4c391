// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestLocalhostParticipantsAreFoundByMulticast: participants with LocalhostOnly announce to the group on the loopback
// interface of their machine, as Cyclone DDS does where that has the flag MULTICAST: they find those that no probe
// reaches, and none on another machine, with LocalhostOnly or without.
func TestLocalhostParticipantsAreFoundByMulticast(t *testing.T) {
	for _, c := range []struct {
		name   string
		host   byte
		change func(*rtps.Config)
		want   int
	}{
		{"same machine", 1, func(c *rtps.Config) { c.LocalhostOnly = true }, 1},
		{"same machine, on its network", 1, func(*rtps.Config) {}, 0},
		{"another machine", 2, func(c *rtps.Config) { c.LocalhostOnly = true }, 0},
		{"another machine, on the network", 2, func(*rtps.Config) {}, 0},
		{"multicast switched off", 1, func(c *rtps.Config) { c.LocalhostOnly, c.NoMulticast = true, true }, 1}, // it still hears
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := vnet.New(vnet.Config{})
				other := start(t, n.Host(c.host), c.change)
				reader(t, other)
				w := writer(t, start(t, n.Host(1), func(c *rtps.Config) { c.LocalhostOnly = true }))
				time.Sleep(100 * time.Millisecond)
				synctest.Wait()
				if got := w.Matched(); got != c.want {
					t.Errorf("%d readers matched, want %d", got, c.want)
				}
			})
		})
	}
}
