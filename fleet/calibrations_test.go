// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// logged is the text of a log.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// lines returns the lines that contain a text.
func (l *logged) lines(part string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, part) {
			found = append(found, line)
		}
	}
	return found
}

// TestManyIMUsAreCalibratedInOneLine: the log has one line for all robots, and for a single robot its own with the
// bias.
func TestManyIMUsAreCalibratedInOneLine(t *testing.T) {
	for _, c := range []struct {
		robots int
		level  string
		want   string
	}{
		{12, world.LevelFunctional, "robots=12"}, {2, world.LevelFunctional, "robots=2"}, {1, world.LevelFunctional, "gyro_bias_rad_s"},
	} {
		log := &logged{}
		w := crowd(t, c.robots, c.level)
		g := newRigOf(t, w, sim.Options{Seed: 1, Settled: true}, fleet.Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
		g.run(5 * time.Second)
		if lines := log.lines("calibrated"); len(lines) != 1 || !strings.Contains(lines[0], c.want) {
			t.Errorf("%d robots: %q, want one line with %s", c.robots, lines, c.want)
		}
	}
}

// TestCalibrationsAreReportedAtTheEnd: a fleet that ends soon after the calibrations reports them all the same.
func TestCalibrationsAreReportedAtTheEnd(t *testing.T) {
	log := &logged{}
	g := newRigOf(t, crowd(t, 5, world.LevelFunctional), sim.Options{Seed: 1, Settled: true},
		fleet.Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
	g.run(2 * time.Second)
	if err := g.fleet.Close(); err != nil {
		t.Error(err)
	}
	if lines := log.lines("calibrated"); len(lines) != 1 || !strings.Contains(lines[0], "robots=5") {
		t.Errorf("%q, want one line of 5 robots", lines)
	}
}
