// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// wifiDefault is where sim --wifi listens for the first robot: this machine alone, at no port that needs root.
const wifiDefault = "127.0.0.1:10000"

// wifiArgs are the ROS arguments of a robot over Wi-Fi: its pictures have one size. What the command line says comes
// after that, and counts.
func wifiArgs(line []string) (ros2.Args, error) {
	words := []string{rosArgs, "-p", "camera.width:=160", "-p", "camera.height:=120"}
	if at := slices.Index(line, rosArgs); at >= 0 {
		words = append(words, line[at:]...)
	}
	args, _, err := ros2.ParseArgs(words)
	return args, err
}

// checkWifi refuses flags that don't go with the robots' own radio.
func (o *simOptions) checkWifi() error {
	if o.wifi == "" {
		return nil
	}
	if o.device >= 0 || o.controller.name != "" || o.snapshot != "" || o.held() || o.truth != "" || o.swarm.speedText != "1" {
		return usagef("--wifi doesn't go with --i2c-device, --controller, --snapshot, --traci, --webots, --lockstep, --truth and --speed")
	}
	return nil
}
