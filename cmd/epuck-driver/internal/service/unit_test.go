// SPDX-License-Identifier: Apache-2.0

package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

const unitDir = "../../../../deploy/systemd"

// unitValues gives the values of one key of the service's unit, in order.
func unitValues(t *testing.T, key string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(unitDir, "epuck-driver.service"))
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && k == key {
			values = append(values, v)
		}
	}
	return values
}

// unitWatchdog is how long systemd waits for a sign of life.
func unitWatchdog(t *testing.T) time.Duration {
	t.Helper()
	values := unitValues(t, "WatchdogSec")
	if len(values) != 1 {
		t.Fatalf("WatchdogSec is %q", values)
	}
	d, err := time.ParseDuration(values[0])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The runtime's watching of a bus transfer is a wake-up or two, not one each 70 µs; and another goroutine does not wait
// for the only processor for long because of it.
func TestUnitGivesSleepsSlack(t *testing.T) {
	values := unitValues(t, "TimerSlackNSec")
	if len(values) != 1 {
		t.Fatalf("TimerSlackNSec is %q", values)
	}
	if d, err := time.ParseDuration(values[0]); err != nil || d < 500*time.Microsecond || d > 2*time.Millisecond {
		t.Errorf("TimerSlackNSec=%s: %v", values[0], err)
	}
}

// The unit's command lines are those this program has.
func TestUnitStartsAndStopsThisProgram(t *testing.T) {
	for _, c := range []struct{ key, command string }{{"ExecStart", "run"}, {"ExecStopPost", "stop"}} {
		values := unitValues(t, c.key)
		if len(values) != 1 {
			t.Fatalf("%s is %q", c.key, values)
		}
		words := strings.Fields(strings.TrimSuffix(values[0], " $EPUCK_ARGS"))
		if words[0] != "/usr/bin/epuck-driver" || words[1] != c.command {
			t.Errorf("%s = %s", c.key, values[0])
		}
		params, err := filepath.Abs("../../../../deploy/params.yaml")
		if err != nil {
			t.Fatal(err)
		}
		for i := range words {
			words[i] = strings.Replace(words[i], "/etc/epuck-driver/params.yaml", params, 1)
		}
		_, rest, err := ros2.ParseArgs(words[2:])
		if err != nil {
			t.Errorf("%s: %v", c.key, err)
		}
		if c.command == "stop" && len(rest) != 0 || c.command == "run" && strings.Join(rest, " ") != "--wait" {
			t.Errorf("%s has the arguments %q", c.key, rest)
		}
	}
	if rt, memory := unitValues(t, "LimitRTPRIO"), unitValues(t, "LimitMEMLOCK"); strings.Join(rt, "") != "99" ||
		strings.Join(memory, "") != "infinity" || len(unitValues(t, "RestrictRealtime")) != 0 {
		t.Errorf("thread_priority and lock_memory are not permitted: LimitRTPRIO %q, LimitMEMLOCK %q", rt, memory)
	}
	if v := unitValues(t, "Restart"); len(v) != 1 || v[0] != "always" {
		t.Errorf("Restart = %q", v)
	}
	if v := unitValues(t, "After"); len(v) != 1 || !strings.Contains(v[0], "time-sync.target") || strings.Contains(v[0], "network-online") {
		t.Errorf("After = %q", v)
	}
}
