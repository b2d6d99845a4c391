// SPDX-License-Identifier: Apache-2.0

package rmw

import "testing"

// TestSwitchesInTheEnvironment: 0 switches off whatever can be switched off, as do the other words for it.
func TestSwitchesInTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		off  []string
		on   []string
		isOn func(Config) bool
	}{
		{
			[]string{"RTPS_SHARED_MEMORY=0", "RTPS_SHARED_MEMORY=off", "RTPS_SHARED_MEMORY=False", "RTPS_SHARED_MEMORY= no ", "RTPS_SHARED_MEMORY="},
			[]string{"RTPS_SHARED_MEMORY=1", "RTPS_SHARED_MEMORY=64"}, func(c Config) bool { return c.SharedMemory > 0 },
		},
		{
			[]string{"RTPS_MULTICAST=0", "RTPS_MULTICAST=off", "RTPS_MULTICAST=FALSE", "RTPS_MULTICAST=no"},
			[]string{"RTPS_MULTICAST=1", "RTPS_MULTICAST=on", "RTPS_MULTICAST=true", "RTPS_MULTICAST="}, func(c Config) bool { return !c.NoMulticast },
		},
		{
			[]string{"ROS_LOCALHOST_ONLY=0", "ROS_LOCALHOST_ONLY="}, []string{"ROS_LOCALHOST_ONLY=1"},
			func(c Config) bool { return c.Range == Localhost },
		},
	} {
		for on, list := range map[bool][]string{false: c.off, true: c.on} {
			for _, env := range list {
				if cfg, err := fromEnv(env); err != nil || c.isOn(cfg) != on {
					t.Errorf("%s: %+v, %v", env, cfg, err)
				}
			}
		}
	}
}
