// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestTwoDriversOfOneName: both warn in their logs and in /diagnostics, with and without a namespace, and both stop
// warning when the other is gone. Drivers in different namespaces don't.
func TestTwoDriversOfOneName(t *testing.T) {
	for _, c := range []struct {
		first, second string
		want          bool
	}{
		{"", "", true},
		{"-r __ns:=/robot1", "-r __ns:=/robot1", true},
		{"-r __ns:=/robot1", "-r __ns:=/robot2", false},
		{"", "-r __ns:=/robot1", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			ether := ros2test.NewNetwork()
			one := newRig(t, rigOptions{ether: ether, args: c.first})
			reports := listenTo[diagnostic_msgs.DiagnosticArray](one, "/diagnostics")
			warned := func(r *rig) bool {
				name := r.node.FullName()[1:] + ": " + health.StatusNetwork
				all := reports()
				for _, m := range slices.Backward(all[max(0, len(all)-4):]) { // the last ones of both
					for _, s := range m.Status {
						if s.Name == name && slices.Contains(codes(s), "network.same_name") {
							return true
						}
					}
				}
				return false
			}
			time.Sleep(5 * time.Second)
			if warned(one) {
				t.Error("a driver warns of itself")
			}
			two := newRig(t, rigOptions{ether: ether, args: c.second})
			time.Sleep(5 * time.Second)
			for i, r := range []*rig{one, two} {
				if n := r.log.count("WARN another node has the same name"); (n == 1) != c.want || n > 1 {
					t.Errorf("%+v: driver %d: %d lines\n%s", c, i, n, r.log)
				}
				if warned(r) != c.want {
					t.Errorf("%+v: driver %d: warned %v", c, i, warned(r))
				}
			}
			one.must(two.end())
			one.must(two.node.Close())
			time.Sleep(15 * time.Second)
			if warned(one) {
				t.Errorf("%+v: it still warns", c)
			}
			if n := one.log.count("no other node has the same name"); (n == 1) != c.want {
				t.Errorf("%+v: %d lines at the end", c, n)
			}
		})
	}
}
