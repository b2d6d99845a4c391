// SPDX-License-Identifier: Apache-2.0

package sensor_msgs_test

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// A scan that sees nothing to the left (REP 117).
func ExampleLaserScan() {
	scan := sensor_msgs.LaserScan{
		AngleMin: -0.1, AngleMax: 0.1, AngleIncrement: 0.1,
		RangeMin: 0.04, RangeMax: 2,
		Ranges: []float32{0.3, 0.31, float32(math.Inf(1))},
	}
	var got sensor_msgs.LaserScan
	err := cdr.Unmarshal(cdr.Append(nil, &scan), &got)
	fmt.Println(got.Ranges, err)
	// Output: [0.3 0.31 +Inf] <nil>
}
