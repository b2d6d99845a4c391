// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
)

// linearBattery is the plug-in of gz-sim's example world linear_battery_demo.sdf, with other parameters in it.
func linearBattery(more string) string {
	return `<plugin filename="gz-sim-linearbattery-plugin-system" name="gz::sim::systems::LinearBatteryPlugin">
		<battery_name>linear_battery</battery_name><voltage>12.592</voltage>
		<open_circuit_voltage_constant_coef>12.694</open_circuit_voltage_constant_coef>
		<open_circuit_voltage_linear_coef>-3.1424</open_circuit_voltage_linear_coef>
		<initial_charge>1.0</initial_charge><capacity>1.25</capacity><resistance>0.061523</resistance>
		<smooth_current_tau>1.9499</smooth_current_tau>` + more + `</plugin>`
}

func TestLinearBatteryPluginIsABattery(t *testing.T) {
	const mean = 12.694 - 3.1424/2
	r, err := sdf.Parse("m.sdf", wheeled(linearBattery(`<power_load>4.2</power_load><enable_recharge>true</enable_recharge><charging_time>2.5</charging_time>`)))
	if err != nil {
		t.Fatal(err)
	}
	want := []description.Device{{Name: "linear_battery", Kind: description.Battery, Link: "base", Line: 2, Energy: &description.Energy{
		Now: 3600 * mean, Most: 1.25 * 3600 * mean, Charging: 1.25 * mean / 2.5, Load: 4.2,
		Voltage: 12.694, Rise: -3.1424, Resistance: 0.061523,
	}}}
	if diff := cmp.Diff(want, r.Devices, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
		t.Error(diff)
	}
	if len(r.Ignored) > 0 {
		t.Errorf("ignored: %v", r.Ignored)
	}
}

func TestImpossibleLinearBatteryIsAnError(t *testing.T) {
	text := strings.Replace(linearBattery(""), "<initial_charge>1.0<", "<initial_charge>2.0<", 1)
	if _, err := sdf.Parse("m.sdf", wheeled(text)); err == nil || !strings.Contains(err.Error(), "1.25 A h with 2 A h in it") {
		t.Errorf("%v", err)
	}
}
