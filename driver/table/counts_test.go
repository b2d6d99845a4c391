// SPDX-License-Identifier: Apache-2.0

package table

import (
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// TestCounts: the readings as they came, in the order of the sensors.
func TestCounts(t *testing.T) {
	r := &Reading{}
	want := []uint16{0, 1, 500, 4095, 7, 8, 9, 10}
	copy(r.Sensors.Proximity[:], want)
	var m std_msgs.UInt16MultiArray
	if !newCounts()(&m, r) || !slices.Equal(m.Data, want) || m.Layout.Dim[0].Size != 8 {
		t.Errorf("%+v", m)
	}
}
