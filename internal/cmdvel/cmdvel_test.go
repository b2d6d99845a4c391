// SPDX-License-Identifier: Apache-2.0

package cmdvel

import "testing"

func TestTypeForSubscriptions(t *testing.T) {
	for _, c := range []struct {
		subscribed []string
		want       string
	}{
		{nil, ""},
		{[]string{Twist}, Twist},
		{[]string{TwistStamped}, TwistStamped},
		{[]string{TwistStamped, TwistStamped}, TwistStamped},
		{[]string{TwistStamped, Twist}, Twist},
		{[]string{Twist, TwistStamped}, Twist},
		{[]string{"std_msgs/msg/String"}, ""},
		{[]string{"std_msgs/msg/String", TwistStamped}, TwistStamped},
		{[]string{"geometry_msgs/Twist"}, ""},
	} {
		if got := Type(c.subscribed); got != c.want {
			t.Errorf("%q: %q, want %q", c.subscribed, got, c.want)
		}
	}
}
