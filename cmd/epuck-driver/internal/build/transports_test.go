// SPDX-License-Identifier: Apache-2.0

package build

import "testing"

func TestTransportsText(t *testing.T) {
	for want, built := range map[string][]string{
		"rtps (default), rclgo":                 {"rtps", "rclgo"},
		"rtps (default); rclgo is not built in": {"rtps"},
	} {
		if got := transportsText(built); got != want {
			t.Errorf("%v: %q, want %q", built, got, want)
		}
	}
}
