// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// setters are the node's two services that change a parameter, as another process calls them; the web page calls the
// first. Each gives the reason of a refusal, empty when the value was taken.
func (r *rig) setters() map[string]func(value float64) string {
	r.Helper()
	parameters := func(value float64) []rcl_interfaces.Parameter {
		return []rcl_interfaces.Parameter{{
			Name: table.ParamTimeout, Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: value},
		}}
	}
	reason := func(result rcl_interfaces.SetParametersResult) string {
		if result.Successful != (result.Reason == "") {
			r.Errorf("%+v", result)
		}
		return result.Reason
	}
	single, err := ros2.NewClient(r.user, rcl_interfaces.SetParameters{}, "/"+NodeName+"/set_parameters")
	r.must(err)
	together, err := ros2.NewClient(r.user, rcl_interfaces.SetParametersAtomically{}, "/"+NodeName+"/set_parameters_atomically")
	r.must(err)
	return map[string]func(value float64) string{
		"set_parameters": func(value float64) string {
			r.Helper()
			answer, err := single.Call(r.Context(), &rcl_interfaces.SetParametersRequest{Parameters: parameters(value)})
			r.must(err)
			return reason(answer.Results[0])
		},
		"set_parameters_atomically": func(value float64) string {
			r.Helper()
			answer, err := together.Call(r.Context(), &rcl_interfaces.SetParametersAtomicallyRequest{Parameters: parameters(value)})
			r.must(err)
			return reason(answer.Result)
		},
	}
}

// TestNoTimeoutIsAWarning: a driver started with cmd_vel_timeout 0 warns in the log and in /diagnostics until a
// time-out is set, which the network can't undo.
func TestNoTimeoutIsAWarning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p cmd_vel_timeout:=0.0", standard: true})
		reports := listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
		check := func(want bool) {
			t.Helper()
			time.Sleep(3 * time.Second)
			s := statusOf(r, last(r, reports), health.StatusLoop)
			if slices.Contains(codes(s), "loop.no_timeout") != want || want && s.Level != diagnostic_msgs.DiagnosticStatusWarn {
				t.Errorf("%d %s %v", s.Level, s.Message, codes(s))
			}
		}
		check(true)
		if n := r.log.count("WARN cmd_vel_timeout is 0"); n != 1 {
			t.Errorf("%d lines\n%s", n, r.log)
		}
		set := r.setters()["set_parameters"]
		if why := set(0.5); why != "" {
			t.Error(why)
		}
		check(false)
		if set(0) == "" {
			t.Error("0 was taken")
		}
	})
}

// TestNetworkCannotSwitchOffTheTimeout: no parameter service can keep the wheels from stopping when the commands end.
func TestNetworkCannotSwitchOffTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{standard: true})
		for name, set := range r.setters() {
			for _, value := range []float64{0, math.Copysign(0, -1), 1e-12, -1, math.NaN(), math.Inf(1), 1e300, 60} {
				if set(value) == "" {
					t.Errorf("%s has taken %v s", name, value)
				}
			}
			r.command(0.1, 0)
			time.Sleep(300 * time.Millisecond)
			if truth := r.robot.GroundTruth(); truth.LeftSpeed == 0 || truth.RightSpeed == 0 {
				t.Errorf("%s: the robot does not drive", name)
			}
			time.Sleep(210 * time.Millisecond)
			r.wantAtRest()
			for _, value := range []float64{0.4, 0.5} {
				if why := set(value); why != "" {
					t.Errorf("%s: %v s: %s", name, value, why)
				}
			}
		}
	})
}
