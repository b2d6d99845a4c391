// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// declaredWith declares the driver's parameters with a time-out from the command line.
func declaredWith(t *testing.T, timeout string) (*ros2.Parameters, error) {
	t.Helper()
	args, _, err := ros2.ParseArgs([]string{"--ros-args", "-p", "cmd_vel_timeout:=" + timeout})
	if err != nil {
		t.Fatal(err)
	}
	p := ros2.NewParameters(args, ros2.NodeName{Namespace: "/", Name: "robot"})
	return p, DeclareIn(p)
}

// TestTimeoutAtStart: the command line can switch the time-out off, but not by a value that only rounds to 0.
func TestTimeoutAtStart(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"0.0": 0, "0.01": minTimeout, "0.5": 500 * time.Millisecond, "60.0": time.Minute,
		"1.0e-12": -1, "0.0099": -1, "-0.5": -1, "60.1": -1, ".nan": -1, ".inf": -1,
	} {
		p, err := declaredWith(t, value)
		if (err != nil) != (want < 0) || err != nil && !strings.Contains(err.Error(), ParamTimeout) {
			t.Errorf("%s: %v", value, err)
		}
		if err != nil {
			continue
		}
		if s, err := ReadSettings(p); err != nil || s.Timeout != want {
			t.Errorf("%s: %v, %v", value, s.Timeout, err)
		}
	}
}

// TestTimeoutAtRunTime: no change at run time switches the time-out off or makes it long, alone or with others.
func TestTimeoutAtRunTime(t *testing.T) {
	for _, c := range []struct {
		start  string
		value  float64
		reason string // empty: allowed
	}{
		{"0.5", 0, "only the command line"},
		{"0.5", math.Copysign(0, -1), "only the command line"},
		{"0.5", 1e-12, "neither 0 nor at least 0.01"},
		{"0.5", 5.001, "longest that can be set at run time"},
		{"0.5", 60, "longest that can be set at run time"},
		{"0.5", 1e300, "not between"},
		{"0.5", -1, "not between"},
		{"0.5", math.NaN(), "not between"},
		{"0.5", math.Inf(1), "not between"},
		{"0.5", 5, ""},
		{"0.5", 0.01, ""},
		{"30.0", 31, "more than 30 s"},
		{"30.0", 30, ""},
		{"30.0", 29, ""},
		{"0.0", 0, ""}, // no change
		{"0.0", 0.5, ""},
		{"0.0", 60, "longest"},
	} {
		for _, atomically := range []bool{false, true} {
			p, err := declaredWith(t, c.start)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := p.Get(ParamTimeout)
			change := ros2.Parameter{Name: ParamTimeout, Value: ros2.DoubleValue(c.value)}
			if atomically {
				err = p.SetAtomically(ros2.Parameter{Name: ParamRadius, Value: ros2.DoubleValue(0.021)}, change)
			} else {
				err = p.Set(change)[0]
			}
			after, _ := p.Get(ParamTimeout)
			switch {
			case c.reason == "" && (err != nil || after.Double() != c.value):
				t.Errorf("%s to %v: %v", c.start, c.value, err)
			case c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason) || after != before):
				t.Errorf("%s to %v: %v, the value is %v", c.start, c.value, err, after)
			}
			if c.reason != "" && !errors.Is(err, ros2.ErrRefused) && !errors.Is(err, ros2.ErrParameterRange) {
				t.Errorf("%s to %v: %v", c.start, c.value, err)
			}
		}
	}
}
