// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"strings"
	"testing"
)

// TestOrderFlags: what does not go together is refused.
func TestOrderFlags(t *testing.T) {
	const alone = "there is one time source only"
	for line, problem := range map[string]string{
		"--order fixed": "", "--order parallel --members a,b --order-log x --order-replay y --order-limit 1s": "",
		"--order sideways": "must be fixed or parallel", "--members a": "go with --order", "--order-log x": "go with --order",
		"--order-replay x": "go with --order", "--order-limit 1s": "go with --order", "--order fixed --order-limit 0s": "must be positive",
		"--order fixed --lockstep": "was taken out", "--order fixed --traci": alone, "--order fixed --webots": alone,
		"--order fixed --real-time-factor 2": "", "--order fixed --real-time-factor max": "", "--order fixed --real-time-factor 0": "never paused",
		"--lockstep": "--order fixed", "--wait-for /brain": "was taken out", "--answer /done": "was taken out", "--acknowledge /done": "was taken out",
		"--order fixed --controller avoid --for 1s": alone,
		"--order fixed --i2c-device 9":              alone, "--order fixed --snapshot x": alone, "--order fixed --wifi": alone,
	} {
		if _, err := parseSim(line); (err == nil) != (problem == "") || err != nil && !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %q", line, err, problem)
		}
	}
}

// TestSettingsOfLockstepNameTheirReplacement: they went with --lockstep, and are no fields of the world.
func TestSettingsOfLockstepNameTheirReplacement(t *testing.T) {
	for setting, want := range map[string]string{
		"lockstep.limit=5s": "order.limit", "lockstep.answer=/a": "was taken out", "lockstep=true": "--order fixed", "arena.size=[1,1]": "", "lockstepping=1": "",
	} {
		err := new(lockstepOptions).check([]string{"seed=1", setting})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", setting, err, want)
		}
	}
}

// TestFormerNameOfTheRealTimeFactor: --speed is accepted until the next release, and help does not show it.
func TestFormerNameOfTheRealTimeFactor(t *testing.T) {
	o, err := parseSim("--speed 7")
	if err != nil || o.swarm.speed != 7 {
		t.Errorf("factor %g, want 7: %v", o.swarm.speed, err)
	}
}
