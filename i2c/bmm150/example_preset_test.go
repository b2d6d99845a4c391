// SPDX-License-Identifier: Apache-2.0

package bmm150_test

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
)

// More repetitions per measurement reduce the noise and take longer.
func ExamplePreset() {
	for _, p := range []bmm150.Preset{bmm150.LowPower, bmm150.Regular, bmm150.Enhanced, bmm150.HighAccuracy} {
		fmt.Printf("%v: %.1f µT\n", p, math.Sqrt(p.Variance())*1e6)
	}
	// Output:
	// low_power: 1.0 µT
	// regular: 0.6 µT
	// enhanced: 0.5 µT
	// high_accuracy: 0.3 µT
}
