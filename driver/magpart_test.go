// SPDX-License-Identifier: Apache-2.0

package driver

import "testing"

func TestMagnetometerRate(t *testing.T) {
	for wanted, want := range map[float64]int{0.5: 2, 2: 2, 3: 6, 8: 8, 8.5: 8, 9: 10, 30: 30} {
		if got := magRate(wanted); got != want {
			t.Errorf("%v Hz: the chip measures at %d Hz, want %d", wanted, got, want)
		}
	}
}
