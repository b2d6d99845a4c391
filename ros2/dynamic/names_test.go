// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

func TestFullName(t *testing.T) {
	for _, c := range []struct{ name, kind, want string }{
		{"std_msgs/String", "msg", "std_msgs/msg/String"}, {"std_msgs/msg/String", "msg", "std_msgs/msg/String"},
		{"std_srvs/Trigger", "srv", "std_srvs/srv/Trigger"}, {"String", "msg", "String"}, {"", "msg", ""},
		{"a/b/c/d", "msg", "a/b/c/d"}, {"a/", "msg", "a/msg/"},
	} {
		if got := dynamic.FullName(c.name, c.kind); got != c.want {
			t.Errorf("FullName(%q, %q) = %q", c.name, c.kind, got)
		}
	}
}
