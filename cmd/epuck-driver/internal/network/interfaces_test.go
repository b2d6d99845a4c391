// SPDX-License-Identifier: Apache-2.0

package network

import (
	"strings"
	"testing"
)

// TestInterfacesOfTheDistribution: ROS_DISTRO says which version of simulation_interfaces is meant, the flag says more.
func TestInterfacesOfTheDistribution(t *testing.T) {
	for distro, want := range map[string]Interfaces{"": 1, "humble": 1, "jazzy": 1, "kilted": 1, "rolling": 2, "lyrical": 2} {
		t.Setenv("ROS_DISTRO", distro)
		if got := InterfacesHere(); got != want {
			t.Errorf("%q: version %d, want %d", distro, got, want)
		}
	}
	var flag Interfaces
	for text, ok := range map[string]bool{"1": true, "2": true, "3": false, "": false} {
		if err := flag.Set(text); (err == nil) != ok || ok && flag.String() != text {
			t.Errorf("%q: %d, %v", text, flag, err)
		}
	}
	for name, field := range map[string]string{
		"simulation_interfaces/srv/SpawnEntity_Request": "entity_resource", "simulation_interfaces/srv/SetEntityState_Request": "set_pose",
		"simulation_interfaces/msg/Spawnable": "entity_resource", "simulation_interfaces/srv/LoadWorld_Request": "world_resource",
	} {
		first, _ := Interfaces(1).Definition(name)
		second, _ := Interfaces(2).Definition(name)
		if strings.Contains(first, field) || !strings.Contains(second, field) {
			t.Errorf("%s: %q and %q", name, first, second)
		}
	}
	if same, ok := Interfaces(2).Definition("std_msgs/msg/Bool"); !ok || same == "" {
		t.Error("others are as they were")
	}
}
