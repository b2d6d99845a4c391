// SPDX-License-Identifier: Apache-2.0

package security

import (
	"errors"
	"strings"
	"testing"
)

// TestStrategyOfTheEnvironment compares exactly, as rcl's security.c does.
func TestStrategyOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		enable, strategy string
		want             Strategy
	}{
		{"", "", Off},
		{"", "Enforce", Off},
		{"false", "Enforce", Off},
		{"True", "Enforce", Off},
		{"1", "Enforce", Off},
		{"true ", "Enforce", Off},
		{"true", "", Permissive},
		{"true", "Permissive", Permissive},
		{"true", "enforce", Permissive},
		{"true", "Enforce ", Permissive},
		{"true", "Enforce", Enforce},
	} {
		env := map[string]string{"ROS_SECURITY_ENABLE": c.enable, "ROS_SECURITY_STRATEGY": c.strategy, "ROS_SECURITY_KEYSTORE": "/keys"}
		s := FromEnvironment(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		if s != c.want {
			t.Errorf("enable %q, strategy %q: %d, want %d", c.enable, c.strategy, s, c.want)
		}
		if err := s.Check(); errors.Is(err, ErrUnavailable) != (c.want == Enforce) {
			t.Errorf("enable %q, strategy %q: %v", c.enable, c.strategy, err)
		}
		if warns := strings.Contains(s.Warning(), "ROS_SECURITY_ENABLE=true has no effect"); warns != (c.want == Permissive) {
			t.Errorf("enable %q, strategy %q: warning %q", c.enable, c.strategy, s.Warning())
		}
	}
}
