// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// wifiDefault is the default address of sim --wifi for the first robot: local only, at a port that needs no root.
const wifiDefault = "127.0.0.1:10000"

// checkWifi returns an error for flags that exclude --wifi.
func (o *simOptions) checkWifi() error {
	if o.wifi == "" {
		return nil
	}
	if o.device >= 0 || o.controller.name != "" || o.snapshot != "" || o.held() || o.truth != "" || o.swarm.speedText != "1" {
		return frame.Usagef("--wifi doesn't go with --i2c-device, --controller, --snapshot, --traci, --webots, --truth and --real-time-factor")
	}
	return nil
}
