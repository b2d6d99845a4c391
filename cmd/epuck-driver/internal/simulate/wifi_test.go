// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"strings"
	"testing"
)

// TestParseWifi: what goes with sim --wifi.
func TestParseWifi(t *testing.T) {
	for args, problem := range map[string]string{
		"--wifi": "", "--wifi=0.0.0.0:1000 --world arena --robots 3 --seed 4 --for 3s": "",
		"--wifi --i2c-device 12": "doesn't go with", "--wifi --traci": "doesn't go with", "--wifi --lockstep": "was taken out",
		"--wifi --real-time-factor 2": "doesn't go with", "--wifi --truth f": "doesn't go with", "--wifi --controller avoid": "doesn't go with",
	} {
		if _, err := parseSim(args); (problem == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %q", args, err, problem)
		}
	}
}
