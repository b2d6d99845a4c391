// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// wifiDefault is where sim --wifi listens for the first robot: this machine alone, at no port that needs root.
const wifiDefault = "127.0.0.1:10000"

// checkWifi refuses flags that don't go with the robots' own radio.
func (o *simOptions) checkWifi() error {
	if o.wifi == "" {
		return nil
	}
	if o.device >= 0 || o.controller.name != "" || o.snapshot != "" || o.held() || o.truth != "" || o.swarm.speedText != "1" {
		return frame.Usagef("--wifi doesn't go with --i2c-device, --controller, --snapshot, --traci, --webots, --truth and --real-time-factor")
	}
	return nil
}
