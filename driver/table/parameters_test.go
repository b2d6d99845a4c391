// SPDX-License-Identifier: Apache-2.0

package table

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestParameterDefaultsAreAllowed(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Parameters() {
		d := p.descriptor()
		d.Type = p.Default.Type()
		if err := d.Check(p.Default); err != nil {
			t.Error(err)
		}
		if seen[p.Name] || p.Meaning == "" {
			t.Errorf("%s: there twice or without a meaning", p.Name)
		}
		seen[p.Name] = true
		if d.ReadOnly == p.Dynamic {
			t.Errorf("%s: read-only %v, dynamic %v", p.Name, d.ReadOnly, p.Dynamic)
		}
	}
}

func TestParametersRefuseNonsense(t *testing.T) {
	bad := map[string]ros2.ParameterValue{
		paramRate: ros2.DoubleValue(0), ParamRadius: ros2.DoubleValue(-0.02), ParamDistance: ros2.DoubleValue(0),
		paramSpeedUnit: ros2.DoubleValue(0), ParamTimeout: ros2.DoubleValue(-1), ParamMaxSpeed: ros2.DoubleValue(0),
		ParamScanInvalid: ros2.StringValue("none"), paramLEDType: ros2.StringValue("Bool"), paramStamped: ros2.StringValue("true"),
	}
	for _, p := range Parameters() {
		d := p.descriptor()
		d.Type = p.Default.Type()
		if v, ok := bad[p.Name]; ok && d.Check(v) == nil {
			t.Errorf("%s accepts %v", p.Name, v)
		}
	}
}
