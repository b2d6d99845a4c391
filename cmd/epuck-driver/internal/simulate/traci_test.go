// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/timesources"
)

// TestParseTraCI: what goes with --traci, and the form in which Veins' forker starts a SUMO.
func TestParseTraCI(t *testing.T) {
	for _, c := range []struct {
		args, address, problem string
	}{
		{"", "", ""},
		{"--traci", timesources.TraCIDefault, ""},
		{"--traci=0.0.0.0:9999 --traci-allow 192.168.7.0/24,10.0.0.1", "0.0.0.0:9999", ""},
		{"--remote-port 9999 --seed 7 --configuration-file maze", "127.0.0.1:9999", ""},
		{"--remote-port 9999 --num-clients 2 --step-length 1 --traci-patience 30s", "127.0.0.1:9999", ""},
		{"--traci --trace-hash --for 10s", timesources.TraCIDefault, ""},
		{"--remote-port 99999", "", "--remote-port 99999"},
		{"--remote-port -1", "", "--remote-port -1"},
		{"--remote-port 1 --traci", "", "without --traci"},
		{"--net-file town.net.xml", "", "goes with --traci"},
		{"--traci --net-file town.net.xml", timesources.TraCIDefault, ""},
		{"--num-clients 2", "", "go with --traci"},
		{"--step-length 1", "", "go with --traci"},
		{"--traci-patience 1s", "", "go with --traci"},
		{"--traci-allow 10.0.0.0/8", "", "go with --traci"},
		{"--traci --traci-allow somewhere", "", "traci.allow"},
		{"--traci --num-clients 0", "", "--num-clients 0"},
		{"--traci --step-length 0.001", "", "--step-length 0.001"},
		{"--traci --real-time-factor 2", "", "clients control time"},
		{"--traci --i2c-device 12", "", "clients control time"},
		{"--traci --controller avoid --for 1m", timesources.TraCIDefault, ""},
		{"--traci --controller avoid", timesources.TraCIDefault, ""},
		{"--traci --controller avoid --for 1m --save f --at 1s", "", "can't be stored"},
		{"--traci --controller avoid --real-time-factor 2", "", "clients control time"},
	} {
		o, err := parseSim(c.args)
		if c.problem == "" && (err != nil || o.traci.Address != c.address) {
			t.Errorf("%s: %v, address %q, want %q", c.args, err, o.traci.Address, c.address)
		}
		if c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)) {
			t.Errorf("%s: %v, want %q", c.args, err, c.problem)
		}
	}
	o, err := parseSim("--remote-port 9999 --seed 7 --configuration-file maze")
	if err != nil || o.seed != 7 || o.traci.File != "maze" || !o.ownTime() {
		t.Errorf("Veins' form: %v, %+v", err, o.traci)
	}
}
