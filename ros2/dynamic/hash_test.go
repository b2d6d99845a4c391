// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
)

// The hash of every type is that of the generated one, which is ROS's.
func TestHash(t *testing.T) {
	for _, name := range msgs.Names() {
		newMessage, _ := msgs.Lookup(name)
		if got, want := resolve(t, name).Hash(), newMessage().TypeHash(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
