// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// A message too large for a reliable subscription does not prevent it from receiving the next.
func TestMessageTooLargeForReliableSubscription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		pub := publish(t, newNode(t, open(t, net.Host(1)), "a", nil), "/big", ros2.DefaultQoS())
		_, box := subscribe(t, newNode(t, open(t, net.Host(2)), "b", nil), "/big", ros2.DefaultQoS(), ros2.MaxMessageSize(1000))
		settle()
		say(t, pub, strings.Repeat("x", 100_000), strings.Repeat("y", 1200), "small")
		settle()
		if got := box.heard(); !slices.Equal(got, []string{"small"}) {
			t.Errorf("heard %d messages", len(got))
		}
	})
}
